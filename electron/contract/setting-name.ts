import { foldedName } from './json.ts'
import { byNameOrder } from './name-order.ts'

/** Display names by folded name: of properties, of settings in the management interface, of setting ids. */
export type DisplayNames = ReadonlyMap<string, string>

/** Of names in the definitions package. */
const abbreviation =
  /^(anc|crc|dect|dfu|dsp|gatt|gnp|hdr|hid|id|ip|led|mac|nfmi|ok|pc|ptz|rssi|sku|ssid|usb|wlan)$/i

/**
 * `soundMode`, `SOUND_MODE` and `gatt.batteryLevel` split into words: names that are not published are never
 * invented.
 */
export function spacedName(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([0-9])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const isInCapitals = /^[A-Z0-9]+$/.test(word) && !/^[A-Z0-9_]+$/.test(name)
      return isInCapitals ? word : abbreviation.test(word) ? word.toUpperCase() : word.toLowerCase()
    })
    .join(' ')
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The display name of the first candidate that has one, else the words of the first candidate. */
export const labelFrom = (names: DisplayNames, ...candidates: readonly (string | null)[]): string => {
  for (const candidate of candidates) {
    const label = candidate === null ? undefined : names.get(foldedName(candidate))
    if (label !== undefined) return label
  }
  return spacedName(candidates[0] ?? '')
}

/** Names of settings, and their groups by product. Names are folded. */
export interface SettingNames {
  readonly labels: DisplayNames
  /** Groups by product id, the product with most devices first. A product whose documents have no groups is missing. */
  readonly groups: ReadonlyMap<number, DisplayNames>
}
/** The same as plain JSON, for the result of a method. */
export interface SettingNamesResult {
  readonly labels: readonly (readonly [name: string, label: string])[]
  readonly groups: readonly {
    readonly productId: number
    readonly settings: readonly (readonly [name: string, group: string])[]
  }[]
}

/**
 * Maximum of products whose documents are read for one call: three documents each. Raise it if names are
 * missing in large fleets.
 */
export const namedAtOnce = 20

export const noSettingNames: SettingNames = { labels: new Map(), groups: new Map() }

export const settingNamesIn = ({ labels, groups }: SettingNamesResult): SettingNames => ({
  labels: new Map(labels),
  groups: new Map(groups.map(({ productId, settings }) => [productId, new Map(settings)])),
})

/** `productIds` missing: the groups of any product. null: no product groups it. */
export function groupFrom(
  { groups }: SettingNames,
  name: string,
  productIds: Iterable<number> = groups.keys(),
): string | null {
  for (const id of productIds) {
    const group = groups.get(id)?.get(foldedName(name))
    if (group !== undefined) return group
  }
  return null
}

/** Settings in the order used everywhere: by group, those without one last, then by label, then by name. */
export function inSettingOrder<T extends { readonly name: string }>(
  names: SettingNames,
  settings: readonly T[],
  productIds?: readonly number[],
): readonly T[] {
  const keyed = settings.map((setting) => ({
    setting,
    group: groupFrom(names, setting.name, productIds),
    label: labelFrom(names.labels, setting.name),
  }))
  const byGroup = (a: string | null, b: string | null): number =>
    a === null || b === null ? Number(a === null) - Number(b === null) : byNameOrder(a, b)
  return keyed
    .toSorted(
      (a, b) =>
        byGroup(a.group, b.group) ||
        byNameOrder(a.label, b.label) ||
        (a.setting.name < b.setting.name ? -1 : a.setting.name > b.setting.name ? 1 : 0),
    )
    .map(({ setting }) => setting)
}
