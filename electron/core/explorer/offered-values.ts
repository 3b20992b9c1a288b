import type { ExplorerParameter } from '../../contract/api/explorer.ts'
import { orNull } from '../../contract/failure.ts'
import type { Product } from '../../contract/api/firmware.ts'
import type { AssumedValues } from '../../contract/api/organizations.ts'
import { within } from '../pause.ts'
import type { Clock } from '../platform.ts'

type Offered = ExplorerParameter['offered']
/** The suggested values by parameter name. */
export type OfferedValues = () => Promise<(parameter: string) => Offered>

/** The sources of values. Each may reject with Failed; then it suggests nothing. */
export interface ValueSources {
  readonly clock: Clock
  readonly profile: {
    readonly metadataVersion: number
    readonly family: string
    readonly vendorId: number
    readonly assumed: AssumedValues
  }
  readonly products: () => Promise<readonly Product[]>
  readonly buildTypes: () => Promise<
    readonly { readonly name: string; readonly source: 'assumed' | 'seen' }[]
  >
  readonly devices: () => Promise<
    readonly {
      readonly id: string
      readonly groupId: string | null
      readonly variantType: string | null
      readonly firmwareVersion: string | null
    }[]
  >
  readonly schemaVersions: () => Promise<readonly string[]>
  readonly definitionVersions: () => Promise<readonly string[]>
  /** Entity ids of products and variants, and names of bundles. */
  readonly catalogue: () => Promise<
    readonly { readonly entityId: string | null; readonly bundle: string | null }[]
  >
  readonly recoveryIds: () => Promise<readonly number[]>
  readonly bundles: () => Promise<
    readonly { readonly group: string | null; readonly version: string | null }[]
  >
}

/**
 * Longest wait of a page for suggestions, and their maximum number. Change them if pages open slowly or
 * values are missing.
 */
const patienceInMs = 1_500
const offeredAtMost = 200

/** services.md#B34 and services.md#B22. */
const clientTypes: Offered = [
  { value: 'MeetingRoom', source: 'known' },
  { value: 'Personal', source: 'assumed' },
]
const flags: Offered = [
  { value: 'true', source: 'known' },
  { value: 'false', source: 'known' },
]

/** Values that a source returns in time; the page also opens without a connection. */
export const inTime = async <T>(
  clock: Pick<Clock, 'after'>,
  work: Promise<readonly T[]>,
): Promise<readonly T[]> => (await orNull(within(clock, patienceInMs, work))) ?? []

export function openOfferedValues(sources: ValueSources): OfferedValues {
  const { clock, profile } = sources
  /**
   * The values of these enumerations are not published (services.md#A33): those of the profile are
   * suggested, and any other can be typed.
   */
  const assumed: Readonly<Record<string, readonly string[]>> = {
    platformOs: profile.assumed.platforms,
    agentType: profile.assumed.agentTypes,
    buildType: profile.assumed.buildTypes,
  }
  const soon = <T>(work: Promise<readonly T[]>): Promise<readonly T[]> => inTime(clock, work)

  return async () => {
    const [products, buildTypes, devices, schemas, definitions, recovery, bundles, catalogue] =
      await Promise.all([
        soon(sources.products()),
        soon(sources.buildTypes()),
        soon(sources.devices()),
        soon(sources.schemaVersions()),
        soon(sources.definitionVersions()),
        soon(sources.recoveryIds()),
        soon(sources.bundles()),
        soon(sources.catalogue()),
      ])
    const values: Readonly<Record<string, Offered>> = {
      apiVersion: known([profile.metadataVersion]),
      sdk: known([profile.family]),
      vendorId: known([profile.vendorId, ...products.map((one) => one.vendorId)]),
      productId: known(products.map((one) => one.productId)),
      variantType: known(
        oneSpelling([
          ...products.flatMap((one) => one.variants.map((variant) => variant.variantType)),
          ...devices.map((one) => one.variantType),
        ]),
      ),
      firmwareVersion: known([
        ...devices.map((one) => one.firmwareVersion),
        ...products.map((one) => one.latestVersion),
      ]),
      schemaVersion: known(schemas),
      definitionVersion: known(definitions),
      dfuProductId: known(recovery),
      entityId: known(catalogue.map((one) => one.entityId)),
      productGroupBundleName: known(catalogue.map((one) => one.bundle)),
      firmwareBundleGroupId: known(bundles.map((one) => one.group)),
      firmwareBundleVersion: known(bundles.map((one) => one.version)),
      groupId: known(devices.map((one) => one.groupId)),
      deviceId: known(devices.map((one) => one.id)),
      buildType: [
        ...known(buildTypes.filter(({ source }) => source === 'seen').map(({ name }) => name)),
        ...buildTypes
          .filter(({ source }) => source === 'assumed')
          .map(({ name }) => ({ value: name, source: 'assumed' }) as const),
      ],
      deviceClientType: clientTypes,
      DeviceClientType: clientTypes,
      sortDescending: flags,
      // Recommended (services.md#B32).
      pageSize: known([100]),
      PageSize: known([100]),
    }
    return (parameter) => {
      const found = Object.hasOwn(values, parameter) ? (values[parameter] ?? []) : []
      if (found.length > 0) return found
      return Object.hasOwn(assumed, parameter)
        ? (assumed[parameter] ?? []).map((value) => ({ value, source: 'assumed' }))
        : []
    }
  }
}

/**
 * The first spelling of each, because the services write variants in upper or lower case (services.md#A24).
 */
const oneSpelling = (values: readonly (string | null)[]): readonly string[] => [
  ...new Map(
    values
      .flatMap((value) => (value === null ? [] : [[value.trim().toLowerCase(), value] as const]))
      .toReversed(),
  ).values(),
]

const known = (values: readonly (string | number | null)[]): Offered =>
  [...new Set(values.flatMap((value) => (value === null || value === '' ? [] : [String(value)])))]
    .slice(0, offeredAtMost)
    .map((value) => ({ value, source: 'known' }))
