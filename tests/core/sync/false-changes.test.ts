import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../electron/contract/json.ts'
import type { Store } from '../../../electron/core/storage/store.ts'
import { openSync, type Sync } from '../../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeManagement } from '../../fake-management.ts'
import { TemporaryHome } from '../../temporary-store.ts'

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
  sync = await openSync({ clock, management, store, organizationId: 'org' })
})
afterEach(async () => {
  await sync.close()
  await home.remove()
})

/** The changes that are stored after a sync. */
const changesAfterSync = async (): Promise<readonly string[]> => {
  await clock.advance(60_000)
  expect(await sync.run()).toMatchObject({ complete: true })
  const rows = await store.database.query('SELECT kind, before, after FROM change ORDER BY id')
  return rows.map((row) => `${String(row['kind'])} ${String(row['before'])}>${String(row['after'])}`)
}
/** The changes after syncs of one record with these members. */
const ofDevice = async (...members: readonly JsonObject[]): Promise<readonly string[]> => {
  let found: readonly string[] = []
  for (const changed of members) {
    management.devices.MeetingRoom = [aDevice(1, changed)]
    found = await changesAfterSync()
  }
  return found
}
const ofRooms = async (...syncs: readonly (readonly JsonObject[])[]): Promise<readonly string[]> => {
  let found: readonly string[] = []
  for (const rooms of syncs) {
    management.rooms = rooms.map((changed) => aRoom(1, changed))
    found = await changesAfterSync()
  }
  return found
}

const status = (deviceConnectionStatus: string | null): JsonObject => ({
  deviceConnectionStatus,
  isConnected: null,
})

describe('a member that is null in one sync', () => {
  it.each<[string, readonly JsonObject[], readonly string[]]>([
    ['firmware as before', ['1.0', null, null, '1.0'].map((firmwareVersion) => ({ firmwareVersion })), []],
    [
      'other firmware',
      ['1.0', null, '2.0', '3.0'].map((firmwareVersion) => ({ firmwareVersion })),
      ['firmware-changed 1.0>2.0', 'firmware-changed 2.0>3.0'],
    ],
    [
      'firmware that was never known',
      [{ firmwareVersion: null }, { firmwareVersion: '1.0' }],
      ['firmware-changed null>1.0'],
    ],
    ['name as before', ['Bar', null, 'Bar'].map((name) => ({ name })), []],
    ['other name', ['Bar', null, 'Pad'].map((name) => ({ name })), ['renamed Bar>Pad']],
    ['status as before', ['Online', null, 'Online'].map(status), []],
    ['other status', ['Online', null, null, 'Offline'].map(status), ['went-offline online>offline']],
  ])('is compared with the last known value: %s', async (_, members, expected) => {
    expect(await ofDevice(...members)).toEqual(expected)
  })

  it.each<[string, readonly JsonObject[], readonly string[]]>([
    ['name as before', ['Bar', null, 'Bar'].map((name) => ({ name })), []],
    ['other name', ['Bar', null, 'Pad'].map((name) => ({ name })), ['renamed Bar>Pad']],
    [
      'other status',
      ['Connected', null, 'Disconnected'].map((word) => ({ status: word })),
      ['went-offline connected>disconnected'],
    ],
  ])('of a room: %s', async (_, members, expected) => {
    expect(await ofRooms(...members.map((one) => [one]))).toEqual(expected)
  })
})

describe('a room listed under two group ids', () => {
  const thin = { deviceGroupId: 'group-2', name: null, locationName: null }
  const other = { deviceGroupId: 'group-2', name: 'Fjord 2', status: 'Disconnected' }
  const full = { name: 'Fjord' }

  it.each([
    ['less first', [thin, full]],
    ['less last', [full, thin]],
    ['as much, with other values', [full, other]],
    ['three of them', [full, other, { ...other, deviceGroupId: 'group-3', name: 'Fjord 3' }]],
  ])('does not change while its records stay: %s', async (_, records) => {
    expect(await ofRooms(records, records, records)).toEqual([])
  })

  it('changes once when both records change', async () => {
    const both = (changed: JsonObject) => [
      { ...full, ...changed },
      { deviceGroupId: 'group-2', ...changed },
    ]
    const changed = { name: 'Sound', status: 'Disconnected' }
    expect(await ofRooms(both({ name: 'Fjord' }), both(changed), both(changed))).toEqual([
      'went-offline connected>disconnected',
      'renamed Fjord>Sound',
    ])
  })

  it('changes once when the second record does not tell what changed', async () => {
    const silent = { deviceGroupId: 'group-2', name: null, extra: 'one' }
    expect(await ofRooms([full, silent], [{ name: 'Sound' }, silent], [{ name: 'Sound' }, silent])).toEqual([
      'renamed Fjord>Sound',
    ])
  })
})
