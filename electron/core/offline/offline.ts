import type { OfflinePlan, OfflineReport } from '../../contract/api/offline.ts'
import { Failed, type Failure, orNull } from '../../contract/failure.ts'
import { isProductId } from '../../contract/firmware.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import type { CommonFirmware, Devices } from '../devices/devices.ts'
import type { Definitions } from '../definitions/definitions.ts'
import type { Approvals, Firmware, Recovery } from '../firmware/firmware.ts'
import type { DocumentCache, Metadata } from '../metadata/metadata.ts'
import type { RunningTask, Tasks } from '../tasks.ts'

export interface OfflineDeps {
  readonly organization: { readonly id: string; readonly vendorId: number }
  readonly devices: Pick<Devices, 'commonFirmware'>
  readonly documents: Pick<DocumentCache, 'size' | 'keepingAll'>
  readonly firmware: Pick<Firmware, 'link' | 'releases'>
  readonly approvals: Pick<Approvals, 'decisions'>
  readonly definitions: Pick<Definitions, 'load'>
  readonly recovery: Pick<Recovery, 'all'>
  readonly metadata: Pick<Metadata, 'recoveryIds' | 'productContent'>
}

/**
 * Maximum of combinations of product, variant and version in a fleet; 100,000 devices have some hundred.
 * Raise it for larger variety.
 */
const combinationsAtMost = 5_000
/** Documents about a product's variant and version (definitions/README). Observed maximum. */
const documentsOfVersion = 4

/** The documents that the fleet needs, by product. Rejects with Failed `cache-unusable`. */
async function needed({
  organization,
  devices,
}: OfflineDeps): Promise<ReadonlyMap<number, CommonFirmware[]>> {
  const products = new Map<number, CommonFirmware[]>()
  for (const one of await devices.commonFirmware(organization.id, combinationsAtMost))
    if (isProductId(one.productId)) products.set(one.productId, [...(products.get(one.productId) ?? []), one])
  return products
}

export async function planOffline(deps: OfflineDeps): Promise<OfflinePlan> {
  const { documents, metadata, organization } = deps
  const products = await needed(deps)
  const ids = await orNull(metadata.recoveryIds({ cachedOnly: true }))
  const recoveryIds = ids?.value.get(organization.vendorId)?.size ?? 0
  const pairs = [...products.values()].flatMap((all) => [...new Set(all.map((one) => one.variantType))])
  const inUse = [...products.values()].flat().length
  // The newest and the approved version of each variant, in addition to those in use.
  const versions = inUse + 2 * pairs.length
  const requests = 3 + products.size + versions * (1 + documentsOfVersion) + 2 * recoveryIds
  const cached = await documents.size()
  return {
    products: products.size,
    requests,
    bytes: cached.documents === 0 ? null : Math.round((requests * cached.bytes) / cached.documents),
  }
}

/**
 * Reads every document of the plan. Rejects with Failed `cancelled`: documents that were already read remain
 * stored.
 */
export async function prepareOffline(deps: OfflineDeps, task: RunningTask): Promise<OfflineReport> {
  const plan = await planOffline(deps)
  let failure: Failure | null = null
  const missed = (error: unknown): void => {
    if (!(error instanceof Failed) || error.failure.kind === 'cancelled') throw error
    if (error.failure.kind !== 'not-found') failure ??= error.failure
  }
  const prepared = await deps.documents.keepingAll(async () => {
    const { organization, firmware, approvals, definitions, metadata, recovery } = deps
    const { vendorId } = organization
    const products = await needed(deps)
    const decisions = await approvals.decisions()
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
      }
    }
    await metadata.productContent().catch(missed)
    const all = await recovery.all(new Set([vendorId]), task)
    failure ??= all.failure
  })
  return { ...plan, prepared, failure }
}

export const offlineHandlers = (deps: () => Promise<OfflineDeps>, tasks: Tasks): Handlers<'offline'> => ({
  plan: async () => planOffline(await deps()),
  prepare: () => tasks.run('offline', async (task) => prepareOffline(await deps(), task)),
})
