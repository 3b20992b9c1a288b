import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { JobDetail, JobOutcome, PlannedItem } from '../../../electron/contract/api/jobs.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import type { Organization } from '../../../electron/contract/api/organizations.ts'
import {
  foldedRooms,
  roomPlan,
  rebootRoomsWork,
  type RebootRooms,
} from '../../../electron/core/jobs/reboot-rooms-work.ts'
import { openDevices } from '../../../electron/core/devices/devices.ts'
import type { ItemEnding, JobWorker } from '../../../electron/core/jobs/job-work.ts'
import { listedFirst, openRooms, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import type { ServiceClient, ServiceRequest } from '../../../electron/core/service-client/service-client.ts'
import { openSync, refreshRoom } from '../../../electron/core/sync/sync.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, offline } from '../../fake-management.ts'
import { failureOf } from '../../failure-of.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { aProgram, type AProgram } from '../writes/a-writes.ts'
import { noNotes } from './no-notes.ts'

const call = { operation: 'RebootRoom', host: 'fake' }
let clock: FakeClock
let home: TemporaryHome
let management: FakeManagement
let rooms: Rooms
let program: AProgram
let sent: ServiceRequest[]
let ending: Failure | null
/** Plans a reboot of this one room. */
let planOf: (id: string) => Promise<PlannedItem & { readonly calls?: number }>
/** Plans and executes a reboot of this one room; the watch ends as soon as the service has accepted it. */
let reboot: (
  id: string,
  rebootBy?: Organization['rebootBy'],
  beforeItsTurn?: () => void,
) => Promise<ItemEnding>

const overview = (id: string, status: string | null, name = `In room ${id}`): JsonObject => ({
  id,
  name,
  deviceConnectionStatus: status,
  firmwareStatus: 'UpToDate',
})
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  management = new FakeManagement(clock)
  management.devices.MeetingRoom = [
    aDevice(1, { groupId: 'group-1' }),
    aDevice(2, { groupId: 'group-1b' }),
    aDevice(3, { groupId: 'group-2' }),
    aDevice(5, { groupId: 'group-5' }),
  ]
  management.rooms = [aRoom(1), aRoom(1, { deviceGroupId: 'group-1b' }), aRoom(2), aRoom(3)]
  // Two of them are in no list of the room's devices: one was never synced, the other is in room 2.
  const listed = ['D00000005', 'D00000008', 'D00000003'].map((id) => overview(id, 'Online'))
  management.rooms.push(aRoom(5, { devices: listed }))
  management.lookups.set('group-5', aRoom(5))
  management.lookups.set('group-1', aRoom(1, { devices: [overview('D00000001', 'Online')] }))
  management.lookups.set('group-1b', aRoom(1, { devices: [overview('D00000002', 'Offline')] }))
  management.lookups.set('group-2', aRoom(2))
  management.lookups.set('group-3', aRoom(3))
  const store = await home.openStore(clock)
  rooms = openRooms({ store, workbook: noNotes, clock })
  const sync = await openSync({ clock, management, store, organizationId: 'org' })
  await sync.run()
  await sync.close()
  management.requested.length = 0
  program = aProgram(clock)
  sent = []
  ending = null
  const client: ServiceClient = {
    send: async (request) => {
      await request.beforeDispatch?.()
      sent.push(request)
      if (ending !== null) throw new Failed(ending)
      return { status: 200, headers: {}, json: null, text: '', receivedAt: clock.now(), attempts: 1 }
    },
    retrying: () => 0,
    onReach: () => () => undefined,
  }
  const parts = { clock, store, rooms, organizationId: 'org', changed: () => rooms.changed('org') }
  const { writes } = program
  const workBy = (rebootBy: Organization['rebootBy']): JobWorker<RebootRooms> =>
    rebootRoomsWork({
      organization: { id: 'org', rebootBy },
      clock,
      rooms,
      devices: openDevices({ store, clock }),
      writes,
      client,
      managementOver: () => management,
      journal: { list: async () => ({ lines: [], total: 0 }) },
      refresh: (room, over, ask) => refreshRoom({ ...parts, management: over }, room, ask),
    })
  const named = (id: string): RebootRooms => ({
    kind: 'reboot-rooms',
    of: 'rooms',
    selection: { kind: 'picked', ids: [id] },
  })
  planOf = async (id) => {
    const { items, skipped } = await workBy('group-id').plan(named(id), unwatched)
    const [item] = items
    return item === undefined ? skipped[0]! : { ...item.planned, calls: item.calls }
  }
  reboot = async (id, rebootBy = 'group-id', beforeItsTurn = () => undefined) => {
    const work = workBy(rebootBy)
    const { items, skipped } = await work.plan(named(id), unwatched)
    management.requested.length = 0
    beforeItsTurn()
    const planned = items[0]?.planned ?? skipped[0]!
    const watching = new AbortController()
    writes.unlock()
    const authorization = writes.hold(null)
    try {
      return await work.run(
        {
          id: 1,
          jobId: 'job',
          work: named(id),
          target: planned.target,
          deviceIds: planned.devices.map((device) => device.id),
          memory: items[0]?.memory ?? null,
          sentAt: null,
        },
        {
          write: {
            authorization,
            reference: `item-${++references}`,
            signal: new AbortController().signal,
            unlock: false,
            wait: false,
          },
          since: 0,
          signal: watching.signal,
          accepted: async () => watching.abort(),
          called: () => undefined,
        },
      )
    } finally {
      authorization.giveBack()
    }
  }
})
afterEach(() => home.remove())

