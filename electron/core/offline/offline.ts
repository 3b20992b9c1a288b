import type { OfflinePlan, OfflineReport } from '../../contract/api/offline.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import { Failed, isKind, orNull, type Failure } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import type { CommonFirmware, Devices } from '../devices/devices.ts'
import type { Definitions } from '../definitions/definitions.ts'
import { productDetails, type Approvals, type Firmware, type Recovery } from '../firmware/firmware.ts'
import type { DocumentCache, Metadata } from '../metadata/metadata.ts'
import type { RunningTask, Tasks } from '../tasks.ts'

export interface OfflineDeps {
  readonly organization: Pick<Organization, 'id' | 'vendorId' | 'assumed'>
  readonly devices: Pick<Devices, 'commonFirmware'>
  readonly documents: Pick<DocumentCache, 'size' | 'keepingAll'>
  readonly firmware: Pick<Firmware, 'link' | 'releases' | 'product' | 'records' | 'names' | 'bundles'>
  readonly approvals: Pick<Approvals, 'decisions'>
  readonly definitions: Pick<Definitions, 'load' | 'versions'>
  readonly recovery: Pick<Recovery, 'all'>
  readonly metadata: Pick<
    Metadata,
    | 'catalogue'
    | 'deviceModelBySchema'
    | 'gnpPropertiesOfSchema'
    | 'joseDefinition'
    | 'nameMap'
    | 'openApi'
    | 'productContent'
    | 'propertyMap'
    | 'records'
    | 'recoveryIds'
    | 'schemaVersions'
    | 'telemetry'
  >
}

/**
 * Maximum of combinations of product, variant and version in a fleet; 100,000 devices have some hundred.
 * Raise it for larger variety.
 */
const combinationsAtMost = 5_000
/**
 * Documents about a product's variant and version: a link, properties, device models by definition and schema, the
 * feature model, two Jose definitions.
 */
const documentsOfVersion = 7
/** Documents for the whole organization, without those of each schema version, recovery id and agent type. */
const documentsForAll = 13
/** Assumed before the list is read: the number that the demonstration lists. */
const schemasAssumed = 4
/** Releases, variants and product group; a product in several groups has more. */
const documentsOfProduct = 4

/** The documents that the fleet needs, by product. Rejects with Failed `cache-unusable`. */
async function needed(deps: OfflineDeps): Promise<ReadonlyMap<number, CommonFirmware[]>> {
  const { organization, devices } = deps
  const products = new Map<number, CommonFirmware[]>()
  for (const one of await devices.commonFirmware(organization.id, combinationsAtMost))
    if (isProductId(one.productId)) products.set(one.productId, [...(products.get(one.productId) ?? []), one])
  return products
}

async function planOffline(deps: OfflineDeps): Promise<OfflinePlan> {
  const { documents, metadata, organization } = deps
  const products = await needed(deps)
  const ids = await orNull(metadata.recoveryIds({ cachedOnly: true }))
  const recoveryIds = ids?.value.get(organization.vendorId)?.size ?? 0
  const schemas = await orNull(metadata.schemaVersions({ cachedOnly: true }))
  const { platforms, agentTypes } = organization.assumed
  const pairs = [...products.values()].flatMap((all) => [...new Set(all.map((one) => one.variantType))])
  const inUse = [...products.values()].flat().length
  // The newest and the approved version of each variant, in addition to those in use.
  const versions = inUse + 2 * pairs.length
  const requests =
    documentsForAll +
    agentTypes.length +
    2 * (schemas?.value.length ?? schemasAssumed) +
    documentsOfProduct * products.size +
    // Its information and updaters; of each product also those of the catalogue's first variant.
    (pairs.length + products.size) * (1 + platforms.length) +
    versions * documentsOfVersion +
    2 * recoveryIds
  const cached = await documents.size()
  return {
    products: products.size,
    requests,
    bytes: cached.documents === 0 ? null : Math.round((requests * cached.bytes) / cached.documents),
  }
}

/**
 * Reads every document of the plan. Cancelled, it reports what it has stored until then; rejects with Failed
 * `cancelled` if that is nothing.
 */
