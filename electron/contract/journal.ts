import type { JobDetail } from './api/jobs.ts'

export const seenAfterwards = [
  'back-online',
  'did-not-come-back',
  'not-watched',
  'verified',
  'not-reported',
  'applies-later',
] as const satisfies readonly JobDetail[]
export type SeenAfterwards = (typeof seenAfterwards)[number]

/** The last reboot among a room's lines, newest first, when it is newer than the room's record (`observedAt`; null: never read). */
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
  // When it was found that a program had ended says nothing of the room.
  const at = last.endFoundLater ? last.startedAt : (last.endedAt ?? last.startedAt)
  return at > (observedAt ?? -Infinity) ? last : null
}