let references = 0
const endedAs = (
  outcome: JobOutcome,
  detail: JobDetail | null,
  failure: Failure | null = null,
): ItemEnding => ({ kind: 'ended', outcome, detail, failure, journalId: null })
const accepted = (journalId: number): ItemEnding => ({
  kind: 'ended',
  outcome: 'done',
  detail: 'not-watched',
  failure: null,
  journalId,
})

describe('a room that answers as another room', () => {
  it.each([
    ['another room', 'room-2', () => management.lookups.set('group-2', aRoom(3, { name: 'Board room' }))],
    [
      'a room of two groups that answer as two rooms',
      'room-1',
      () => management.lookups.set('group-1b', aRoom(3, { name: 'Board room' })),
    ],
  ])('%s: a conflict, and it is not rebooted', async (_, id, moved) => {
    expect(await reboot(id, 'group-id', moved)).toMatchObject({
      outcome: 'failed',
      detail: 'conflict',
      failure: {
        kind: 'invalid',
        field: 'room',
        message: expect.stringMatching(/^Group group-\w+ now belongs to another room, Board room/) as string,
      },
    })
    expect(sent).toEqual([])
    expect(await failureOf(planOf(id))).toMatchObject({ kind: 'invalid', field: 'room' })
  })

  it('is the same room with its id in capitals', async () => {
    const record = { ...aRoom(2), id: 'ROOM-2' }
    expect(await reboot('room-2', 'group-id', () => management.lookups.set('group-2', record))).toMatchObject(
      {
        outcome: 'done',
      },
    )
  })
})

