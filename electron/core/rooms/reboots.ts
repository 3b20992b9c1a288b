import { Failed } from '../../contract/failure.ts'
import { operationNamed, pathOf } from '../../contract/operations.ts'
import type { Organization } from '../../contract/organization.ts'
import type { Room, RoomDevice } from '../../contract/room.ts'
import type { RebootPlan, RebootRequest, WriteReport } from '../../contract/write.ts'
import type { CallBudget } from '../call-budget/call-budget.ts'
import type { Clock } from '../host.ts'
import { readRoom, type Management, type RoomRecord } from '../management/management.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import { callCost, type PlannedWrite, type WriteGate } from '../write-gate/write-gate.ts'
import type { Rooms } from './rooms.ts'

/** Reboots of whole rooms: what one would do, and doing it. Rejects with Failed. */
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

/** A room as it is now. */
interface RoomNow {
  readonly id: string
  readonly name: string | null
  /** The one the service knew it by; the room's address. */
  readonly groupId: string
  /** null: neither the service nor the last sync tells which devices stand in it. */
  readonly devices: readonly RoomDevice[] | null
  /** Calls the reading took. */
  readonly calls: number
}

export function openReboots({ organization, rooms, management, client, gate, budget, clock }: RebootOptions): Reboots {
  const readAgain = async (id: string): Promise<RoomNow> => {
    const known = await rooms.find(organization.id, id).catch((error: unknown) => {
      // A room that no sync has seen may still be read by a group id.
      if (error instanceof Failed && error.failure.kind === 'not-found') return null
      throw error
    })
    const groupIds = known === null || known.groupIds.length === 0 ? [id] : known.groupIds
    const answers = await Promise.all(groupIds.map((groupId) => record(groupId)))
    const found = answers.filter((answer) => answer.record !== null)
    const first = found[0]
    if (first === undefined || first.record === null)
      throw new Failed({ kind: 'not-found', call: { operation: 'GetRoom', host: 'management interface' }, what: known?.name ?? id })
    return {
      id: known?.id ?? first.record.id,
      name: first.record.name ?? known?.name ?? null,
      groupId: first.groupId,
      devices: membersOf(
        found.flatMap((answer) => (answer.record === null ? [] : [answer.record])),
        known,
        clock.now(),
      ),
      calls: answers.length,
    }
  }

  /** One group id of the room; null: the service knows none, as when a device has left. */
  const record = async (groupId: string): Promise<{ readonly groupId: string; readonly record: RoomRecord | null }> => {
    try {
      const { raw } = await management.room({ groupId, lane: 'interactive', signal: null })
      const reading = readRoom(raw)
      if (reading.readable) return { groupId, record: reading.record }
    } catch (error) {
      if (error instanceof Failed && error.failure.kind === 'not-found') return { groupId, record: null }
      throw error
    }
    throw new Failed({
      kind: 'unreadable-answer',
      call: { operation: 'GetRoom', host: 'management interface' },
      where: 'the room',
      message: 'The record of the room has no id.',
    })
  }

  const send = async (room: RoomNow, ...[signal, beforeDispatch]: Parameters<PlannedWrite['send']>): Promise<{ readonly status: number }> => {
    // Specification: the group id of any device of the room. Observed in another client: the room's own id. The profile says which.
    const address = organization.rebootBy === 'room-id' ? room.id : room.groupId
    const path = pathOf(rebootRoom, { groupId: address })
    return client.send({ operation: rebootRoom.name, method: rebootRoom.method, path, body: null, lane: 'write', writes: true, signal, beforeDispatch })
  }

  return {
    async plan(id) {
      const room = await readAgain(id)
      const devices = room.devices ?? []
      return {
        room: { id: room.id, name: room.name },
        devices,
        earliestAt: devices.length === 0 ? null : await gate.earliest(idsOf(devices)),
        cost: callCost(room.calls + 1, budget.state(), clock.now()),
        problem: problemOf(room),
        lock: gate.lock(),
      }
    },

    async reboot({ id, unlock, wait }) {
      gate.mustBeOpen(unlock)
      let room = await readAgain(id)
      refuseProblems(room)
      return gate.pass({
        operation: rebootRoom.name,
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
        send: (signal, beforeDispatch) => send(room, signal, beforeDispatch),
      })
    },
  }
}

const rebootRoom = operationNamed('RebootRoom')

const idsOf = (devices: readonly RoomDevice[]): readonly string[] => devices.map((device) => device.id)

/** Unknown is never taken for offline, and a device that restarts is on. */
const isOffline = (device: RoomDevice): boolean => device.status === 'offline'

/** `2 online, 1 offline`: what the journal keeps of the room before. */
function standingOf(devices: readonly RoomDevice[]): string {
  const counts = new Map<string, number>()
  for (const { status } of devices) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
}

function problemOf({ devices }: RoomNow): RebootPlan['problem'] {
  if (devices === null || devices.length === 0) return 'members-unknown'
  // Observed 4.5: only online devices restart, offline ones are skipped.
  return devices.every(isOffline) ? 'nothing-online' : null
}

function refuseProblems(room: RoomNow): void {
  const problem = problemOf(room)
  const invalid = (field: string, message: string): Failed => new Failed({ kind: 'invalid', field, message })
  if (problem === 'members-unknown') throw invalid('room', 'It is not known which devices stand in this room, so it is not rebooted.')
  if (problem === 'nothing-online') throw invalid('room', 'Nothing in this room is online, so there is nothing to reboot.')
}

/** The service's own list counts; where it has none, what the last sync knows. Names and firmware come from the sync. */
function membersOf(records: readonly RoomRecord[], known: Room | null, at: number): readonly RoomDevice[] | null {
  const synced = new Map((known?.devices ?? []).map((device) => [device.id, device]))
  const told = records.flatMap((record) => record.devices ?? [])
  if (told.length === 0) return synced.size === 0 ? null : [...synced.values()]
  const members = new Map<string, RoomDevice>()
  for (const device of told) {
    const before = synced.get(device.id)
    members.set(device.id, {
      id: device.id,
      name: before?.name ?? device.name,
      status: device.status === 'unknown' ? (before?.status ?? 'unknown') : device.status,
      productName: before?.productName ?? null,
      firmwareVersion: before?.firmwareVersion ?? null,
      firmwareStatus: device.firmwareStatus ?? before?.firmwareStatus ?? null,
      firmware: before?.firmware ?? null,
      lastSeenAt: before?.lastSeenAt ?? null,
      observedAt: before?.observedAt ?? at,
    })
  }
  return [...members.values()]
}
