import { Failed } from '../../contract/failure.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Setting, SettingChange } from '../../contract/api/settings.ts'
import { isConfidential, shortened } from '../writes/writes.ts'
import { dots } from './hidden-values.ts'

/** Maximum settings of one request, and the longest text. Raise them if the service accepts more. */
const changesAtMost = 100
const textAtMost = 10_000

export interface CheckedChange {
  readonly setting: Setting
  readonly value: string | number | boolean
  readonly locked: boolean
}

export type ReadValue = { readonly value: string | number | boolean } | { readonly reason: string }

const invalid = (name: string, message: string): Failed => Failed.invalid(`settings.${name}`, message)

/**
 * Changes in the form to be sent: each setting currently exists on the device, its value has the setting's
 * kind and is allowed by the feature model. Throws Failed `invalid` naming the setting.
 */
export function checkedChanges(
  settings: readonly Setting[],
  changes: readonly SettingChange[],
): readonly CheckedChange[] {
  refuseUnusable(changes)
  const byName = new Map(settings.map((setting) => [setting.name, setting]))
  return changes.map((change) => checkedChange(byName.get(change.name), change))
}

/** Throws Failed `invalid` if no device could accept them: none, too many, one twice. */
export function refuseUnusable(changes: readonly SettingChange[]): void {
  if (changes.length === 0) throw Failed.invalid('settings', 'Choose at least one setting.')
  if (changes.length > changesAtMost)
    throw Failed.invalid('settings', `At most ${changesAtMost} settings can be changed at once.`)
  const seen = new Set<string>()
  for (const { name } of changes) {
    if (seen.has(name)) throw invalid(name, 'The setting is named twice.')
    seen.add(name)
  }
}

/**
 * As `changesOf`, for one change. `setting`: the device's setting with that name. Throws Failed `invalid`
 * naming the setting.
 */
export function checkedChange(
  setting: Setting | undefined,
  { name, value, locked }: SettingChange,
): CheckedChange {
  if (setting === undefined) throw invalid(name, 'The device does not have this setting.')
  if (setting.hidden !== undefined && String(value).trim() === dots)
    throw invalid(name, 'The dots replace a hidden value. Type the value itself.')
  // A lock remains unless the change opens it: another client (services.md#B42) sends false and opens it.
  return { setting, value: checkedValue(setting, value), locked: locked ?? setting.locked ?? false }
}

function checkedValue(setting: Setting, typed: SettingChange['value']): string | number | boolean {
  const parsed = valueFor(setting, typed)
  if ('reason' in parsed) throw invalid(setting.name, parsed.reason)
  return parsed.value
}

/**
 * A value in the form that a setting of this kind and feature model accepts, or why it does not accept it.
 * Never throws, because the value is compared with many devices.
 */
export function valueFor(
  { kind, feature }: Pick<Setting, 'kind' | 'feature'>,
  typed: SettingChange['value'],
): ReadValue {
  const text = String(typed).trim()
  switch (kind) {
    case 'on-off': {
      const value = ['true', 'on', '1'].includes(text.toLowerCase())
        ? true
        : ['false', 'off', '0'].includes(text.toLowerCase())
          ? false
          : null
      return value === null ? { reason: 'The value must be on or off.' } : { value }
    }
    case 'choice': {
      const supported = feature?.supported ?? []
      if (supported.length > 0 && !supported.includes(text))
        return { reason: `The value must be one of: ${supported.join(', ')}.` }
      return text === '' ? { reason: 'The value is empty.' } : { value: text }
    }
    case 'number': {
      // services.md#B10: whole numbers, though one may be written 3.0.
      const value = /^-?\d{1,15}(\.0+)?$/.test(text) ? Number(text) : null
      if (value === null) return { reason: 'The value must be a whole number.' }
      const [minimum, maximum] = [feature?.minimum ?? null, feature?.maximum ?? null]
      const outside = (minimum !== null && value < minimum) || (maximum !== null && value > maximum)
      return outside ? { reason: `The value must be ${range(minimum, maximum)}.` } : { value }
    }
    case 'text': {
      const value = String(typed)
      const [minimum, maximum] = [
        feature?.minimum ?? null,
        Math.min(feature?.maximum ?? textAtMost, textAtMost),
      ]
      if (!value.isWellFormed()) return { reason: 'The text contains an incomplete character.' }
      const outside = (minimum !== null && value.length < minimum) || value.length > maximum
      return outside ? { reason: `The text must have ${range(minimum, maximum)} characters.` } : { value }
    }
    case 'unknown':
      return { reason: 'The type of this setting is not known, so it cannot be changed.' }
  }
}

const range = (minimum: number | null, maximum: number | null): string =>
  minimum === null
    ? `at most ${maximum ?? ''}`
    : maximum === null
      ? `at least ${minimum}`
      : `from ${minimum} to ${maximum}`

/**
 * The body of one request for all of them (services.md#B42): all four members for every setting, regardless
 * of its kind; the service uses the matching one. Text that looks like a number remains text, unlike in that
 * client: a door code 0042 is not 42.
 */
export function changeBody(changes: readonly CheckedChange[]): JsonObject {
  const entries = changes.map(({ setting, value, locked }) => {
    const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
    const members = {
      isLocked: locked,
      isOn: text === '1',
      selected: text,
      value: typeof value === 'boolean' ? Number(value) : value,
    }
    return [setting.name, members] as const
  })
  // fromEntries creates an own member even for a name such as __proto__.
  return { settings: Object.fromEntries(entries) }
}

/** For the journal, before and after; possible passwords and codes appear only as changed. */
export function changeTexts(changes: readonly CheckedChange[]): {
  readonly before: string
  readonly after: string
} {
  const words = (of: (change: CheckedChange) => string): string =>
    shortened(changes.map((change) => `${change.setting.name}=${of(change)}`).join('; '))
  return {
    before: words(({ setting }) => visibleValue(setting, setting.value)),
    after: words(({ setting, value }) => visibleValue(setting, value)),
  }
}

/** As displayed; possible passwords and codes are dots. */
export function visibleValue(
  { name, kind }: Pick<Setting, 'name' | 'kind'>,
  value: Setting['value'],
): string {
  if (value === null) return 'not available'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return (kind === 'text' || kind === 'number') && isConfidential(name) ? dots : String(value)
}