describe('the plan of a reboot', () => {
  it('lists every device that goes down, from all group ids of the room, and the cost', async () => {
    expect(await planOf('room-1')).toEqual({
      target: { of: 'room', id: 'room-1', name: 'Room 1' },
      devices: [
        {
          id: 'D00000001',
          name: 'Device 1 · Jabra PanaCast 50 · SN000001',
          status: 'online',
          productName: 'Jabra PanaCast 50',
        },
        {
          id: 'D00000002',
          name: 'Device 2 · Jabra PanaCast 50 · SN000002',
          status: 'offline',
          productName: 'Jabra PanaCast 50',
        },
      ],
      earliestAt: null,
      changes: [],
      skipped: null,
      timeZone: 'Europe/Copenhagen',
      calls: 3,
    })
  })

  it.each([
    ['Asia/Tokyo', 'Asia/Tokyo'],
    ['Mars/Olympus', undefined],
    ['', 'Europe/Copenhagen'],
    [null, 'Europe/Copenhagen'],
  ])('shows the time zone of the room if it is valid: %j', async (ianaTimeZoneId, timeZone) => {
    management.lookups.set('group-5', aRoom(5, { ianaTimeZoneId }))
    expect((await planOf('room-5')).timeZone).toBe(timeZone)
  })

  it('reports a write to a device of the room within the minute', async () => {
    await reboot('room-1')
    await clock.advance(20_000)
    expect((await planOf('room-1')).earliestAt).toBe(clock.now() + 41_000)
  })

  it.each<[string, JsonObject[] | null]>([
    ['an empty list', []],
    ['no list', null],
  ])('uses the devices of the last sync when the service returns %s', async (_, devices) => {
    management.lookups.set('group-2', aRoom(2, { devices }))
    expect((await planOf('room-2')).devices.map(({ id, listedNow }) => [id, listedNow])).toEqual([
      ['D00000003', false],
    ])
  })

  it('lists devices that only the record of the room has, here and in a job, and reserves their slots', async () => {
    const named = (devices: readonly { id: string; name: string | null }[] = []) =>
      devices.map(({ id, name }) => [id, name])
    const inJob = async () => {
      const selected = await rooms.selected('org', { kind: 'picked', ids: ['room-5'] })
      return roomPlan(foldedRooms(selected), program.writes.earliest).items[0]?.planned
    }
    const both = [
      ['D00000005', 'Device 5 · Jabra PanaCast 50 · SN000005'],
      ['D00000008', 'In room D00000008'],
    ]
    const before = [named((await planOf('room-5')).devices), named((await inJob())?.devices)]
    await reboot('room-5')
    expect([
      before,
      program.writes.earliest(['D00000008']),
      program.writes.earliest(['D00000003']),
      (await inJob())?.earliestAt,
    ]).toEqual([[both, both], clock.now() + 61_000, null, clock.now() + 61_000])
  })

  it.each<[string, () => void]>([
    ['a list is shorter than before', () => management.lookups.set('group-1b', aRoom(1, { devices: [] }))],
    ['a group id is gone', () => void management.lookups.delete('group-1b')],
  ])('lists devices of the last sync beside those listed now: %s', async (_, change) => {
    change()
    management.lookups.set(
      'group-1',
      aRoom(1, { devices: [overview('D00000001', 'Online'), overview('D00000009', 'Online', 'New')] }),
    )
    expect(
      (await planOf('room-1')).devices.map(({ id, status, listedNow }) => [id, status, listedNow]),
    ).toEqual([
      ['D00000001', 'online', undefined],
      ['D00000002', 'online', false],
      ['D00000009', 'online', undefined],
    ])
  })

  it.each<[string, JsonObject[] | null, string | null]>([
    ['no device is known at all', null, 'members-unknown'],
    ['the list is empty', [], 'members-unknown'],
    ['everything is offline', [overview('A', 'Offline'), overview('B', 'offline')], 'nothing-online'],
    ['something restarts already', [overview('A', 'Offline'), overview('B', 'Rebooting')], null],
    ['a status is unknown, which is not offline', [overview('A', 'Offline'), overview('B', null)], null],
    ['a status is an unknown value', [overview('A', 'Hibernating')], null],
  ])('lists warnings: %s', async (_, devices, problem) => {
    management.lookups.set('group-3', aRoom(3, { devices }))
    expect((await planOf('room-3')).skipped).toBe(problem)
  })
})

it.each<[string, readonly boolean[], readonly number[]]>([
  ['those listed now', [true, false, true], [0, 2]],
  ['all, if none is listed', [false, false], [0, 1]],
])('waits for the restart of: %s', (_, listed, waited) => {
  expect(
    listedFirst(listed.map((listedNow, index) => ({ listedNow, index }))).map(({ index }) => index),
  ).toEqual(waited)
})

