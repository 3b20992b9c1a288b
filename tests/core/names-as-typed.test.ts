import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDevices } from '../../electron/core/devices/devices.ts'
import { openRooms } from '../../electron/core/rooms/rooms.ts'
import { openSync } from '../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../a-device.ts'
import { failureOf } from '../failure-of.ts'
import { FakeClock } from '../fake-clock.ts'
import { FakeManagement } from '../fake-management.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { noNotes } from './rooms/no-notes.ts'

const organizationId = 'org'
const home = new TemporaryHome()
let find: (of: string, text: string) => Promise<{ readonly id: string }>

beforeAll(async () => {
  const clock = new FakeClock()
  const store = await home.openStore(clock)
  const management = new FakeManagement(clock)
  management.devices.MeetingRoom = [
    aDevice(1, { name: 'Desk', serialNumber: 'SN1', groupId: 'group-1' }),
    aDevice(2, { name: 'desk', serialNumber: 'SN2' }),
    aDevice(3, { name: 'Ærø "50" %', serialNumber: null }),
    aDevice(4, { name: 'Desk 4', serialNumber: 'SN4' }),
  ]
  management.rooms = [
    aRoom(1, { name: 'Aarhus 3' }),
    aRoom(2, { name: 'Huddle' }),
    aRoom(3, { name: 'HUDDLE' }),
    aRoom(4, { name: 'Left' }),
  ]
  const sync = await openSync({ clock, management, store, organizationId })
  await sync.run()
  management.devices.MeetingRoom.pop()
  management.rooms.pop()
  await sync.run()
  await sync.close()
  const devices = openDevices({ store, clock })
  const rooms = openRooms({ store, workbook: noNotes, clock })
  find = (of, text) => (of === 'device' ? devices : rooms).typed(organizationId, text)
})
afterAll(() => home.remove())

it.each([
  ['device', 'd00000002', 'D00000002'],
  ['device', 'sn1', 'D00000001'],
  ['device', 'æRØ "50" %', 'D00000003'],
  ['device', 'Desk 4', 'D00000004'],
  ['room', 'ROOM-2', 'room-2'],
  ['room', 'group-1', 'room-1'],
  ['room', 'aarhus 3', 'room-1'],
])('finds the %s %s', async (of, typed, id) => {
  expect((await find(of, typed)).id).toBe(id)
})

it.each([
  [
    'device',
    'Des',
    {
      kind: 'invalid',
      field: 'device',
      message: 'No device is called "Des". 2 names contain it: Desk (SN1), desk (SN2).',
    },
  ],
  ['device', 'SN1x', { kind: 'not-found', call: null, what: 'SN1x' }],
  [
    'room',
    'u',
    {
      kind: 'invalid',
      field: 'room',
      message: 'No room is called "u". 3 names contain it: Aarhus 3, Huddle, HUDDLE.',
    },
  ],
  ['room', 'Lef', { kind: 'not-found', call: null, what: 'Lef' }],
  ['room', 'Aarus', { kind: 'not-found', call: null, what: 'Aarus (did you mean Aarhus 3?)' }],
  ['room', 'hudle', { kind: 'not-found', call: null, what: 'hudle (did you mean Huddle or HUDDLE?)' }],
  ['device', 'tag:x "', { kind: 'not-found', call: null, what: 'tag:x "' }],
  [
    'device',
    'DESK',
    {
      kind: 'invalid',
      field: 'device',
      message: '2 devices are called "DESK": use one of these ids (D00000001, D00000002).',
    },
  ],
  ['room', 'Left', { kind: 'not-found', call: null, what: 'Left' }],
  [
    'room',
    'huddle',
    {
      kind: 'invalid',
      field: 'room',
      message: '2 rooms are called "huddle": use one of these ids (room-2, room-3).',
    },
  ],
])('does not guess which %s is meant by %s', async (of, typed, failure) => {
  expect(await failureOf(find(of, typed))).toEqual(failure)
})
