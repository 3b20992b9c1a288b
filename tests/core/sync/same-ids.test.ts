import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foundOrNull } from '../../../electron/contract/failure.ts'
import type { JsonObject } from '../../../electron/contract/json.ts'
import { deviceRows, openDevices } from '../../../electron/core/devices/devices.ts'
import { roomRows, openRooms } from '../../../electron/core/rooms/rooms.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { noNotes } from '../rooms/no-notes.ts'

const organizationId = 'org'
let clock: FakeClock
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  sync = await openSync({ clock, management, store, organizationId })
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

const stored = async (): Promise<string[]> =>
  (
    await store.database.query(
      "SELECT r.id, d.name, d.gone FROM raw_record r JOIN device_row d USING (row_id) WHERE r.kind = 'device' AND d.id = r.id ORDER BY r.id",
    )
  ).map(({ id, name, gone }) => `${String(id)} ${String(name)}${gone === 1 ? ' gone' : ''}`)
const changeKinds = async (): Promise<string[]> =>
  (await store.database.query('SELECT subject_id, kind FROM change ORDER BY id')).map(
    ({ subject_id: id, kind }) => `${String(id)} ${String(kind)}`,
  )
const device = (id: string | number, changes: JsonObject = {}) => aDevice(1, { id, name: 'One', ...changes })

describe('an id in another spelling', () => {
  it.each([
    ['in capitals', 'd1-å', 'D1-Å'],
    ['with blanks around it', 'd1', ' d1 '],
    ['with invisible characters', 'd1', 'd\u200b1\ufeff'],
    ['as a number', '17', 17],
  ])('%s is the same device, and the service gets its own spelling', async (_, first, second) => {
    management.devices.MeetingRoom = [device(first)]
    await sync.run()
    management.devices.MeetingRoom = [device(second)]
    const { complete, devices } = await sync.run()
    expect([complete, devices, await stored(), await changeKinds(), sync.sentId(first)]).toEqual([
      true,
      { read: 1, unreadable: 0, gone: 0 },
      [`${first} One`],
      [],
      String(second).trim(),
    ])
  })

  it('finds its device and room, unless two differ in spelling only', async () => {
    management.devices.MeetingRoom = [device('Da'), aDevice(2, { id: 'Two' }), aDevice(3, { id: 'two' })]
    management.rooms = [aRoom(1, { id: 'Ra' })]
    await sync.run()
    const devices = openDevices({ store, clock })
    const rooms = openRooms({ store, workbook: noNotes, clock })
    const idOf = async (found: Promise<{ readonly id: string }>) => (await foundOrNull(found))?.id ?? null
    const ids = ['Da', 'da', ' DA\u200b', 'two', 'TWO', 'none']
    expect([
      await Promise.all(ids.map((id) => idOf(devices.get(organizationId, id)))),
      await Promise.all(['Ra', 'ra ', 'none'].map((id) => idOf(rooms.find(organizationId, id)))),
    ]).toEqual([
      ['Da', 'Da', 'Da', 'two', null, null],
      ['Ra', 'Ra', null],
    ])
  })

  it('stays the same device for the next program, after a rebuild, and when the spelling comes back', async () => {
    management.devices.MeetingRoom = [device('d1')]
    await sync.run()
    management.devices.MeetingRoom = [device('D1')]
    await sync.run()
    await sync.close()
    await store.close()
    store = await home.openStore(clock, [
      { ...roomRows, readerVersion: 90 },
      { ...deviceRows, readerVersion: 90 },
    ])
    sync = await openSync({ clock, management, store, organizationId })
    const reopened = [await stored(), sync.sentId('d1')]
    management.devices.MeetingRoom = [device('d1')]
    await sync.run()
    expect([reopened, await stored(), sync.sentId('d1')]).toEqual([[['d1 One'], 'D1'], ['d1 One'], 'd1'])
  })

  it('finds a gone device again', async () => {
    management.devices.MeetingRoom = [device('d1')]
    await sync.run()
    management.devices.MeetingRoom = []
    await sync.run()
    management.devices.MeetingRoom = [device('D1')]
    await sync.run()
    expect([await stored(), await changeKinds()]).toEqual([['d1 One'], ['d1 gone', 'd1 came-back']])
  })

  it('of a room is the same room, with the devices that its record lists', async () => {
    management.devices.MeetingRoom = [device('d1')]
    management.rooms = [aRoom(1, { devices: [{ id: 'd1' }] })]
    await sync.run()
    management.rooms = [aRoom(1, { id: 'ROOM-1', devices: [{ id: 'D1', name: 'x' }] })]
    const { rooms } = await sync.run()
    const room = await openRooms({ store, workbook: noNotes, clock }).find(organizationId, 'room-1')
    expect([rooms.gone, room.devices?.map(({ id, name }) => `${id} ${name}`)]).toEqual([0, ['d1 One']])
  })
})

describe('two live devices whose ids differ in case only', () => {
  const note =
    'Two devices have IDs that differ only in case, such as D1. Each is kept as a device of its own.'
  const two = (...ids: string[]) => ids.map((id) => device(id, { name: `Of ${id}` }))

  it.each([
    ['from the beginning', ['d1', 'D1'], ['D1', 'd1']],
    ['the new one last', ['d1'], ['d1', 'D1']],
    ['the new one first', ['d1'], ['D1', 'd1']],
  ])('stay two, %s, and that is said once', async (_, first, second) => {
    management.devices.MeetingRoom = two(...first)
    await sync.run()
    const said = [...sync.state().notes]
    management.devices.MeetingRoom = two(...second)
    const { complete, devices } = await sync.run()
    said.push(...sync.state().notes)
    await sync.run()
    said.push(...sync.state().notes)
    expect([complete, devices.read, devices.gone, await stored(), said]).toEqual([
      true,
      2,
      0,
      ['D1 Of D1', 'd1 Of d1'],
      [note],
    ])
    expect([sync.sentId('d1'), sync.sentId('D1')]).toEqual(['d1', 'D1'])
  })

  it('are gone one by one', async () => {
    management.devices.MeetingRoom = two('d1', 'D1')
    await sync.run()
    management.devices.MeetingRoom = two('D1')
    await sync.run()
    expect(await stored()).toEqual(['D1 Of D1', 'd1 Of d1 gone'])
  })
})

it('changes of a device stay together', async () => {
  management.devices.MeetingRoom = [device('d1')]
  await sync.run()
  management.devices.MeetingRoom = [device('D1', { name: 'Two' })]
  await sync.run()
  expect(await changeKinds()).toEqual(['d1 renamed'])
  expect((await openDevices({ store, clock }).get(organizationId, 'd1')).name).toBe('Two')
})