describe('a reboot', () => {
  it('is one POST without a body by the group id, after the room was read again', async () => {
    const report = await reboot('room-1')
    expect(report).toEqual(accepted(1))
    expect(management.requested.map((requested) => requested.token)).toEqual(['group-1', 'group-1b'])
    expect(sent).toMatchObject([
      {
        operation: 'RebootRoom',
        method: 'POST',
        path: '/meetingrooms/api/meetingrooms/group-1/reboot',
        body: null,
        writes: true,
      },
    ])
    expect(program.journal.begun).toMatchObject([
      {
        target: { of: 'room', id: 'room-1', name: 'Room 1' },
        deviceIds: ['D00000001', 'D00000002'],
        before: '1 online, 1 offline',
      },
    ])
  })

  it('reserves the slots of the devices of the last sync too, so that nothing else writes to them within the minute', async () => {
    management.lookups.delete('group-1b')
    expect(await reboot('room-1')).toEqual(accepted(1))
    expect(program.journal.begun).toMatchObject([{ deviceIds: ['D00000001', 'D00000002'] }])
    expect(program.writes.earliest(['D00000002'])).toBe(clock.now() + 61_000)
  })

  it('uses the room id if the profile says so, percent-encoded', async () => {
    management.rooms = [aRoom(4, { id: 'å/room', deviceGroupId: 'group-4' })]
    management.lookups.set('group-4', aRoom(4, { id: 'å/room', devices: [overview('A', 'Online')] }))
    await reboot('group-4', 'room-id')
    expect(sent.map((request) => request.path)).toEqual([
      '/meetingrooms/api/meetingrooms/%C3%A5%2Froom/reboot',
    ])
  })

  it('uses ids as the service spells them now, and our own for the slots of the devices', async () => {
    management.lookups.set('group-1', aRoom(1, { id: 'ROOM-1', devices: [overview('d00000001', 'Online')] }))
    management.lookups.delete('group-1b')
    await reboot('room-1', 'room-id')
    expect([sent.map((request) => request.path), program.journal.begun]).toMatchObject([
      ['/meetingrooms/api/meetingrooms/ROOM-1/reboot'],
      [{ target: { id: 'room-1' }, deviceIds: ['D00000001', 'D00000002'] }],
    ])
  })

  it('of a room that was never synced uses the given group id', async () => {
    management.lookups.set('group-9', aRoom(9, { devices: [overview('A', 'Online')] }))
    expect(await reboot('group-9')).toEqual(accepted(1))
    expect(program.journal.begun).toMatchObject([
      { target: { id: 'room-9', name: 'Room 9' }, deviceIds: ['A'] },
    ])
  })

  it('uses the group id that the service still knows', async () => {
    management.lookups.delete('group-1')
    management.lookups.set('group-1b', aRoom(1, { devices: [overview('D00000002', 'Online')] }))
    await reboot('room-1')
    expect(sent.map((request) => request.path)).toEqual(['/meetingrooms/api/meetingrooms/group-1b/reboot'])
  })

  it.each<[string, () => void, ItemEnding]>([
    [
      'nothing in it is online',
      () => management.lookups.set('group-1', aRoom(1, { devices: [overview('D00000001', 'Offline')] })),
      endedAs('failed', 'nothing-online'),
    ],
    [
      'the room is gone',
      () => management.lookups.clear(),
      endedAs('not-found', null, {
        kind: 'not-found',
        call: { operation: 'GetRoom', host: null },
        what: 'Room 1',
      }),
    ],
    [
      'the room cannot be read again',
      () => void (management.fault = () => offline),
      { kind: 'again', at: null, waitsFor: 'offline', failure: offline },
    ],
    [
      'one of its group ids cannot be read',
      () => void (management.fault = ({ token }) => (token === 'group-1b' ? offline : null)),
      { kind: 'again', at: null, waitsFor: 'offline', failure: offline },
    ],
  ])('is not sent when, at its turn, %s', async (_, change, expected) => {
    expect([await reboot('room-1', 'group-id', change), sent, program.journal.begun]).toEqual([
      expected,
      [],
      [],
    ])
  })

  it('is not sent when no device of the room is known', async () => {
    expect(await reboot('room-3')).toEqual(endedAs('failed', 'members-unknown'))
    expect(sent).toEqual([])
  })

  it('without a response is reported as unconfirmed and not repeated; the next one within the minute waits', async () => {
    ending = { kind: 'unconfirmed', call, message: 'the connection broke' }
    expect(await reboot('room-1')).toEqual({
      ...endedAs('unknown', null, ending),
      journalId: 1,
    })
    expect(await reboot('room-1')).toEqual({
      kind: 'again',
      at: clock.now() + 61_000,
      waitsFor: 'device-minute',
      failure: null,
    })
    await clock.advance(300_000)
    expect(sent.length).toBe(1)
  })
})
