import type { JobWork } from '../../contract/api/jobs.ts'
import type { SettingChange } from '../../contract/api/settings.ts'
import { isConfidential } from '../writes/writes.ts'

const dots = '•••'
const hides = ({ name, value }: SettingChange): boolean => typeof value !== 'boolean' && isConfidential(name)
const hidden = (changes: readonly SettingChange[]): readonly SettingChange[] =>
  changes.map((change) => (hides(change) ? { ...change, value: dots } : change))

/** The changes as a job shows them: possible passwords and codes are dots. */
export const visibleChanges = (work: JobWork): readonly SettingChange[] =>
  work.kind === 'change-settings' ? hidden(work.changes) : []

/**
 * The data of a job whose items can neither be retried nor checked: its passwords are no longer needed. null:
 * it has none.
 */
export const withoutConfidential = (work: JobWork): JobWork | null =>
  work.kind === 'change-settings' && work.changes.some(hides)
    ? { ...work, changes: hidden(work.changes) }
    : null
