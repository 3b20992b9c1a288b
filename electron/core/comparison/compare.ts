import type {
  ComparedDevice,
  ComparedFact,
  ComparedPair,
  ComparedRow,
  ComparedSide,
  ComparedValue,
  Comparison,
  LikeA,
  StaysBecause,
} from '../../contract/api/comparison.ts'
import { comparedFacts } from '../../contract/api/comparison.ts'
import type { Setting } from '../../contract/api/settings.ts'
import { formFactorOf, formFactors, type FormFactor } from '../../contract/form-factor.ts'
import { compareVersions } from '../lists/version-order.ts'
import { mayBeSame, valueFor } from '../settings/settings.ts'

/** A device with its stored settings; null: they were not read. */
export interface DeviceToCompare extends Omit<ComparedDevice, 'settingsReadAt'> {
  readonly settings: { readonly settings: readonly Setting[]; readonly observedAt: number } | null
  /** When its firmware version was stated. */
  readonly firmwareAt: number
}

export interface SideToCompare extends Omit<ComparedSide, 'devices'> {
  readonly devices: readonly DeviceToCompare[] | null
  /** null: the side is a device. */
  readonly facts: Readonly<Record<ComparedFact, string | number | null>> | null
}

/** Whether the organization's profile has the addresses for a change. */
export interface Possible {
  readonly update: boolean
  readonly set: boolean
}

/** In the order of a room: what is on the wall, on the table and at the door, then the others. */
const roleOrder: readonly FormFactor[] = ['video-bar', 'camera', 'speakerphone', 'controller', 'panel']
const rankOf = (role: FormFactor): number => {
  const rank = roleOrder.indexOf(role)
  return rank === -1 ? roleOrder.length + formFactors.indexOf(role) : rank
}
const roleOf = ({ productName, name }: Pick<ComparedDevice, 'productName' | 'name'>): FormFactor =>
  formFactorOf(productName ?? name)

const none: ComparedValue = { state: 'none', value: null, locked: false, readAt: null }
const known = (value: Setting['value'], readAt: number, locked = false): ComparedValue => ({
  state: 'known',
  value,
  locked,
  readAt,
})
const unknown = (readAt: number | null): ComparedValue => ({ ...none, state: 'unknown', readAt })
const stated = (value: string | number | null, readAt: number): ComparedValue =>
  value === null ? unknown(readAt) : known(value, readAt)

type RowOf = Pick<ComparedRow, 'what' | 'name' | 'a' | 'b'>
const same = (row: RowOf): ComparedRow => ({ ...row, verdict: 'same', change: null, stays: null })
const notKnown = (row: RowOf): ComparedRow => ({ ...row, verdict: 'unknown', change: null, stays: null })
const stays = (row: RowOf, because: StaysBecause, why: string | null = null): ComparedRow => ({
  ...row,
  verdict: 'different',
  change: null,
  stays: { because, why },
})
const changes = (row: RowOf, change: LikeA): ComparedRow => ({
  ...row,
  verdict: 'different',
  change,
  stays: null,
})

/**
 * Devices of one role in pairs, those of the same product first, in a stable order. The others have no
 * counterpart.
 */
function pairsOf(
  left: readonly DeviceToCompare[],
  right: readonly DeviceToCompare[],
): readonly (readonly [DeviceToCompare | null, DeviceToCompare | null])[] {
  const free = new Set(right.toSorted(byName))
  const partners = new Map<DeviceToCompare, DeviceToCompare>()
  const waiting = left.toSorted(byName)
  for (const matches of [isSameProduct, () => true])
    for (const device of waiting) {
      const partner = partners.has(device) ? undefined : [...free].find((one) => matches(device, one))
      if (partner === undefined) continue
      partners.set(device, partner)
      free.delete(partner)
    }
  const paired = waiting.map((device) => [device, partners.get(device) ?? null] as const)
  return [
    ...paired.filter(([, partner]) => partner !== null),
    ...paired.filter(([, partner]) => partner === null),
    ...[...free].map((device) => [null, device] as const),
  ]
}
const byName = (one: DeviceToCompare, other: DeviceToCompare): number =>
  compareText(one.productName ?? '', other.productName ?? '') ||
  compareText(one.name, other.name) ||
  compareText(one.id, other.id)
