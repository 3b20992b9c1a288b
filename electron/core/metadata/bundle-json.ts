import type { Json, JsonObject } from '../../contract/json.ts'
import {
  documentList,
  firstOf,
  idOf,
  memberOf,
  objectOf,
  objectsIn,
  jsonText,
  scalarTextOf,
} from './json-reading.ts'
import { releaseOf, type PublishedRelease } from './release-json.ts'

/** A firmware version of one product inside a bundle. */
interface BundleMember {
  /** null: the record names no vendor. */
  readonly vendorId: number | null
  readonly productId: number
  /**
   * The bundle's data about the product's firmware, including its stage and whether it is revoked; null: the
   * record states no version.
   */
  readonly release: PublishedRelease | null
}

/**
 * One version of a firmware bundle (FirmwareBundle, fields not published): matching versions of several
 * products.
 */
export interface PublishedBundle {
  readonly group: string | null
  readonly version: string | null
  readonly name: string | null
  readonly members: readonly BundleMember[]
  /** Several records, if each names another member or if the bundle was requested separately. */
  readonly raws: readonly Json[]
}

const groupNames = ['firmwareBundleGroupId', 'bundleGroupId', 'groupId', 'entityId', 'id', 'key']
const bundleVersionNames = ['firmwareBundleVersion', 'bundleVersion']
const nestedNames = ['versions', 'bundles', 'firmwareBundles', 'bundleVersions']
/**
 * Search depth: a bundle, its versions, their firmware and a wrapper or two. Raise it if bundles are nested
 * deeper.
 */
const deepest = 6

/**
 * The bundles of a response: a list, also wrapped, groups with their versions inside, or one record. null:
 * neither an object nor a list.
 */
export function firmwareBundlesOf(json: Json): readonly PublishedBundle[] | null {
  const root = objectOf(json)
  const isOne =
    root !== null && [...groupNames, ...bundleVersionNames].some((name) => root[name] !== undefined)
  const list = isOne ? [json] : documentList(json, 'bundles', 'firmwareBundles', 'items', 'value')
  return list === null ? null : merged(list.flatMap((one) => bundlesIn(objectOf(one), null)))
}

function bundlesIn(record: JsonObject | null, within: PublishedBundle | null): readonly PublishedBundle[] {
  if (record === null) return []
  const isMember = productIdOf(record) !== null
  const versions = isMember ? [] : nestedNames.flatMap((name) => objectsIn(memberOf(record, name)))
  const own: PublishedBundle = {
    group: firstOf(record, groupNames, scalarTextOf) ?? within?.group ?? null,
    version: firstOf(
      record,
      isMember ? bundleVersionNames : [...bundleVersionNames, 'version'],
      scalarTextOf,
    ),
    name: firstOf(record, ['name', 'bundleName', 'title', 'displayName'], jsonText) ?? within?.name ?? null,
    members: [],
    raws: [record],
  }
  if (versions.length > 0) return versions.flatMap((one) => bundlesIn(one, own))
  // A revoked bundle, or one that is not for everyone yet, has such members.
  const whole = releaseOf({ ...record, version: own.version ?? '0' })
  return [
    {
      ...own,
      members: membersIn(record, isMember, 0).map((member) =>
        member.release === null
          ? member
          : {
              ...member,
              release: {
                ...member.release,
                revoked: whole?.revoked === true ? true : member.release.revoked,
                stage: member.release.stage ?? whole?.stage ?? null,
                releasedAt: member.release.releasedAt ?? whole?.releasedAt ?? null,
              },
            },
      ),
    },
  ]
}

const productIdOf = (record: JsonObject): number | null =>
  firstOf(record, ['productId', 'usbProductId', 'pid'], idOf)

/** `flat`: the record is a bundle and its only member, so `version` is the bundle's. */
function membersIn(record: JsonObject, flat: boolean, depth: number): readonly BundleMember[] {
  const productId = productIdOf(record)
  if (productId !== null) {
    const vendorId = firstOf(record, ['vendorId', 'usbVendorId', 'vid'], idOf)
    return [{ vendorId, productId, release: memberRelease(record, flat) }]
  }
  return depth >= deepest
    ? []
    : Object.values(record).flatMap((value) =>
        [...objectsIn(value), ...objectsIn([value])].flatMap((one) => membersIn(one, false, depth + 1)),
      )
}

function memberRelease(record: JsonObject, flat: boolean): PublishedRelease | null {
  const { version: _, ...others } = record
  const inside = objectOf(memberOf(record, 'firmware', 'release'))
  const named = firstOf(record, ['firmwareVersion', 'releaseVersion'], scalarTextOf)
  if (named !== null) return releaseOf({ ...others, version: named })
  if (inside !== null) return releaseOf(inside)
  return flat && firstOf(record, bundleVersionNames, scalarTextOf) === null ? null : releaseOf(record)
}

/** Records with the same group and version (one for each member) are one bundle. */
function merged(bundles: readonly PublishedBundle[]): readonly PublishedBundle[] {
  const byKey = new Map<string, PublishedBundle>()
  for (const one of bundles) {
    const key =
      one.group === null && one.name === null
        ? `only ${byKey.size}`
        : JSON.stringify([one.group, one.version, one.name])
    const known = byKey.get(key)
    byKey.set(
      key,
      known === undefined
        ? one
        : {
            ...known,
            members: [...known.members, ...one.members],
            raws: [...known.raws, ...one.raws],
          },
    )
  }
  return [...byKey.values()]
}
