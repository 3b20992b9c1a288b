import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDevices, deviceRows, type Devices } from '../../../electron/core/devices/devices.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement, refused400 } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

let clock: FakeClock
let home: TemporaryHome
let store: Store
let management: FakeManagement
let sync: Sync
let devices: Devices

beforeEach(async () => {
  clock = new FakeClock()
  home = new TemporaryHome()
  store = await home.openStore(clock)
  management = new FakeManagement(clock)
  devices = openDevices({ store, clock })
  sync = await openSync({
    clock,
    management,
    store,
    organizationId: 'org',
    changed: (id) => devices.changed(id),
  })
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

const silent = (number: number) => aDevice(number, { jabraClient: null })
const types = async (where = ''): Promise<string[]> => {
  const { rows } = await devices.slice('org', {
    where,
    sort: [{ column: 'name', descending: false }],
    start: 0,
    count: 100,
  })
  return rows.map(({ name, clientType }) => `${name} ${clientType ?? '-'}`)
}

describe('the client type of a device', () => {
  it('is that of its record, else the client type under which it was listed', async () => {
    management.devices = {
      MeetingRoom: [silent(1), aDevice(2, { jabraClient: { clientType: 'Kiosk' } })],
      Personal: [silent(3), aDevice(4, { jabraClient: { clientType: 'personal' } })],
    }
    await sync.run()
    expect(await types()).toEqual([
      'Device 1 MeetingRoom',
      'Device 2 Kiosk',
      'Device 3 Personal',
      'Device 4 Personal',
    ])
  })

  it('is unknown when it was listed under both, or under none', async () => {
    management.devices = { MeetingRoom: [silent(1), silent(2)], Personal: [silent(2)] }
    await sync.run()
    const both = await types()
    management.devices = { MeetingRoom: [silent(1)], Personal: [silent(2)] }
    await sync.run()
    expect([both, await types()]).toEqual([
      ['Device 1 MeetingRoom', 'Device 2 -'],
      ['Device 1 MeetingRoom', 'Device 2 Personal'],
    ])
  })

  it('stays while devices are read in one unfiltered list, and changes with the next filtered one', async () => {
    management.devices = { MeetingRoom: [silent(1)], Personal: [silent(2)] }
    await sync.run()
    management.fault = ({ what }) => (what === 'Personal' ? refused400 : null)
    management.devices = { MeetingRoom: [silent(1)], Personal: [silent(2), silent(3)] }
    await sync.run()
    const unfiltered = await types()
    management.fault = () => null
    management.devices = { MeetingRoom: [silent(2)], Personal: [silent(1), silent(3)] }
    await sync.run()
    expect([unfiltered, await types()]).toEqual([
      ['Device 1 MeetingRoom', 'Device 2 Personal', 'Device 3 -'],
      ['Device 1 Personal', 'Device 2 MeetingRoom', 'Device 3 Personal'],
    ])
  })

  it('is filtered in any notation, suggested and sorted by', async () => {
    management.devices = {
      MeetingRoom: [silent(1), silent(2)],
      Personal: [silent(3), aDevice(4, { jabraClient: { clientType: 'Kiosk' } })],
    }
    await sync.run()
    const byType = [{ column: 'clientType', descending: true }] as const
    expect({
      personal: await types('client-type:personal'),
      rooms: await types('type:meeting-room'),
      others: await types('!client-type:MEETINGROOM,personal'),
      unknown: await types('client-type:kiosk'),
      suggested: await devices.suggest('org', { key: 'type', typed: 'per' }),
      sorted: (await devices.slice('org', { where: '', sort: byType, start: 0, count: 9 })).rows.map(
        (row) => row.clientType,
      ),
    }).toEqual({
      personal: ['Device 3 Personal'],
      rooms: ['Device 1 MeetingRoom', 'Device 2 MeetingRoom'],
      others: ['Device 4 Kiosk'],
      unknown: ['Device 4 Kiosk'],
      suggested: [{ word: 'Personal', count: 1 }],
      sorted: ['Personal', 'MeetingRoom', 'MeetingRoom', 'Kiosk'],
    })
  })

  it('stays known when rows are rebuilt from the records', async () => {
    management.devices = { MeetingRoom: [silent(1)], Personal: [silent(2)] }
    await sync.run()
    await store.database.write((transaction) =>
      transaction.run('UPDATE derived_stamp SET stamp = ? WHERE part = ?', ['old', deviceRows.name]),
    )
    await sync.close()
    await store.close()
    store = await home.openStore(clock)
    devices = openDevices({ store, clock })
    sync = await openSync({ clock, management, store, organizationId: 'org' })
    expect(await types()).toEqual(['Device 1 MeetingRoom', 'Device 2 Personal'])
  })
})
