import type {
  DefinitionDefaults,
  DefinitionInUse,
  DefinitionQuery,
  DocumentKind,
  DocumentSelection,
  FirmwareDifference,
  FleetFirmware,
  ProductDefinitions,
  ReadDocuments,
  SchemaVersions,
  SelectionComparison,
} from '../../contract/api/definitions.ts'
import { Failed, type Failure, foundOrNull, orNull } from '../../contract/failure.ts'
import type { ProductId, ReleaseList } from '../../contract/api/firmware.ts'
import { foldedName } from '../../contract/json.ts'
import type { SettingNamesResult } from '../../contract/setting-name.ts'
import type { Clock } from '../platform.ts'
import { settingTitlesOf, type Ask, type Metadata } from '../metadata/metadata.ts'
import {
  displayNames,
  joseV1IsStated,
  loadDocuments,
  withoutJoseV1,
  type InstalledPackage,
} from './documents.ts'
import { comparisonOf } from './document-differences.ts'
import {
  firmwareDifference,
  sideOf,
  yoursOf,
  type FirmwareDifferenceQuery,
  type CachedValuesOf,
} from './firmware-difference.ts'
import { fetchProductDefinitions } from './product-definitions.ts'
import { openTrustedDocuments } from './trusted-documents.ts'
import { findVersionInUse, schemaVersions } from './version-in-use.ts'
import type { Workbook } from '../storage/workbook.ts'
import type { Handlers } from '../../contract/rpc-client.ts'

export interface Definitions {
  /** The definition version in use, and why. `refresh` fetches even if the copies are fresh. */
  inUse(query: { readonly refresh: boolean }): Promise<DefinitionInUse>
  /**
   * All schema versions, greatest first; each may fail on its own. Rejects with Failed if the version in use
   * cannot be determined.
   */
  versions(query: { readonly refresh: boolean }): Promise<SchemaVersions>
  /**
   * Documents of these kinds, each with its items; each may fail on its own. Rejects with Failed `invalid`
   * for a kind that needs a product if none is selected, and if the catalogue cannot be read.
   */
  documents(query: {
    readonly selection: DocumentSelection
    readonly kinds: readonly DocumentKind[] | null
  }): Promise<ReadDocuments>
  /**
   * Differences between the documents of two selections, and the affected devices. Rejects as `documents`,
   * and with `cache-unusable`.
   */
  compare(query: {
    readonly left: DocumentSelection
    readonly right: DocumentSelection
    readonly kinds: readonly DocumentKind[] | null
  }): Promise<SelectionComparison>
  /**
   * Differences between two firmware versions, and the affected devices. Rejects as `documents`, and with
   * `cache-unusable`.
   */
  firmwareDifference(query: FirmwareDifferenceQuery): Promise<FirmwareDifference>
  /**
   * The default variant and firmware for reading definitions: those of most devices of the product; else the
   * catalogue's first variant and the latest release. `variantType`: already chosen. Rejects with Failed if
   * the catalogue cannot be read.
   */
  defaults(query: ProductId & { readonly variantType: string | null }): Promise<DefinitionDefaults>
  /**
   * Display names and groups of settings: from the cached documents of the fleet's products, then display
   * names from the cached name map. `productIds`: the documents that apply to most devices of these products
   * are read first, from the service if not cached.
   */
  settingNames(query: { readonly productIds: readonly number[] }): Promise<SettingNamesResult>
  /**
   * The definitions of a variant and firmware, for the version in use; unpublished documents are marked. Each
   * document may fail on its own; rejects with Failed if all do, or if no version in use can be determined.
   */
  load(query: DefinitionQuery): Promise<ProductDefinitions>
  /**
   * After a sync: fetches the version in use, the name map and these definitions in the background. Returns
   * how many were fetched or checked; never rejects with Failed.
   */
  warm(options: {
    readonly queries: readonly DefinitionQuery[]
    readonly signal?: AbortSignal | null
  }): Promise<number>
}

export interface DefinitionsDeps {
  readonly metadata: Metadata
  /** Stored values of these settings, of the organization's devices with this product that are not gone. */
  readonly cachedValues: CachedValuesOf
  readonly installed: InstalledPackage
  /** The organization's own definition limit; null: the package's version. */
  readonly versionLimit: string | null
  readonly workbook: Pick<Workbook, 'query' | 'write'>
  readonly clock: Pick<Clock, 'now'>
  /** Of the organization's devices with this product, most frequent first. */
  readonly fleetFirmware: (product: ProductId) => Promise<readonly FleetFirmware[]>
  /** The products of the organization's devices, most frequent first. */
  readonly fleet: () => Promise<readonly DefinitionQuery[]>
  readonly releases: (product: ProductId) => Promise<ReleaseList>
}

