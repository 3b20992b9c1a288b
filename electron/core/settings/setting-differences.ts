import type { Json } from '../../contract/json.ts'
import type { ChangeDraft } from '../changes/changes.ts'
import { shortened } from '../write-gate/write-gate.ts'
import { sameHidden } from './hidden-values.ts'
import { shownValue } from './setting-change.ts'
import { readSetting, settingEntries } from './settings-json.ts'

/**
 * Settings whose value is told in both answers and is another: `name: value` before and after. A setting that only one of them has,
 * or a value that is not told, is no event: other firmware has other settings. What may be a password or a code is dots on both sides.
 */
export function settingDifferences(before: Json, after: Json): readonly ChangeDraft[] {
  const known = new Map(settingEntries(before) ?? [])
  return (settingEntries(after) ?? []).flatMap(([name, entry]): readonly ChangeDraft[] => {
    const old = known.get(name)
    if (old === undefined) return []
    const [was, is] = [told(name, old), told(name, entry)]
    if (was === null || is === null || isSame(was, is)) return []
    return [{ kind: 'setting-changed', before: was.shown, after: is.shown }]
  })
}

interface Told {
  readonly compared: string
  readonly isHidden: boolean
  readonly shown: string
}

/** Digests of different keys say nothing; nor does one beside a value in plain, which an earlier format kept. */
const isSame = (was: Told, is: Told): boolean =>
  was.isHidden || is.isHidden
    ? !(was.isHidden && is.isHidden) || sameHidden(was.compared, is.compared) !== false
    : was.compared === is.compared

/** null: its value is not told, or it is of a kind we do not know and so of no value we could compare. */
function told(name: string, entry: Json): Told | null {
  // Without a feature model: one that was read in between must not look like a change of the device.
  const { kind, value, hidden } = readSetting(name, entry, null)
  if (kind === 'unknown' || value === null) return null
  return {
    compared: hidden ?? String(value),
    isHidden: hidden !== undefined,
    shown: shortened(`${name}: ${shownValue({ name, kind }, value)}`),
  }
}
