import { Failed, foundOrNull, isKind } from '../../contract/failure.ts'
import type { FirmwareBundle, ProductId } from '../../contract/api/firmware.ts'
import type { Json } from '../../contract/json.ts'
import {
  objectOf,
  type Ask,
  type AddressedDocument,
  type Metadata,
  type PublishedBundle,
  type PublishedRelease,
} from '../metadata/metadata.ts'
import { compareVersions } from '../lists/version-order.ts'

/**
 * Maximum of bundles whose members are read individually, if the list omits them. Raise it if bundles without
 * members appear.
 */
const lookedUpAtMost = 100

type Bundles = AddressedDocument<readonly PublishedBundle[]>
type BundleDocuments = Pick<Metadata, 'firmwareBundles' | 'firmwareBundle'>

/**
 * Every published bundle with its members. If the list omits them, each bundle is read individually; one that
 * cannot be read has no members. With `refresh`, the list is asked again and, of the bundles, those that serve
 * `served`, or all if none does. Rejects with Failed if the list, or a bundle asked again, cannot be read.
 */
export async function fetchBundles(
  metadata: BundleDocuments,
  ask?: Ask,
  served?: ProductId,
): Promise<Bundles> {
  const list = await metadata.firmwareBundles(ask)
  if (ask?.refresh !== true || served === undefined) return withMembers(metadata, list, ask, null)
  const serves = (bundle: PublishedBundle): boolean => naming(bundle, served)
  const serving = await withMembers(metadata, list, ask, serves)
  // A stored bundle may serve it by now.
  return serving.value.some(serves) ? serving : withMembers(metadata, list, ask, () => true)
}

/** `isAskedAgain`: whether a bundle as stored is to be asked again; null: as `ask` says for all. */
async function withMembers(
  metadata: BundleDocuments,
  list: Bundles,
  ask: Ask | undefined,
  isAskedAgain: ((bundle: PublishedBundle) => boolean) | null,
): Promise<Bundles> {
  let lookedUp = 0
  let { observedAt, fromCache } = list
  const value: PublishedBundle[] = []
  for (const bundle of list.value) {
    const { group, version } = bundle
    if (bundle.members.length > 0 || group === null || version === null || ++lookedUp > lookedUpAtMost) {
      value.push(bundle)
      continue
    }
    // The answer is a list, which may contain other versions and groups.
    const membersIn = (detail: Bundles | null) =>
      (detail?.value ?? [])
        .filter(
          (one) =>
            (one.group ?? group).toLowerCase() === group.toLowerCase() &&
            compareVersions(one.version ?? version, version) === 0,
        )
        .flatMap(({ members }) => members)
    const load = (how?: Ask) => metadata.firmwareBundle({ group, version }, how)
    const first = await ifAny(load(isAskedAgain === null ? ask : { ...ask, refresh: false }))
    const isAsked = isAskedAgain?.({ ...bundle, members: membersIn(first) }) === true
    // Unreadable is not the same as "serves the product no longer".
    const detail = isAsked && first?.fromCache !== false ? await foundOrNull(load(ask)) : first
    if (detail === null) {
      value.push(bundle)
      continue
    }
    value.push({
      ...bundle,
      members: membersIn(detail),
      raws: [...bundle.raws, ...detail.value.flatMap((one) => one.raws), ...detail.beside()],
    })
    observedAt = Math.min(observedAt, detail.observedAt)
    if (isAskedAgain === null) fromCache = fromCache && detail.fromCache
    else if (isAsked) fromCache = fromCache || detail.fromCache
  }
  return { ...list, value, observedAt, fromCache }
}

/** null: not published, or unavailable now. */
export async function ifAny<R>(reading: Promise<R>): Promise<R | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Failed && !isKind(error.failure, 'cancelled')) return null
    throw error
  }
}

/** A member without a vendor matches the product of any vendor. */
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

/** Whether a bundle has the group or name that a person or a link gives. */
export const isNamed = (
  bundle: { readonly group: string | null; readonly name: string | null },
  text: string,
): boolean => [bundle.group, bundle.name].some((one) => one?.toLowerCase() === text.trim().toLowerCase())

/** A list or an object with members: single values describe the bundle itself. */
const hasContent = (record: Json): boolean =>
  Object.values(objectOf(record) ?? {}).some(
    (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  )

/**
 * By group, the newest version first. `vendorId`: the vendor of products for which a bundle names none.
 * `nameOf`: null if a product has no published name.
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
      unread: members.length > 0 ? [] : raws.filter(hasContent),
      stage: members.find((one) => one.release !== null)?.release?.stage ?? null,
      revoked: members.length > 0 && members.every((one) => one.release?.revoked === true),
      raw: raws[0] ?? null,
    }))
    .sort(
      (a, b) =>
        (a.group ?? a.name ?? '').localeCompare(b.group ?? b.name ?? '', 'en') ||
        compareVersions(b.version, a.version),
    )
