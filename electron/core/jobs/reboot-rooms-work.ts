import { Failed } from '../../contract/failure.ts'
import { lastReboot } from '../../contract/journal.ts'
import type { JobWork, PlannedItem, SkipReason } from '../../contract/api/jobs.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import type { UnansweredReboot } from '../../contract/api/writes.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { Devices, PlanDevice } from '../devices/devices.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../platform.ts'
import type { Management } from '../management/management.ts'
import {
  listedFirst,
  fetchRoomForWrite,
  rebootProblem,
  rebootRequest,
  statusCountsText,
  groupIdsToAsk,
  type RoomAsk,
  type RoomNow,
  type Rooms,
  type SelectedRoom,
} from '../rooms/rooms.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import type { RunningTask } from '../tasks.ts'
import type { Writes } from '../writes/writes.ts'
import {
  countedClient,
  selectedDevices,
  ended,
  endingOfWrite,
  endingWith,
  waiting,
  type ItemEnding,
  type ItemToRun,
  type ItemTools,
  type JobWorker,
  type WorkItem,
  type WorkPlan,
} from './job-work.ts'
import { goingDown, watchRoom, looksAtMost } from './room-watch.ts'
import { deviceLabel, devicesIn } from '../../contract/device-name.ts'
import type { Json } from '../../contract/json.ts'
import { isTimeZone } from '../../contract/time-zone.ts'

export type RebootRooms = Extract<JobWork, { kind: 'reboot-rooms' }>

export interface RebootRoomsDeps {
  readonly organization: Pick<Organization, 'id' | 'rebootBy'>
  readonly clock: Clock
  readonly rooms: Pick<Rooms, 'find' | 'selected' | 'roomsOf'>
  readonly devices: Pick<Devices, 'forPlan'>
  readonly writes: Pick<Writes, 'execute' | 'earliest'>
  readonly client: ServiceClient
  /** The management interface through a client: each item counts its own calls. */
  readonly managementOver: (client: ServiceClient) => Pick<Management, 'room'>
  /** Reads a room again and writes it to the store, as `sync` does. */
  readonly refresh: (id: string, management: Pick<Management, 'room'>, ask: RoomAsk) => Promise<Room>
  readonly journal: Pick<Journal, 'list'>
}

/**
 * Lines of a room that are searched for its last reboot. They name the room itself, so the first one nearly
 * always matches; raise it if other writes to rooms become common.
 */
const lookedThrough = 50

/**
 * Restarts rooms. The plan of one room reads it again, because a person views its devices; the plan of
 * several rooms sends no request. An item reads the room again, sends one POST, and watches until the room is
 * back.
 */
