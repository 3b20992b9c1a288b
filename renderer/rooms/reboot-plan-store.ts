import { done, type Outcome } from '../../electron/contract/failure.ts'
import type { JournalLine } from '../../electron/contract/api/journal.ts'
import { api } from '../api.ts'
import type { RebootOutlook } from '../writes/reboot-outlook.ts'

/** Lines of a room that are looked through for its last reboot. Chosen: they name the room itself, so the first is nearly always it. */
const LOOKED_THROUGH = 50

/** The last reboot among a room's lines, newest first, when it is newer than the room's record (`observedAt`; null: never read). */
export function lastReboot(lines: readonly JournalLine[], observedAt: number | null): JournalLine | null {
  const last = lines.find((line) => line.operation === 'RebootRoom')
  if (!last) return null
  // When it was found that a program had ended says nothing of the room.
  const at = last.endFoundLater ? last.startedAt : (last.endedAt ?? last.startedAt)
  return at > (observedAt ?? -Infinity) ? last : null
}

/** Asks who is in the room, and looks into the journal. `id`: the room's own id or a group id of it. Nothing is rebooted. */
export async function readRebootOutlook(id: string): Promise<Outcome<RebootOutlook>> {
  const planned = await api.rooms.rebootPlan({ id })
  if (!planned.ok) return planned
  const plan = planned.value
  const [journal, room] = await Promise.all([
    api.journal.list({ where: '', subjectId: plan.room.id, start: 0, count: LOOKED_THROUGH }),
    api.rooms.get({ id: plan.room.id }),
  ])
  const last = journal.ok ? lastReboot(journal.value.lines, room.ok ? room.value.observedAt : null) : null
  return done({ plan, unanswered: last?.outcome === 'unconfirmed' || last?.outcome === null ? last : null })
}
