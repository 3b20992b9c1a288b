import type { Json } from '../../contract/json.ts'
import type { ChangeDraft } from '../changes/changes.ts'
import { shortened } from '../writes/writes.ts'
import { mayBeSame } from './hidden-values.ts'
import { visibleValue } from './setting-change.ts'
import { parseSetting, settingEntries } from './settings-json.ts'

/**
 * Settings with different known values in both responses: `name: value` before and after. A setting that only
 * one of them has, or an unknown value, is not an event: other firmware has other settings. Possible
 * passwords and codes are dots on both sides.
 */
export function settingDifferences(before: Json, after: Json): readonly ChangeDraft[] {
  const known = new Map(settingEntries(before) ?? [])
  return (settingEntries(after) ?? []).flatMap(([name, entry]): readonly ChangeDraft[] => {
    const old = known.get(name)
    if (old === undefined) return []
    const [was, is] = [comparableValue(name, old), comparableValue(name, entry)]
    if (was === null || is === null || isSame(was, is)) return []
    return [{ kind: 'setting-changed', before: was.text, after: is.text }]
  })
}

interface ComparableValue {
  readonly compared: string
  readonly isHidden: boolean
  readonly text: string
}

const isSame = (was: ComparableValue, is: ComparableValue): boolean =>
  was.isHidden && is.isHidden ? mayBeSame(was.compared, is.compared) : was.compared === is.compared

/** null: its value is not known, or its kind is unknown, so that its values cannot be compared. */
function comparableValue(name: string, entry: Json): ComparableValue | null {
  // No feature model is used, because a model that was read in between must not look like a change of the
  // device.
  const { kind, value, hidden } = parseSetting(name, entry, null)
  if (kind === 'unknown' || value === null) return null
  return {
    compared: hidden ?? String(value),
    isHidden: hidden !== undefined,
    text: shortened(`${name}: ${visibleValue({ name, kind }, value)}`),
  }
}