export function rebootRoomsWork(deps: RebootRoomsDeps): JobWorker<RebootRooms> {
  const { organization, clock, rooms, devices, writes, managementOver } = deps

  const folded = async ({ of, selection }: RebootRooms, task: RunningTask): Promise<Folded> => {
    if (of === 'rooms') return foldedRooms(await rooms.selected(organization.id, selection))
    const known = await selectedDevices(devices, organization.id, selection, task)
    const named = selection.kind === 'picked' ? selection.ids : []
    const roomsOf = await rooms.roomsOf(
      organization.id,
      known.map(({ id }) => id),
    )
    const theirs = await rooms.selected(organization.id, {
      kind: 'picked',
      ids: [...new Set(roomsOf.values())],
    })
    return foldedDevices(known, named, roomsOf, theirs.rooms)
  }

  const fetchRoom = (id: string, client: ServiceClient, ask: RoomAsk): Promise<RoomNow> =>
    fetchRoomForWrite(
      { organizationId: organization.id, rooms, management: managementOver(client), clock },
      id,
      ask,
    )

  /** The last reboot of a room, if its result is unknown and the room was not refreshed since. */
  const unansweredOf = async (room: Pick<Room, 'id' | 'observedAt'>): Promise<UnansweredReboot | null> => {
    const query = { where: '', subjectId: room.id, start: 0, count: lookedThrough }
    const { lines } = await deps.journal.list(organization.id, query)
    const last = lastReboot(lines, room.observedAt)
    if (last === null || (last.outcome !== 'unconfirmed' && last.outcome !== null)) return null
    return { startedAt: last.startedAt, outcome: last.outcome }
  }

  /**
   * A selection that resolves to one room, as the service returns it now. A room that was never synced may be
   * read by a group id.
   */
  const fetchAgain = async (
    { rooms: [known], skipped }: Folded,
    { signal }: RunningTask,
  ): Promise<Folded> => {
    const ask = { lane: 'interactive', signal } as const
    const id = known?.id ?? skipped[0]?.target.id ?? ''
    if (known === undefined)
      return { rooms: [await deps.refresh(id, managementOver(deps.client), ask)], skipped: [] }
    const unanswered = await unansweredOf(known)
    const now = await fetchRoom(id, deps.client, ask)
    if (now.other !== null) throw Failed.invalid('room', now.other)
    return { rooms: [{ ...known, ...now, gone: false }], skipped, unanswered }
  }

  /** Reads the room again and stores it. */
  const lookOnce = (id: string, tools: Pick<ItemTools, 'called' | 'signal'>, lane: Lane): Promise<Room> => {
    const management = managementOver(countedClient(deps.client, () => tools.called(), true))
    return deps.refresh(id, management, { lane, signal: tools.signal })
  }

  const watched = async (
    item: ItemToRun,
    tools: ItemTools,
    since: { sentAt: number; wereOn: readonly string[]; fromTheStart: boolean },
  ) =>
    watchRoom({ ...since, clock, signal: tools.signal, look: () => lookOnce(item.target.id, tools, 'bulk') })

  const run = async (item: ItemToRun, tools: ItemTools): Promise<ItemEnding> => {
    // Before the room is read again, so that waiting costs no calls.
    const earliestAt = writes.earliest(item.deviceIds)
    if (earliestAt !== null) return waiting(earliestAt)
    const client = countedClient(deps.client, () => tools.called())
    const room = await fetchRoom(item.target.id, client, { lane: 'write', signal: tools.signal })
    if (room.other !== null)
      return ended('failed', 'conflict', {
        kind: 'invalid',
        field: 'room',
        message: `${room.other} Nothing was sent.`,
      })
    const problem = rebootProblem(room.devices)
    if (problem !== null) return ended('failed', problem)
    const members = room.devices ?? []
    const report = await writes.execute({
      ...tools.write,
      operation: 'RebootRoom',
      target: { of: 'room', id: room.id, name: room.name },
      deviceIds: members.map(({ id }) => id),
      before: statusCountsText(members),
      after: null,
      send: (signal, beforeDispatch) =>
        client.send({ ...rebootRequest(organization, room), signal, beforeDispatch }),
    })
    const ending = endingOfWrite(report)
    if (ending !== null) return ending
    const sentAt = clock.now()
    await tools.accepted('watching', report.journalId)
    const wereOn = goingDown(listedFirst(members))
    return ended(
      'done',
      await watched(item, tools, { sentAt, wereOn, fromTheStart: true }),
      null,
      report.journalId,
    )
  }

  return {
    async plan(work, task) {
      const known = await folded(work, task)
      const isOne =
        known.rooms.length === 1 ||
        (work.of === 'rooms' && known.rooms.length === 0 && known.skipped.length === 1)
      return roomPlan(isOne ? await fetchAgain(known, task) : known, (deviceIds) =>
        writes.earliest(deviceIds),
      )
    },

    run: (item, tools) => endingWith(() => run(item, tools)),

    async resume(item, tools) {
      const { wereOn } = roomMemoryOf(item.memory)
      if (item.sentAt === null) return ended('done', 'not-watched')
      return ended('done', await watched(item, tools, { sentAt: item.sentAt, wereOn, fromTheStart: false }))
    },

    async check(item, tools) {
      const room = await lookOnce(item.target.id, tools, 'interactive')
      const restarts = (room.devices ?? []).some(
        ({ id, status }) => status === 'rebooting' && item.deviceIds.includes(id),
      )
      return restarts ? ended('done', 'not-watched') : null
    },
  }
}

/** Room items: the data of the room that the plan displayed and that watching needs. */
interface RoomMemory {
  /** Devices that go down and that the watch waits for. */
  readonly wereOn: readonly string[]
  /** IANA name of the zone in which a window counts; `job-rows.ts` reads it too. */
  readonly timeZone?: string
}

const roomMemoryOf = (memory: Json): RoomMemory => memory as unknown as RoomMemory

/** A room of a plan. If it was read again, it states which of its devices the service currently lists. */
interface FoldedRoom extends Pick<Room, 'id' | 'name' | 'groupIds' | 'timeZone' | 'gone' | 'observedAt'> {
  readonly devices: readonly (RoomDevice & { readonly listedNow?: boolean })[] | null
}

/** A resolved selection of rooms or devices: each room once, and skipped ones with the reason. */
interface Folded {
  readonly rooms: readonly FoldedRoom[]
  readonly skipped: readonly PlannedItem[]
  /** For a plan of one room: its last reboot, if the result is unknown. */
  readonly unanswered?: UnansweredReboot | null
}

export const foldedRooms = (selected: {
  readonly rooms: readonly SelectedRoom[]
  readonly unknown: readonly string[]
}): Folded => ({
  rooms: selected.rooms,
  skipped: selected.unknown.map((id) => skippedItem({ of: 'room', id, name: null }, [], 'gone')),
})

/**
 * Devices grouped by room. `known`: those of the selection that were synced; `named`: individually selected
 * ids.
 */
function foldedDevices(
  known: readonly PlanDevice[],
  named: readonly string[],
  roomsOf: ReadonlyMap<string, string>,
  rooms: readonly SelectedRoom[],
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
  // Tried first it proves most: a device that is off, or of unknown status, may not come back for other reasons.
  const whole = items.findIndex(({ planned }) => planned.devices.every(({ status }) => status === 'online'))
  if (whole > 0) items.unshift(...items.splice(whole, 1))
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
