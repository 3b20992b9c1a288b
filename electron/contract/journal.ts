import type { JobDetail } from './api/jobs.ts'
import type { JournalLine } from './api/journal.ts'

export const seenAfterwards = [
  'back-online',
  'did-not-come-back',
  'not-watched',
  'verified',
  'not-reported',
  'applies-later',
] as const satisfies readonly JobDetail[]
export type SeenAfterwards = (typeof seenAfterwards)[number]

/**
 * The last reboot among a room's lines, newest first, if it is newer than the room's record (`observedAt`;
 * null: never read).
 */
export function lastReboot<
  L extends {
    readonly operation: string
    readonly startedAt: number
    readonly endedAt: number | null
    readonly endFoundLater?: true
  },
>(lines: readonly L[], observedAt: number | null): L | null {
  const last = lines.find((line) => line.operation === 'RebootRoom')
  if (!last) return null
  // When the end of a program was noticed says nothing about the room.
  const at = last.endFoundLater ? last.startedAt : (last.endedAt ?? last.startedAt)
  return at > (observedAt ?? -Infinity) ? last : null
}

/** A setting that a line of the journal changed. */
export interface ChangedSetting {
  readonly name: string
  readonly before: string
  readonly after: string
}
/** The details of a settings change; null if the previous and new values are of another kind. */
export function changedSettings({
  before,
  after,
}: Pick<JournalLine, 'before' | 'after'>): readonly ChangedSetting[] | null {
  const [was, is] = [pairs(before), pairs(after)]
  if (!was || !is || was.length !== is.length || was.some(([name], index) => is[index]?.[0] !== name))
    return null
  return was.map(([name, value], index) => ({ name, before: value, after: is[index]?.[1] ?? '' }))
}
/** `name=value; name=value`, as the core writes them. */
function pairs(words: string | null): readonly (readonly [name: string, value: string])[] | null {
  const found = words?.split('; ').map((one) => /^([^=]+)=(.*)$/s.exec(one))
  return found?.every((one) => one !== null) ? found.map((one) => [one[1] ?? '', one[2] ?? '']) : null
}