export function openDefinitions(deps: DefinitionsDeps): Definitions {
  const { metadata, cachedValues, installed, versionLimit: profile, workbook, clock, fleetFirmware } = deps
  const { fleet, releases } = deps
  const versionLimit = { package: installed, profile }
  const trusted = openTrustedDocuments(workbook)
  const inUse = (ask: Ask): Promise<DefinitionInUse> => findVersionInUse(metadata, versionLimit, ask)

  const loadDefinitions = (query: DefinitionQuery, ask: Ask): Promise<ProductDefinitions> =>
    fetchProductDefinitions(metadata, inUse, query, ask)

  const documents = (
    selection: DocumentSelection,
    kinds: readonly DocumentKind[] | null,
  ): Promise<ReadDocuments> =>
    loadDocuments(
      { metadata, installed, trusted, now: () => clock.now(), inUse: () => inUse({}), defaults },
      selection,
      kinds,
    )

  async function defaults({
    variantType,
    ...product
  }: ProductId & { readonly variantType: string | null }): Promise<DefinitionDefaults> {
    // An empty variant cannot be part of an address (services.md#A6).
    const withVariant = (await fleetFirmware(product)).filter((one) => one.variantType !== '')
    const most = withVariant.find((one) => variantType === null || isVariant(one.variantType, variantType))
    if (most !== undefined)
      return {
        variantType: variantType ?? most.variantType,
        firmwareVersion: most.firmwareVersion,
        fleet: withVariant,
      }
    const list = await publishedReleases(product)
    const variants =
      list?.product.variants.filter((one) => one.productId === product.productId && one.variantType !== '') ??
      []
    const newest = list?.releases.find((one) => one.latest) ?? list?.releases.find((one) => !one.revoked)
    return {
      variantType: variantType ?? variants[0]?.variantType ?? null,
      firmwareVersion: newest?.version ?? null,
      fleet: withVariant,
    }
  }

  async function settingNames(productIds: readonly number[]): Promise<SettingNamesResult> {
    const cached: Ask = { cachedOnly: true }
    const all = await fleet()
    const usual = productIds.flatMap((id) => all.find(({ productId }) => productId === id) ?? [])
    await Promise.all(usual.map((query) => loadOrNull(query, {})))
    const labels = new Map<string, string>()
    const groups = new Map<number, Map<string, string>>()
    for (const query of all) {
      const found = await loadOrNull(query, cached)
      if (found === null) continue
      const { deviceModel, featureModel, properties } = found
      const grouped = groups.get(query.productId) ?? new Map<string, string>()
      for (const title of settingTitlesOf(deviceModel?.raw ?? null, featureModel?.raw ?? null, properties)) {
        const name = foldedName(title.name)
        if (title.label !== null && !labels.has(name)) labels.set(name, title.label)
        if (title.group !== null && !grouped.has(name)) grouped.set(name, title.group)
      }
      if (grouped.size > 0) groups.set(query.productId, grouped)
    }
    for (const [name, label] of await displayNames(metadata, cached))
      if (!labels.has(name)) labels.set(name, label)
    return {
      labels: [...labels],
      groups: [...groups].map(([productId, settings]) => ({ productId, settings: [...settings] })),
    }
  }

  /** null: none of its documents is available. */
  const loadOrNull = (query: DefinitionQuery, ask: Ask): Promise<ProductDefinitions | null> =>
    orNull(loadDefinitions(query, ask))

  /** null: none published. */
  const publishedReleases = (product: ProductId): Promise<ReleaseList | null> =>
    foundOrNull(releases(product))

  async function warm(options: {
    queries: readonly DefinitionQuery[]
    signal?: AbortSignal | null
  }): Promise<number> {
    const ask: Ask = { lane: 'bulk', signal: options.signal ?? null }
    let done = 0
    try {
      await inUse(ask)
      await displayNames(metadata, ask)
      for (const query of options.queries) {
        if (await readable(query, ask)) done++
      }
    } catch (error) {
      if (!(error instanceof Failed)) throw error
    }
    return done
  }

  /**
   * An unreadable document, or an id that no path accepts, skips one product; if the service is unreachable,
   * the rest is skipped.
   */
  async function readable(query: DefinitionQuery, ask: Ask): Promise<boolean> {
    const costsOne = ({ kind }: Failure): boolean =>
      ['unreadable-answer', 'refused', 'invalid'].includes(kind)
    try {
      const { failed } = await loadDefinitions(query, ask)
      const other = failed.find(({ failure }) => !costsOne(failure))
      if (other !== undefined) throw new Failed(other.failure)
      return failed.length === 0
    } catch (error) {
      if (error instanceof Failed && costsOne(error.failure)) return false
      throw error
    }
  }

  return {
    inUse: ({ refresh }) => inUse({ refresh }),
    versions: async ({ refresh }) => {
      const used = await inUse({ refresh })
      return { schemas: await schemaVersions(metadata, used, {}), inUse: used }
    },
    async documents({ selection, kinds }) {
      const found = await documents(selection, kinds)
      return kinds !== null || joseV1IsStated(found) ? found : withoutJoseV1(found)
    },
    async compare({ left, right, kinds }) {
      const both = await Promise.all([documents(left, kinds), documents(right, kinds)])
      const [before, after] =
        kinds !== null || both.some(joseV1IsStated) ? both : [withoutJoseV1(both[0]), withoutJoseV1(both[1])]
      const found = comparisonOf(before, after, { usesAboveLimit: true })
      return {
        ...found,
        left: sideOf(before),
        right: sideOf(after),
        yours: await yoursOf(cachedValues, { left, right }, { left: before, right: after }, found),
      }
    },
    firmwareDifference: (query) => firmwareDifference({ documents, cachedValues }, query),
    defaults,
    settingNames: ({ productIds }) => settingNames(productIds),
    load: (query) => loadDefinitions(query, {}),
    warm,
  }
}

/** Variants compare without regard to case (services.md#A24). */
const isVariant = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase()

export const definitionHandlers = (
  session: () => Promise<{ readonly definitions: Definitions }>,
): Handlers<'definitions'> => ({
  inUse: async (query) => (await session()).definitions.inUse(query),
  versions: async (query) => (await session()).definitions.versions(query),
  documents: async (query) => (await session()).definitions.documents(query),
  compare: async (query) => (await session()).definitions.compare(query),
  firmwareDifference: async (query) => (await session()).definitions.firmwareDifference(query),
  defaults: async (query) => (await session()).definitions.defaults(query),
  settingNames: async (query) => (await session()).definitions.settingNames(query),
  read: async (query) => (await session()).definitions.load(query),
})
