import { Failed } from '../../contract/failure.ts'
import type { FirmwareBundle, ProductId } from '../../contract/api/firmware.ts'
import type {
  Ask,
  DocumentReading,
  Metadata,
  PublishedBundle,
  PublishedRelease,
} from '../metadata/metadata.ts'
import { publishedOrNull } from '../metadata/metadata.ts'
import { compareVersions } from '../lists/version-order.ts'

/** Chosen: bundles whose members are asked for one by one, where the list leaves them out. */
const lookedUpAtMost = 100

/**
 * Every bundle that is published, with its members. Where the list leaves them out, each bundle is asked for itself; one that cannot be
 * had stays without. Rejects with Failed where the list cannot be had.
 */
export async function readBundles(
  metadata: Pick<Metadata, 'firmwareBundles' | 'firmwareBundle'>,
  ask?: Ask,
): Promise<DocumentReading<readonly PublishedBundle[]>> {
  const list = await metadata.firmwareBundles(ask)
  let lookedUp = 0
  let { observedAt, fromCache } = list
  const value: PublishedBundle[] = []
  for (const bundle of list.value) {
    const { group, version } = bundle
    if (bundle.members.length > 0 || group === null || version === null || ++lookedUp > lookedUpAtMost) {
      value.push(bundle)
      continue
    }
    const detail = await ifAny(metadata.firmwareBundle({ group, version }, ask))
    if (detail === null) {
      value.push(bundle)
      continue
    }
    value.push({
      ...bundle,
      members: detail.value.flatMap((one) => one.members),
      raws: [...bundle.raws, ...detail.value.flatMap((one) => one.raws), ...detail.beside()],
    })
    observedAt = Math.min(observedAt, detail.observedAt)
    fromCache = fromCache && detail.fromCache
  }
  return { ...list, value, observedAt, fromCache }
}

/** null: not published, or it cannot be had now. */
export async function ifAny<R>(reading: Promise<R>): Promise<R | null> {
  try {
    return await publishedOrNull(reading)
  } catch (error) {
    if (error instanceof Failed && error.failure.kind !== 'cancelled') return null
    throw error
  }
}

/** A member without a vendor is the product's, whoever's that is. */
export const naming = (bundle: PublishedBundle, { vendorId, productId }: ProductId): boolean =>
  bundle.members.some((one) => one.productId === productId && (one.vendorId ?? vendorId) === vendorId)

/** The releases of a product that bundles hold. */
export const releasesInBundles = (
  bundles: readonly PublishedBundle[],
  { vendorId, productId }: ProductId,
): readonly PublishedRelease[] =>
  bundles.flatMap(({ group, version, name, members }) =>
    members.flatMap((one) =>
      one.productId === productId && (one.vendorId ?? vendorId) === vendorId && one.release !== null
        ? [{ ...one.release, bundle: { group, version, name } }]
        : [],
    ),
  )

/** Whether a bundle is the one a person or a link names, by group or name. */
export const isNamed = (
  bundle: { readonly group: string | null; readonly name: string | null },
  text: string,
): boolean => [bundle.group, bundle.name].some((one) => one?.toLowerCase() === text.trim().toLowerCase())

/**
 * By group, the newest version first. `vendorId`: whose products those are whose vendor a bundle leaves out. `nameOf`: null where a product
 * has no published name.
 */
export const listedBundles = (
  bundles: readonly PublishedBundle[],
  vendorId: number,
  nameOf: (id: ProductId) => string | null,
): readonly FirmwareBundle[] =>
  bundles
    .map(({ group, version, name, members, raws }) => ({
      group,
      version,
      name,
      members: members.map((one) => {
        const id = { vendorId: one.vendorId ?? vendorId, productId: one.productId }
        return { ...id, name: nameOf(id), firmwareVersion: one.release?.version ?? null }
      }),
      stage: members.find((one) => one.release !== null)?.release?.stage ?? null,
      revoked: members.length > 0 && members.every((one) => one.release?.revoked === true),
      raw: raws[0] ?? null,
    }))
    .sort(
      (a, b) =>
        (a.group ?? a.name ?? '').localeCompare(b.group ?? b.name ?? '', 'en') ||
        compareVersions(b.version, a.version),
    )
