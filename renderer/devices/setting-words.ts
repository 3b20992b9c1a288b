import type { Setting } from '../../electron/contract/setting.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../parts/format.ts'

/** The value in a reader's words; null: the service has the setting and no value. Words of the service stay as they came. */
export function valueOf(setting: Setting): string | null {
  const { value } = setting
  if (value === null) return null
  if (typeof value === 'boolean') return text(value ? 'devices.settings.on' : 'devices.settings.off')
  return typeof value === 'number' ? formatCount(value) : value
}

/** What the feature model allows: listed values, or a range; null: it says neither. */
export function allowedOf({ feature, kind }: Setting): string | null {
  if (feature === null) return null
  if (feature.supported.length && kind !== 'on-off') return feature.supported.join(', ')
  const { minimum, maximum } = feature
  if (minimum !== null && maximum !== null) return text('devices.settings.range', { minimum: formatCount(minimum), maximum: formatCount(maximum) })
  if (minimum !== null) return text('devices.settings.atLeast', { minimum: formatCount(minimum) })
  return maximum === null ? null : text('devices.settings.atMost', { maximum: formatCount(maximum) })
}

const has = (words: string | null, typed: string): boolean => words?.toLowerCase().includes(typed) ?? false
export const settingMatches = (setting: Setting, typed: string): boolean =>
  typed === '' || has(setting.name, typed) || has(valueOf(setting), typed) || has(allowedOf(setting), typed)
