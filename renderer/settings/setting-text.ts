import type { Setting, SettingSummary } from '../../electron/contract/api/settings.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { useSettingNames } from './setting-names-store.ts'

/**
 * A value as readable text; null: the service has the setting and no value. Values of the service are shown
 * as received.
 */
export function wordOf(value: Setting['value']): string | null {
  if (value === null) return null
  if (typeof value === 'boolean') return text(value ? 'settings.on' : 'settings.off')
  return typeof value === 'number' ? formatCount(value) : value
}
export const valueOf = (setting: Setting): string | null => wordOf(setting.value)
/** For a sentence, in which an empty value must have a text too. */
export const saidValue = (value: Setting['value']): string => wordOf(value) ?? text('settings.notAvailable')

/**
 * The allowed values of the feature model: listed values, a range, or lengths of a text; null: not stated.
 */
export function allowedOf({ feature, kind }: Pick<Setting, 'feature' | 'kind'>): string | null {
  if (feature === null) return null
  if (feature.supported.length && kind !== 'on-off') return feature.supported.join(', ')
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

export const settingOverMatches = ({ name, products, values }: SettingSummary, typed: string): boolean =>
  typed === '' ||
  nameMatches(name, typed) ||
  products.some((product) => has(product, typed)) ||
  values.some((value) => has(wordOf(value), typed))
