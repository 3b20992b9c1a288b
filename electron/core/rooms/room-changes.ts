import type { ChangeDraft } from '../changes/changes.ts'
import { isSameWord, type RoomRecord } from '../management/management.ts'

/** The differences between two records of one room. A missing status is not an event. */
export function roomChanges(before: RoomRecord, after: RoomRecord): readonly ChangeDraft[] {
  const drafts: ChangeDraft[] = []
  if (!isSameWord(before.status, after.status) && before.status !== 'unknown' && after.status !== 'unknown') {
    const kind =
      after.status === 'disconnected'
        ? 'went-offline'
        : after.status === 'connected'
          ? 'back-online'
          : 'status-changed'
    drafts.push({ kind, before: before.status, after: after.status })
  }
  if (before.name !== after.name) drafts.push({ kind: 'renamed', before: before.name, after: after.name })
  return drafts
}
