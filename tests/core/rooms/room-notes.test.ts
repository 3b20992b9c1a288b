import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RoomQuery } from '../../../electron/contract/api/rooms.ts'
import { openRooms, type Rooms } from '../../../electron/core/rooms/rooms.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aRoom } from '../../a-device.ts'
import { FakeManagement } from '../../fake-management.ts'
import { Workshop } from '../tags/a-workshop.ts'
import { failureOf } from '../../failure-of.ts'

const organizationId = 'aarhus'
let workshop: Workshop
let rooms: Rooms

beforeAll(async () => {
  workshop = await Workshop.open(organizationId)
  const { store, clock } = workshop
  const management = new FakeManagement(clock)
  management.rooms = [
    aRoom(1, { name: 'Fjord', locationName: 'Aarhus, Havnegade 2' }),
    aRoom(2, { name: 'OSL-12 Fjord', locationName: null }),
    aRoom(3, { name: 'OSL-4', locationName: null }),
    aRoom(4, { name: 'Berlin 4', locationName: null }),
  ]
  const sync = await openSync({ clock, management, store, organizationId })
  await sync.run()
  await sync.close()
  rooms = openRooms(workshop)
})
afterAll(() => workshop.close())

const base: RoomQuery = { where: '', sort: [{ column: 'name', descending: false }], start: 0, count: 100 }
const rows = async (where: string) =>
  (await rooms.list(organizationId, { ...base, where })).rows.map(({ id, site, siteFrom, note }) => [
    id,
    site,
    siteFrom,
    note,
  ])

test('a note is searchable, stored over a restart, and removable', async () => {
  await rooms.write(organizationId, 'room-1', 'note', ' The projector\r\nhums ')
  const found = await rows('note:PROJECTOR')
  const later = await openRooms(workshop).find(organizationId, 'room-1')
  await rooms.write(organizationId, 'room-1', 'note', '')
  expect([found, later.note, await rows('note:projector'), (await rows('note:""')).length]).toEqual([
    [['room-1', 'Aarhus', undefined, 'The projector\nhums']],
    'The projector\nhums',
    [],
    4,
  ])
})

test('a site set by a technician overrides the record until it is removed', async () => {
  const set = await rooms.write(organizationId, 'room-1', 'site', 'Harbour')
  const found = await rows('site:harbour')
  const back = await rooms.write(organizationId, 'room-1', 'site', null)
  expect([set.site, set.siteFrom, found, back.site, back.siteFrom]).toEqual([
    'Harbour',
    'technician',
    [['room-1', 'Harbour', 'technician', undefined]],
    'Aarhus',
    undefined,
  ])
})

test('names provide sites when records have none, with the separator that a technician chooses', async () => {
  const { offers } = await rooms.sites(organizationId)
  const chosen = await rooms.chooseSites(organizationId, '-')
  const reported = await rows('site:OSL')
  await rooms.chooseSites(organizationId, null)
  expect([offers, chosen.separator, chosen.rooms, reported, await rows('site:OSL')]).toEqual([
    [
      {
        separator: ' ',
        rooms: 2,
        sites: 2,
        examples: ['Berlin', 'OSL-12'],
        largest: ['Berlin', 'OSL-12'].map((word) => ({ word, count: 1 })),
      },
      {
        separator: '-',
        rooms: 2,
        sites: 1,
        examples: ['OSL'],
        largest: [{ word: 'OSL', count: 2 }],
      },
    ],
    '-',
    3,
    [
      ['room-3', 'OSL', 'name', undefined],
      ['room-2', 'OSL', 'name', undefined],
    ],
    [],
  ])
})

test('rejects a control character in a note, a site that is too long, and a room that was never synced', async () => {
  expect([
    await failureOf(rooms.write(organizationId, 'room-1', 'note', 'a\u0007b')),
    await failureOf(rooms.write(organizationId, 'room-1', 'site', 'x'.repeat(101))),
    await failureOf(rooms.write(organizationId, 'room-9', 'note', 'x')),
  ]).toEqual([
    { kind: 'invalid', field: 'note', message: 'Tabs and other control characters are not allowed.' },
    { kind: 'invalid', field: 'site', message: 'At most 100 characters are allowed. This text has 101.' },
    { kind: 'not-found', call: null, what: 'room-9' },
  ])
})