const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
type OfProduct = Pick<DeviceToCompare, 'productId'>
/** null: not known, as for a device that only its room names. */
const sameProduct = (one: OfProduct, other: OfProduct): boolean | null =>
  one.productId === null || other.productId === null ? null : one.productId === other.productId
const isSameProduct = (one: OfProduct, other: OfProduct): boolean => sameProduct(one, other) === true

/** The differences between two rooms, or two devices, and what would make B like A. Pure: sends and reads nothing. */
export function compareSides(a: SideToCompare, b: SideToCompare, possible: Possible): Comparison {
  const pairs = inRoles(a, b).map(([role, left, right]) => comparedPair(role, left, right, possible))
  const facts = factRows(a, b)
  const rows = [...pairs.flatMap((pair) => pair.rows), ...facts]
  const count = (verdict: ComparedRow['verdict']): number =>
    rows.filter((row) => row.verdict === verdict).length
  return {
    a: sideOf(a),
    b: sideOf(b),
    pairs,
    facts,
    counts: { different: count('different'), unknown: count('unknown'), same: count('same') },
  }
}

function inRoles(
  a: SideToCompare,
  b: SideToCompare,
): readonly (readonly [FormFactor, DeviceToCompare | null, DeviceToCompare | null])[] {
  const [left, right] = [a.devices ?? [], b.devices ?? []]
  // Two devices are compared with each other, whatever they are.
  if (a.room === null && left[0] !== undefined && right[0] !== undefined)
    return [[roleOf(left[0]), left[0], right[0]]]
  const [ofA, ofB] = [Map.groupBy(left, roleOf), Map.groupBy(right, roleOf)]
  return [...new Set([...ofA.keys(), ...ofB.keys()])]
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .flatMap((role) =>
      // Devices of a room that is not known are not missing.
      a.devices === null || b.devices === null
        ? []
        : pairsOf(ofA.get(role) ?? [], ofB.get(role) ?? []).map((pair) => [role, ...pair] as const),
    )
}

function comparedPair(
  role: FormFactor,
  a: DeviceToCompare | null,
  b: DeviceToCompare | null,
  possible: Possible,
): ComparedPair {
  const rows = a !== null && b !== null ? pairRows(a, b, possible) : loneRows(a, b)
  return { role, a: a && deviceOf(a), b: b && deviceOf(b), rows }
}

const loneRows = (a: DeviceToCompare | null, b: DeviceToCompare | null): readonly ComparedRow[] => {
  const value = (device: DeviceToCompare | null): ComparedValue =>
    device === null ? none : known(device.productName ?? device.name, device.observedAt)
  return [
    stays(
      { what: 'device', name: '', a: value(a), b: value(b) },
      b === null ? 'missing-device' : 'extra-device',
    ),
  ]
}

function pairRows(a: DeviceToCompare, b: DeviceToCompare, possible: Possible): readonly ComparedRow[] {
  const isSame = sameProduct(a, b)
  const product: RowOf = {
    what: 'product',
    name: '',
    a: stated(a.productName, a.observedAt),
    b: stated(b.productName, b.observedAt),
  }
  return [
    ...(isSame === null ? [notKnown(product)] : isSame ? [] : [stays(product, 'another-product')]),
    firmwareRow(a, b, isSame, possible),
    ...settingRows(a, b, isSame, possible),
  ]
}

function firmwareRow(
  a: DeviceToCompare,
  b: DeviceToCompare,
  isSame: boolean | null,
  possible: Possible,
): ComparedRow {
  const row: RowOf = {
    what: 'firmware',
    name: '',
    a: stated(a.firmwareVersion, a.firmwareAt),
    b: stated(b.firmwareVersion, b.firmwareAt),
  }
  if (a.firmwareVersion === null || b.firmwareVersion === null) return notKnown(row)
  const order = compareVersions(a.firmwareVersion, b.firmwareVersion)
  if (order === 0) return same(row)
  if (isSame === false) return stays(row, 'another-product')
  if (!b.listed || b.gone) return stays(row, 'unlisted')
  if (isSame === null) return notKnown(row)
  if (a.firmware.word === 'revoked') return stays(row, 'revoked')
  if (order < 0) return stays(row, 'downgrade')
  return possible.update
    ? changes(row, { kind: 'update', version: a.firmwareVersion })
    : stays(row, 'not-published')
}

