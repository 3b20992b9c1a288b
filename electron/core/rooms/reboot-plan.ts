import { Failed } from '../../contract/failure.ts'
import { lastReboot } from '../../contract/journal.ts'
import type { RebootPlan, UnansweredReboot } from '../../contract/api/writes.ts'
import type { CallBudget } from '../call-budget/call-budget.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../platform.ts'
import { callCost, type WriteGate } from '../write-gate/write-gate.ts'
import { rebootProblem, type RoomNow } from './room-now.ts'
import type { Rooms } from './rooms.ts'

/** What a reboot of one room would take down. `id`: the room's own, or a group id. Rejects with Failed. */
export type RebootPlanner = (id: string) => Promise<RebootPlan>

export interface RebootPlannerOptions {
  readonly readRoom: (id: string) => Promise<RoomNow>
  readonly unanswered: (id: string) => Promise<UnansweredReboot | null>
  readonly gate: Pick<WriteGate, 'earliest' | 'lock'>
  readonly budget: Pick<CallBudget, 'state'>
  readonly clock: Clock
}

/** Reads the room and reboots nothing: for looking, at a prompt and in the Explorer. A reboot is a job (`jobs/`). */
export const rebootPlanner =
  ({ readRoom, unanswered, gate, budget, clock }: RebootPlannerOptions): RebootPlanner =>
  async (id) => {
    // Before the room is read: a ledger that cannot be used lets no reboot through.
    await gate.earliest([])
    const last = await unanswered(id)
    const room = await readRoom(id)
    const devices = room.devices ?? []
    return {
      room: { id: room.id, name: room.name },
      devices,
      earliestAt: devices.length === 0 ? null : await gate.earliest(devices.map((device) => device.id)),
      cost: callCost(room.calls + 1, budget.state(), clock.now()),
      problem: rebootProblem(room.devices),
      lock: gate.lock(),
      unanswered: last,
    }
  }

/** Lines of a room that are looked through for its last reboot. Chosen: they name the room itself, so the first is nearly always it. */
const lookedThrough = 50
export interface UnansweredParts {
  readonly organizationId: string
  readonly rooms: Pick<Rooms, 'find'>
  readonly journal: Pick<Journal, 'list'>
}

/** The last reboot of a room, when nobody knows how it ended and the room was not refreshed since. */
export async function unansweredReboot(
  { organizationId, rooms, journal }: UnansweredParts,
  id: string,
): Promise<UnansweredReboot | null> {
  const known = await rooms.find(organizationId, id).catch((error: unknown) => {
    // A room that no sync has met may be read by a group id; nothing was written to it.
    if (error instanceof Failed && error.failure.kind === 'not-found') return null
    throw error
  })
  if (known === null) return null
  const query = { where: '', subjectId: known.id, start: 0, count: lookedThrough }
  const { lines } = await journal.list(organizationId, query)
  const last = lastReboot(lines, known.observedAt)
  if (last === null || (last.outcome !== 'unconfirmed' && last.outcome !== null)) return null
  return { startedAt: last.startedAt, outcome: last.outcome }
}
