import { deviceLabel, devicesIn } from '../../contract/device-name.ts'
import type { PlannedItem, SkipReason } from '../../contract/api/jobs.ts'
import type { Json } from '../../contract/json.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { UnansweredReboot } from '../../contract/api/writes.ts'
import { isTimeZone } from '../../contract/time-zone.ts'
import type { PlanDevice } from '../devices/devices.ts'
import { groupIdsToAsk, listedFirst, rebootProblem } from '../rooms/rooms.ts'
import type { WorkItem, WorkPlan } from './job-work.ts'
import { goingDown, looksAtMost } from './room-watch.ts'

/** Room items: the data of the room that the plan displayed and that watching needs. */
export interface RoomMemory {
  /** Devices that go down and that the watch waits for. */
  readonly wereOn: readonly string[]
  /** IANA name of the zone in which a window counts; `job-rows.ts` reads it too. */
  readonly timeZone?: string
}

export const roomMemoryOf = (memory: Json): RoomMemory => memory as unknown as RoomMemory

/** A room of a plan. If it was read again, it states which of its devices the service currently lists. */
export interface FoldedRoom extends Pick<
  Room,
  'id' | 'name' | 'groupIds' | 'timeZone' | 'gone' | 'observedAt'
> {
  readonly devices: readonly (RoomDevice & { readonly listedNow?: boolean })[] | null
}

/** A resolved selection of rooms or devices: each room once, and skipped ones with the reason. */
export interface Folded {
  readonly rooms: readonly FoldedRoom[]
  readonly skipped: readonly PlannedItem[]
  /** For a plan of one room: its last reboot, if the result is unknown. */
  readonly unanswered?: UnansweredReboot | null
}

export const foldedRooms = (selected: {
  readonly rooms: readonly Room[]
  readonly unknown: readonly string[]
}): Folded => ({
  rooms: selected.rooms,
  skipped: selected.unknown.map((id) => skippedItem({ of: 'room', id, name: null }, [], 'gone')),
})

/**
 * Devices grouped by room. `known`: those of the selection that were synced; `named`: individually selected
 * ids.
 */
export function foldedDevices(
  known: readonly PlanDevice[],
  named: readonly string[],
  roomsOf: ReadonlyMap<string, string>,
  rooms: readonly Room[],
): Folded {
  const found = new Set(known.map(({ id }) => id))
  const there = new Set(rooms.map(({ id }) => id))
  const unknown = [...new Set(named)]
    .filter((id) => !found.has(id))
    .map((id) => skippedItem({ of: 'device', id, name: null }, [], 'gone'))
  const without = known.flatMap((device): readonly PlannedItem[] => {
    const name = deviceLabel(device)
    const target = { of: 'device' as const, id: device.id, name }
    const devices = [{ id: device.id, name, status: device.status }]
    if (device.gone) return [skippedItem(target, devices, 'gone')]
    return there.has(roomsOf.get(device.id) ?? '') ? [] : [skippedItem(target, devices, 'no-room')]
  })
  return { rooms, skipped: [...unknown, ...without] }
}

const skippedItem = (
  target: PlannedItem['target'],
  devices: PlannedItem['devices'],
  skipped: SkipReason,
): PlannedItem => ({
  target,
  devices,
  earliestAt: null,
  changes: [],
  skipped,
})

const problemOf = (room: FoldedRoom): SkipReason | null => (room.gone ? 'gone' : rebootProblem(room.devices))

/** The plan from known data: one call for each group id to read the room again, and the one write. */
export function roomPlan(
  { rooms, skipped, unanswered }: Folded,
  earliest: (deviceIds: readonly string[]) => number | null,
): WorkPlan {
  const chosen = rooms.filter((room) => problemOf(room) === null)
  const items = chosen.map((room): WorkItem => {
    const groupIds = groupIdsToAsk(room).length
    const wereOn = goingDown(
      listedFirst((room.devices ?? []).map((device) => ({ listedNow: true, ...device }))),
    )
    // A text that is not a time zone would count as UTC.
    const zone = room.timeZone !== null && isTimeZone(room.timeZone) ? { timeZone: room.timeZone } : {}
    return {
      planned: {
        target: targetOf(room),
        devices: plannedDevices(room),
        earliestAt: earliest((room.devices ?? []).map(({ id }) => id)),
        changes: [],
        skipped: null,
        ...zone,
        ...(unanswered ? { unanswered } : {}),
      },
      calls: groupIds + 1,
      watchingAtMost: groupIds * looksAtMost,
      memory: { wereOn, ...zone } satisfies RoomMemory,
    }
  })
  const left = rooms.flatMap((room) => {
    const problem = problemOf(room)
    return problem === null ? [] : [skippedItem(targetOf(room), plannedDevices(room), problem)]
  })
  return { items, skipped: [...left, ...skipped], savedCalls: null }
}

const targetOf = ({ id, name }: FoldedRoom): PlannedItem['target'] => ({ of: 'room', id, name })
const plannedDevices = (room: FoldedRoom): PlannedItem['devices'] =>
  devicesIn(room).map((device) => ({
    id: device.id,
    name: deviceLabel(device),
    status: device.status,
    ...(device.productName === null ? {} : { productName: device.productName }),
    ...(device.listedNow === false ? { listedNow: false } : {}),
  }))