function settingRows(
  a: DeviceToCompare,
  b: DeviceToCompare,
  isSame: boolean | null,
  possible: Possible,
): readonly ComparedRow[] {
  if (a.settings === null || b.settings === null) {
    const value = ({ settings }: DeviceToCompare): ComparedValue =>
      settings === null ? unknown(null) : known(settings.settings.length, settings.observedAt)
    return [notKnown({ what: 'settings', name: '', a: value(a), b: value(b) })]
  }
  const [ofA, ofB] = [a.settings, b.settings].map(
    ({ settings }) => new Map(settings.map((setting) => [setting.name, setting])),
  )
  const [readA, readB] = [a.settings.observedAt, b.settings.observedAt]
  const names = [...new Set([...(ofA?.keys() ?? []), ...(ofB?.keys() ?? [])])]
  return names.flatMap((name) => {
    const [left, right] = [ofA?.get(name), ofB?.get(name)]
    // Another product has other settings.
    if (isSame === false && (left === undefined || right === undefined)) return []
    const row: RowOf = { what: 'setting', name, a: settingValue(left, readA), b: settingValue(right, readB) }
    const isAlike = left !== undefined && right !== undefined ? equal(left, right) : false
    if (isAlike === null) return [notKnown(row)]
    if (isAlike) return [same(row)]
    return [differentSetting(row, left, right, { isSame, isListed: b.listed && !b.gone, possible })]
  })
}

const settingValue = (setting: Setting | undefined, readAt: number): ComparedValue =>
  setting === undefined ? { ...none, readAt } : known(setting.value, readAt, setting.locked ?? false)

/** null: the values cannot be compared. */
function equal(a: Setting, b: Setting): boolean | null {
  if (a.kind === 'unknown' || b.kind === 'unknown') return null
  if ((a.locked ?? false) !== (b.locked ?? false)) return false
  if (a.hidden === undefined || b.hidden === undefined) return a.value === b.value
  if (a.hidden === b.hidden) return true
  return mayBeSame(a.hidden, b.hidden) ? null : false
}

function differentSetting(
  row: RowOf,
  a: Setting | undefined,
  b: Setting | undefined,
  on: { readonly isSame: boolean | null; readonly isListed: boolean; readonly possible: Possible },
): ComparedRow {
  if (on.isSame === null) return notKnown(row)
  if (!on.isSame) return stays(row, 'another-product')
  if (a === undefined || a.value === null) return stays(row, 'only-b')
  if (b === undefined) return stays(row, 'absent')
  if (a.hidden !== undefined || b.hidden !== undefined) return stays(row, 'confidential')
  if (!on.isListed) return stays(row, 'unlisted')
  if (!on.possible.set) return stays(row, 'not-published')
  const parsed = valueFor(b, a.value)
  if ('reason' in parsed) return stays(row, 'not-allowed', parsed.reason)
  const isLocked = a.locked ?? false
  return changes(row, {
    kind: 'set',
    change: {
      name: row.name,
      value: parsed.value,
      ...(isLocked === (b.locked ?? false) ? {} : { locked: isLocked }),
    },
  })
}

function factRows(a: SideToCompare, b: SideToCompare): readonly ComparedRow[] {
  return comparedFacts.flatMap((name) => {
    if (a.facts === null || b.facts === null) return []
    const [left, right] = [a.facts[name], b.facts[name]]
    const row: RowOf = {
      what: 'fact',
      name,
      a: stated(left, a.observedAt),
      b: stated(right, b.observedAt),
    }
    // What neither record states is no line.
    if (left === null && right === null) return []
    if (left === null || right === null) return [notKnown(row)]
    return [left === right ? same(row) : stays(row, 'room-fact')]
  })
}

const deviceOf = ({ settings, firmwareAt: _, ...device }: DeviceToCompare): ComparedDevice => ({
  ...device,
  settingsReadAt: settings?.observedAt ?? null,
})
const sideOf = ({ facts: _, devices, ...side }: SideToCompare): ComparedSide => ({
  ...side,
  devices: devices?.map(deviceOf) ?? null,
})
