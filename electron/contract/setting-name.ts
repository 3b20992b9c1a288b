import { foldedName } from './json.ts'

/** Display names by folded name: of properties, of settings in the management interface, of setting ids. */
export type DisplayNames = ReadonlyMap<string, string>

/** `soundMode`, `SOUND_MODE` and `gatt.batteryLevel` as words: a name nobody published is never made up. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/([0-9])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[A-Z0-9]+$/.test(word) && !/^[A-Z0-9_]+$/.test(name) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}

/** The display name of the first candidate that has one, else the first candidate in words. */
export const labelFrom = (names: DisplayNames, ...candidates: readonly (string | null)[]): string => {
  for (const candidate of candidates) {
    const label = candidate === null ? undefined : names.get(foldedName(candidate))
    if (label !== undefined) return label
  }
  return inWords(candidates[0] ?? '')
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** The order of settings wherever they are listed: by label, equal ones by name. */
export const inSettingOrder =
  (names: DisplayNames) =>
  (a: { readonly name: string }, b: { readonly name: string }): number =>
    collator.compare(labelFrom(names, a.name), labelFrom(names, b.name)) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
