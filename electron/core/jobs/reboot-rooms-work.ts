import { Failed } from '../../contract/failure.ts'
import { lastReboot } from '../../contract/journal.ts'
import type { JobWork } from '../../contract/api/jobs.ts'
import type { Organization } from '../../contract/api/organizations.ts'
import type { UnansweredReboot } from '../../contract/api/writes.ts'
import type { Room } from '../../contract/api/rooms.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { Devices } from '../devices/devices.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../platform.ts'
import type { Management } from '../management/management.ts'
import {
  listedFirst,
  fetchRoomForWrite,
  rebootProblem,
  rebootRequest,
  statusCountsText,
  type RoomAsk,
  type RoomNow,
  type Rooms,
} from '../rooms/rooms.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import type { RunningTask } from '../tasks.ts'
import type { Writes } from '../writes/writes.ts'
import { countedClient } from './counted-client.ts'
import { ended, endingOfWrite, endingWith, waiting } from './item-endings.ts'
import type { ItemEnding, ItemToRun, ItemTools, JobWorker } from './job-work.ts'
import { foldedDevices, foldedRooms, roomMemoryOf, roomPlan, type Folded } from './room-folding.ts'
import { goingDown, watchRoom } from './room-watch.ts'
import { selectedDevices } from './selected-devices.ts'

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
