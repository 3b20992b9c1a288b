import type { Setting, SettingSummary } from '../../electron/contract/api/settings.ts'
import { spacedName } from '../../electron/contract/setting-name.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { useSettingNames } from './setting-names-store.ts'

const units: Readonly<Record<string, string>> = { deg: '°', '': '' }
/** `minus3dB` as `−3 dB`, `_140deg` as `140°`, and whether it has a unit; null: any other value. */
function measured(value: string): { readonly words: string; readonly hasUnit: boolean } | null {
  const found = /^(minus|plus|_)(\d+(?:\.\d+)?)([A-Za-z%]*)$/.exec(value)
  if (found === null) return null
  const [, sign, digits = '', unit = ''] = found
  return {
    words: `${sign === 'minus' ? '−' : sign === 'plus' ? '+' : ''}${digits}${units[unit] ?? ` ${unit}`}`,
    hasUnit: unit !== '',
  }
}
/** The value of a choice as people read it: measured, or `fullScreen` as `full screen`. Any other value as received. */
export function valueWords(value: string): string {
  const found = measured(value)
  if (found !== null) return found.words
  return /^[a-z]{2,}(?:[A-Z][a-z]+)+$|^[A-Z]+(?:_[A-Z]+)+$/.test(value)
    ? spacedName(value).toLowerCase()
    : value
}

/**
 * A value in plans, jobs and the journal, which do not say of what kind the setting is: it may be a typed text, such as `ROOM_A`, so only
 * a measured value with its unit is put into words.
 */
export function valueOfAnyKind(value: string): string {
  const found = measured(value)
  return found?.hasUnit ? found.words : value
}

/** A value as readable text, typed text as received; null: the service has the setting and no value. */
export function wordOf(value: Setting['value'], kind?: Setting['kind']): string | null {
  if (value === null) return null
  if (typeof value === 'boolean') return text(value ? 'settings.on' : 'settings.off')
  if (typeof value === 'number') return formatCount(value)
  if (kind === 'text') return value
  return kind === 'choice' ? valueWords(value) : valueOfAnyKind(value)
}
export const valueOf = (setting: Setting): string | null => wordOf(setting.value, setting.kind)
/** For a sentence, in which an empty value must have a text too. */
export const saidValue = (value: Setting['value'], { kind }: Pick<Setting, 'kind'>): string =>
  wordOf(value, kind) ?? text('settings.notAvailable')

/**
 * The allowed values of the feature model: listed values, a range, or lengths of a text; null: not stated.
 */
export function allowedOf({ feature, kind }: Pick<Setting, 'feature' | 'kind'>): string | null {
  if (feature === null) return null
  if (feature.supported.length && kind !== 'on-off') return feature.supported.map(valueWords).join(', ')
  const { minimum, maximum } = feature
  const key = (name: string): string => `settings.${kind === 'text' ? 'length' : 'range'}.${name}`
  if (minimum !== null && maximum !== null)
    return text(key('between'), { minimum: formatCount(minimum), maximum: formatCount(maximum) })
  if (minimum !== null) return text(key('atLeast'), { minimum: formatCount(minimum) })
  return maximum === null ? null : text(key('atMost'), { maximum: formatCount(maximum) })
}

const has = (words: string | null, typed: string): boolean => words?.toLowerCase().includes(typed) ?? false
/** Whether a setting is found by its label or its name. */
export const nameMatches = (name: string, typed: string): boolean =>
  has(useSettingNames().labelOf(name), typed) || has(name, typed)
export const settingMatches = (setting: Setting, typed: string): boolean =>
  typed === '' ||
  nameMatches(setting.name, typed) ||
  has(valueOf(setting), typed) ||
  has(allowedOf(setting), typed)

export const settingOverMatches = (
  { name, kind, products, values }: SettingSummary,
  typed: string,
): boolean =>
  typed === '' ||
  nameMatches(name, typed) ||
  products.some((product) => has(product, typed)) ||
  values.some((value) => has(wordOf(value, kind), typed))

/**
 * `Hybrid ×14, Blend ×8, unknown ×3`, with the words of a choice; null: nothing was counted. `unread`: devices whose settings were not
 * read at all: `Hybrid · 2 of 25 read`.
 */
export function countsText({ counts, kind, devices }: SettingSummary, unread: number): string | null {
  if (counts === null || counts.devices === 0) return null
  const word = (value: Setting['value']): string | null => wordOf(value, kind)
  const [first] = counts.values
  const unknown = devices - counts.devices - unread
  if (counts.different === 1 && unread + unknown <= 0 && first !== undefined)
    return text('settings.bulk.everywhere', { value: word(first.value) })
  const isEachItsOwn = kind === 'text' && counts.different === counts.devices && counts.different > 1
  const values =
    counts.different === 1 && unknown <= 0 && first !== undefined
      ? [word(first.value)]
      : isEachItsOwn || counts.different > counts.values.length
        ? [text('settings.bulk.different', { n: formatCount(counts.different) })]
        : counts.values.map(({ value, devices: n }) =>
            text('settings.bulk.valueOn', { value: word(value), n: formatCount(n) }),
          )
  const said = [
    ...values,
    ...(unknown > 0 ? [text('settings.bulk.unknownOn', { n: formatCount(unknown) })] : []),
  ].join(', ')
  return unread > 0
    ? text('settings.bulk.ofRead', {
        values: said,
        n: formatCount(devices - unread),
        all: formatCount(devices),
      })
    : said
}

/** `changes on 14, already on 8, unknown on 3`, of the known values; null: not all of them are counted. */
export function effectText(
  { counts, devices }: SettingSummary,
  value: string | number | boolean,
): string | null {
  if (counts === null || counts.different > counts.values.length) return null
  const same = counts.values.find((one) => one.value === value)?.devices ?? 0
  const parts = { change: counts.devices - same, have: same, unknown: devices - counts.devices }
  return (['change', 'have', 'unknown'] as const)
    .flatMap((key) =>
      parts[key] > 0 ? [text(`settings.bulk.effect.${key}`, { n: formatCount(parts[key]) })] : [],
    )
    .join(', ')
}
