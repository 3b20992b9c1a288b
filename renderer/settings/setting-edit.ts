import type { FeatureSetting } from '../../electron/contract/api/definitions.ts'
import type { Setting, SettingChange } from '../../electron/contract/api/settings.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'

export type SettingValue = SettingChange['value']
/** The data for an editor: of a setting of one device, or of one that many devices have. */
export type Editable = Pick<Setting, 'name' | 'kind' | 'feature'>

/** The technician's change of a setting. It remains until it is sent or undone. */
export interface SettingEdit {
  /** As typed: a number is the text of its field. */
  readonly typed: SettingValue
  /** Whether the lock is to be opened; else it remains unchanged. */
  readonly opensLock: boolean
  /** The value at the start of editing, as displayed. */
  readonly was: Setting['value']
  /** The same as returned by the device; for a hidden value only a digest. */
  readonly original: Setting['value']
}

/** The core's limit for a text without a published one (core/settings). */
const TEXT_AT_MOST = 10_000

/** Why a typed value is invalid, as a sentence; null: valid as far as known here. The core checks again. */
export function problemOf({ kind, feature }: Editable, typed: SettingValue): string | null {
  const words = String(typed)
  if (kind === 'number') {
    if (!/^-?\d{1,15}$/.test(words.trim())) return text('settings.problem.whole')
    return outside(Number(words), feature) ? text('settings.problem.range', limits(feature)) : null
  }
  if (kind === 'choice') {
    if (words.trim() === '') return text('settings.problem.empty')
    return allowsWord(feature, words) ? null : text('settings.problem.notAllowed')
  }
  if (kind !== 'text') return null
  const most = Math.min(feature?.maximum ?? TEXT_AT_MOST, TEXT_AT_MOST)
  if (words.length > most) return text('settings.problem.long', { n: formatCount(words.length - most) })
  return feature?.minimum != null && words.length < feature.minimum
    ? text('settings.problem.short', { n: formatCount(feature.minimum) })
    : null
}

const allowsWord = (feature: FeatureSetting | null, word: string): boolean =>
  feature === null || feature.supported.length === 0 || feature.supported.includes(word.trim())
const outside = (value: number, feature: FeatureSetting | null): boolean =>
  (feature?.minimum != null && value < feature.minimum) ||
  (feature?.maximum != null && value > feature.maximum)
const limits = (feature: FeatureSetting | null): Record<string, string> => ({
  minimum: feature?.minimum == null ? '…' : formatCount(feature.minimum),
  maximum: feature?.maximum == null ? '…' : formatCount(feature.maximum),
})

/** The value to send for the typed text; call it only if there is no problem. */
export function valueToSend(kind: Setting['kind'], typed: SettingValue): SettingValue {
  if (kind === 'number') return Number(String(typed).trim())
  return kind === 'choice' ? String(typed).trim() : typed
}

export const changeOf = (
  { name, kind }: Editable,
  { typed, opensLock }: Pick<SettingEdit, 'typed' | 'opensLock'>,
): SettingChange => ({
  name,
  value: valueToSend(kind, typed),
  ...(opensLock ? { locked: false } : {}),
})

/** A setting without a value cannot get one: it is not available on this device. */
export const mayEdit = ({ kind, value }: Setting): boolean => kind !== 'unknown' && value !== null

export const originalValue = ({ value, hidden }: Setting): Setting['value'] => hidden ?? value

/**
 * The initial text of a field: empty for a hidden value, so that the typed text does not contain the dots.
 */
export const editableValue = ({ value, hidden }: Setting): Setting['value'] =>
  hidden === undefined ? value : ''

/** Whether the edit changes nothing. */
export const isAsItIs = (
  setting: Setting,
  { typed, opensLock }: Pick<SettingEdit, 'typed' | 'opensLock'>,
): boolean => !opensLock && String(typed) === String(editableValue(setting))
