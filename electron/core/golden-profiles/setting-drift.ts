import type { DriftState } from '../../contract/golden-profile.ts'
import type { SettingDrift } from '../../contract/api/golden-profiles.ts'
import type { Setting, SettingChange } from '../../contract/api/settings.ts'
import { visibleValue, valueFor } from '../settings/settings.ts'

/** Maximum characters of a displayed value. Raise it if real values are cut. */
const textAtMost = 200

/** The differences between a device's settings and the wanted ones, in the order of the latter. */
export function driftFrom(
  wanted: readonly SettingChange[],
  settings: readonly Setting[],
): readonly SettingDrift[] {
  const byName = new Map(settings.map((setting) => [setting.name, setting]))
  return wanted.flatMap((change) => driftOf(change, byName.get(change.name)) ?? [])
}

/** null: it matches. */
function driftOf(change: SettingChange, setting: Setting | undefined): SettingDrift | null {
  const { name } = change
  if (setting === undefined)
    return { name, reason: 'missing', now: null, wanted: wantedText(change), refused: null }
  const parsed = valueFor(setting, change.value)
  const refused = 'reason' in parsed ? parsed.reason : null
  const common = {
    name,
    ...choiceMark(setting),
    now: currentText(setting),
    wanted: 'reason' in parsed ? wantedText(change) : cut(visibleValue(setting, parsed.value)),
    refused,
  }
  if (setting.value === null) return { ...common, reason: 'no-value' }
  const isSo =
    'reason' in parsed
      ? String(change.value).trim() === String(setting.value)
      : parsed.value === setting.value
  if (!isSo) return { ...common, reason: 'value' }
  if (refused !== null) return { ...common, reason: 'not-allowed' }
  // A missing lock member means unlocked.
  return change.locked === undefined || change.locked === (setting.locked ?? false)
    ? null
    : { ...common, reason: 'lock' }
}

/** Values that the feature model does not allow; settings missing from it allow everything. */
export function notAllowed(settings: readonly Setting[]): readonly SettingDrift[] {
  return settings.flatMap((setting): readonly SettingDrift[] => {
    if (setting.feature === null || setting.value === null || setting.hidden !== undefined) return []
    const parsed = valueFor(setting, setting.value)
    return 'reason' in parsed
      ? [
          {
            name: setting.name,
            ...choiceMark(setting),
            reason: 'not-allowed',
            now: currentText(setting),
            wanted: null,
            refused: parsed.reason,
          },
        ]
      : []
  })
}

export function stateBy(drift: readonly SettingDrift[]): Exclude<DriftState, 'not-read'> {
  if (drift.length === 0) return 'as-wanted'
  return drift.every(({ reason }) => reason === 'missing' || reason === 'no-value')
    ? 'not-available'
    : 'drifted'
}

/**
 * For display, if the kind of the setting is not known from any device. A golden profile contains nothing
 * confidential.
 */
export const wantedText = ({ value }: SettingChange): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : cut(String(value))

const choiceMark = ({ kind }: Setting): Pick<SettingDrift, 'isChoice'> =>
  kind === 'choice' ? { isChoice: true } : {}

const currentText = (setting: Setting): string | null =>
  setting.value === null ? null : cut(visibleValue(setting, setting.value))

const cut = (text: string): string => (text.length > textAtMost ? `${text.slice(0, textAtMost)}…` : text)
