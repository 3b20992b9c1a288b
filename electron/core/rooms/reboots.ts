import { Failed } from '../../contract/failure.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import type { RoomDevice } from '../../contract/api/rooms.ts'
import type { RebootPlan, RebootRequest, WriteReport } from '../../contract/api/writes.ts'
import type { CallBudget } from '../call-budget/call-budget.ts'
import type { Clock } from '../platform.ts'
import type { Management } from '../management/management.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import { callCost, type WriteGate } from '../write-gate/write-gate.ts'
import { readRoomNow, rebootProblem, rebootRequest, standingOf, type RoomNow } from './room-now.ts'
import type { Rooms } from './rooms.ts'

/** Reboots of whole rooms, one by one: what one would do, and doing it. Many at once are a job. Rejects with Failed. */
export interface Reboots {
  /** Reads the room again. `id`: the room's own, or a group id. */
  plan(id: string): Promise<RebootPlan>
  /**
   * Reads the room again for its members, takes all their slots, and sends one request that is never repeated. Rejects with Failed
   * before anything is sent: `writes-locked`, `not-found`, `invalid` (members unknown, nothing online), or what befell the reading.
   */
  reboot(request: RebootRequest): Promise<WriteReport>
}

export interface RebootOptions {
  readonly organization: Pick<Organization, 'id' | 'rebootBy'>
  readonly rooms: Pick<Rooms, 'find'>
  readonly management: Pick<Management, 'room'>
  readonly client: ServiceClient
  readonly gate: WriteGate
  readonly budget: Pick<CallBudget, 'state'>
  readonly clock: Clock
}

export function openReboots({
  organization,
  rooms,
  management,
  client,
  gate,
  budget,
  clock,
}: RebootOptions): Reboots {
  const readAgain = (id: string): Promise<RoomNow> =>
    readRoomNow({ organizationId: organization.id, rooms, management, clock }, id, {
      lane: 'interactive',
      signal: null,
    })

  return {
    async plan(id) {
      // Before the room is read: a ledger that cannot be used lets no reboot through.
      await gate.earliest([])
      const room = await readAgain(id)
      const devices = room.devices ?? []
      return {
        room: { id: room.id, name: room.name },
        devices,
        earliestAt: devices.length === 0 ? null : await gate.earliest(idsOf(devices)),
        cost: callCost(room.calls + 1, budget.state(), clock.now()),
        problem: rebootProblem(room.devices),
        lock: gate.lock(),
      }
    },

    async reboot({ id, unlock, wait }) {
      await gate.mustBeOpen(unlock)
      let room = await readAgain(id)
      refuseProblems(room)
      return gate.pass({
        operation: 'RebootRoom',
        target: { of: 'room', id: room.id, name: room.name },
        deviceIds: idsOf(room.devices ?? []),
        deviceIdsAgain: async () => {
          room = await readAgain(id)
          refuseProblems(room)
          return idsOf(room.devices ?? [])
        },
        unlock,
        wait,
        before: standingOf(room.devices ?? []),
        after: null,
        send: (signal, beforeDispatch) =>
          client.send({ ...rebootRequest(organization, room), signal, beforeDispatch }),
      })
    },
  }
}

const idsOf = (devices: readonly RoomDevice[]): readonly string[] => devices.map((device) => device.id)

function refuseProblems({ devices }: RoomNow): void {
  const problem = rebootProblem(devices)
  const invalid = (field: string, message: string): Failed => new Failed({ kind: 'invalid', field, message })
  if (problem === 'members-unknown')
    throw invalid('room', 'It is not known which devices stand in this room, so it is not rebooted.')
  if (problem === 'nothing-online')
    throw invalid('room', 'Nothing in this room is online, so there is nothing to reboot.')
}