async function prepareOffline(deps: OfflineDeps, task: RunningTask): Promise<OfflineReport> {
  const plan = await planOffline(deps)
  let failure: Failure | null = null
  const missed = (error: unknown): void => {
    if (!(error instanceof Failed) || isKind(error.failure, 'cancelled')) throw error
    if (!isKind(error.failure, 'not-found')) failure ??= error.failure
  }
  const sweep = async (): Promise<void> => {
    const { organization, firmware, approvals, definitions, metadata, recovery } = deps
    const { vendorId } = organization
    const { platforms, agentTypes } = organization.assumed
    const assumedTogether = Array.from(
      { length: Math.max(1, platforms.length, agentTypes.length) },
      (_, index) => ({ platformOs: platforms[index] ?? null, agentType: agentTypes[index] ?? null }),
    )
    const products = await needed(deps)
    const decisions = await approvals.decisions()
    const schema = await definitions.versions({ refresh: false }).then(
      ({ inUse }) => inUse.schemaInUse,
      (error: unknown) => (missed(error), null),
    )
    const forAll: readonly Promise<unknown>[] = [
      metadata.telemetry(),
      metadata.nameMap(),
      metadata.openApi(),
      metadata.productContent(),
      ...(schema === null ? [] : [metadata.propertyMap(schema), metadata.gnpPropertiesOfSchema(schema)]),
    ]
    await Promise.all(forAll.map((one) => one.catch(missed)))
    let at = 0
    for (const [productId, all] of products) {
      task.step('documents', at++, products.size)
      const id = { vendorId, productId }
      const newest = await firmware.releases(id).then(
        ({ product }) => product.latestVersion,
        (error: unknown) => (missed(error), null),
      )
      const wanted = new Set(all.map((one) => one.firmwareVersion))
      const queries = []
      for (const variantType of new Set(all.map((one) => one.variantType))) {
        const approved = decisions.of(id, variantType)
        const versions = new Set([
          ...all.filter((one) => one.variantType === variantType).map((one) => one.firmwareVersion),
          ...(newest === null ? [] : [newest]),
          ...(approved.kind === 'valid' ? [approved.version] : []),
        ])
        for (const firmwareVersion of versions) {
          wanted.add(firmwareVersion)
          queries.push({ ...id, variantType, firmwareVersion })
        }
      }
      for (const version of wanted)
        await firmware.link({ ...id, version, buildType: null, refresh: false }).catch(missed)
      for (const query of queries) {
        task.step('documents', at - 1, products.size)
        await definitions.load(query).then(
          ({ failed }) => (failure ??= failed[0]?.failure ?? null),
          (error: unknown) => missed(error),
        )
        await metadata.joseDefinition(query, 2).catch(missed)
        await metadata.joseDefinition(query, 1).catch(missed)
        if (schema !== null) await metadata.deviceModelBySchema(query, schema).catch(missed)
      }
      // null: the variant that is shown if none is chosen.
      for (const variantType of new Set([null, ...all.map((one) => one.variantType)]))
        for (const assumed of assumedTogether) {
          task.step('documents', at - 1, products.size)
          const { failed } = await productDetails(metadata, firmware, { ...id, variantType, ...assumed })
          failure ??= failed[0]?.failure ?? null
        }
    }
    const all = await recovery.all(new Set([vendorId]), task)
    failure ??= all.failure
  }
  const prepared = await deps.documents.keepingAll(() =>
    sweep().catch((error: unknown) => {
      if (!(error instanceof Failed) || !isKind(error.failure, 'cancelled')) throw error
      failure = error.failure
    }),
  )
  if (prepared === 0 && task.signal.aborted) throw new Failed({ kind: 'cancelled' })
  return { ...plan, prepared, failure }
}

export const offlineHandlers = (deps: () => Promise<OfflineDeps>, tasks: Tasks): Handlers<'offline'> => ({
  plan: async () => planOffline(await deps()),
  prepare: () => tasks.run('offline', async (task) => prepareOffline(await deps(), task)),
})
