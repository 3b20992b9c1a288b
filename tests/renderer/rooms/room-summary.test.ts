import { formatWhen } from '../../../renderer/components/format.ts'
import { visibleHealth } from '../../../renderer/lists/room-cell.ts'
import { describe, expect, it } from 'vitest'
import type {
  Room,
  RoomDevice,
  RoomHealth,
  RoomListRow,
  RoomMember,
} from '../../../electron/contract/api/rooms.ts'
import { markOfHealth, wordOfHealth } from '../../../renderer/lists/room-cell.ts'
import {
  namedInRoom,
  deviceNames,
  reasonOf,
  shortReasonOf,
  summaryOf,
  type RoomSummary,
} from '../../../renderer/rooms/room-summary.ts'

const room: Room = {
  id: 'room-1',
  name: 'Oslo Fjord 2',
  status: 'connected',
  location: 'Oslo',
  site: 'Oslo',
  offlineSinceAt: null,
  type: null,
  seatCount: 8,
  groupIds: ['group-1'],
  deviceCount: 0,
  onlineCount: 0,
  health: 'ok',
  unknownCount: 0,
  worstFirmware: null,
  behindCount: 0,
  lastSeenAt: null,
  observedAt: 0,
  gone: false,
  goneAt: null,
  timeZone: null,
  createdAt: null,
  devices: null,
  raw: {},
}
const member = (name: string, status = 'online', firmwareStatus: string | null = null): RoomDevice => ({
  id: `id of ${name}`,
  name,
  status,
  productName: null,
  serialNumber: null,
  firmwareVersion: null,
  firmwareStatus,
  firmware: null,
  lastSeenAt: null,
  observedAt: 0,
})
const now = Date.UTC(2026, 10, 30, 12)
/** A room as the service returns it: its own counts, and its members. */
function summarized(
  devices: readonly RoomDevice[] | null,
  health: RoomHealth,
  more: Partial<Room> = {},
): RoomSummary {
  const onlineCount = devices?.filter((one) => one.status === 'online').length ?? null
  return summaryOf(
    {
      ...room,
      status: 'connected',
      behindCount: 0,
      devices,
      onlineCount,
      deviceCount: devices?.length ?? null,
      health,
      ...more,
    },
    now,
  )
}

describe('why a room needs attention', () => {
  const drawn = (name: string, status = 'online', isRevoked = false): RoomMember => ({
    id: `id of ${name}`,
    name: null,
    productName: name,
    status,
    isRevoked,
  })
  it.each<[string, Partial<RoomListRow>, string]>([
    ['all well', { members: [drawn('Bar')] }, 'OK'],
    ['all online and behind', { members: [drawn('Bar')], behindCount: 2 }, '2 devices to update'],
    ['down', { health: 'down', members: [drawn('Bar', 'offline')] }, 'Down: Bar offline'],
    [
      'one offline, one with an error, one revoked',
      {
        health: 'trouble',
        members: [drawn('Bar', 'offline'), drawn('Pad', 'Faulty'), drawn('Speaker', 'online', true)],
      },
      'Bar offline; Pad: Faulty; Speaker: revoked firmware',
    ],
    [
      'disconnected',
      { health: 'trouble', status: 'disconnected', members: [drawn('Bar')] },
      'Reported as disconnected',
    ],
    ['unknown', { health: 'unknown', members: [drawn('Bar', 'unknown')] }, 'No data for Bar'],
    ['not known', { health: 'unknown', members: null, deviceCount: null }, 'No device data'],
    ['empty', { health: 'unknown', members: [], deviceCount: 0 }, 'No devices'],
    ['restarting', { members: [drawn('Bar', 'rebooting')], deviceCount: 1, onlineCount: 0 }, 'Rebooting'],
  ])('%s', (_what, more, words) => {
    expect(reasonOf({ ...room, members: [], deviceCount: 1, onlineCount: 1, ...more })).toBe(words)
  })
})

describe('why a room needs someone, in a row', () => {
  const products = (...names: readonly string[]): readonly RoomMember[] =>
    bars(...names).map((one) => ({ ...one, name: null, productName: one.name }))
  const bars = (...names: readonly string[]): readonly RoomMember[] =>
    names.map((name) => ({
      id: `id of ${name}`,
      name,
      productName: 'Bar',
      status: 'offline',
      isRevoked: false,
    }))
  const faulty: RoomMember = { id: 'f', name: 'Pad', productName: null, status: 'Error', isRevoked: true }
  it.each<[string, readonly RoomMember[], RoomHealth, string, string]>([
    [
      'a name without that of the room',
      bars('Oslo Fjord 2 touch controller'),
      'trouble',
      'Touch controller offline',
      'Touch controller offline',
    ],
    [
      'roles in place of products',
      products('Jabra PanaCast 50', 'Jabra Speak2 75', 'Unheard of'),
      'trouble',
      'Jabra PanaCast 50, Jabra Speak2 75, Unheard of offline',
      'Video bar and 2 more offline',
    ],
    [
      'names of the first reason only, if all do not fit',
      [...bars('TV'), faulty],
      'down',
      'Down: TV offline; Pad: Error; Pad: revoked firmware',
      'Down: TV offline; Error; revoked firmware',
    ],
    [
      'one device with two reasons',
      [{ ...bars('Jabra Speak2 75')[0]!, isRevoked: true }],
      'trouble',
      'Jabra Speak2 75 offline; revoked firmware',
      'Jabra Speak2 75 offline; revoked firmware',
    ],
    [
      'two names, then their number',
      bars('Bar', 'Panel', 'Speaker', 'Camera', 'Base'),
      'down',
      'Down: Bar, Panel, Speaker and 2 more offline',
      'Down: Bar, Panel and 3 more offline',
    ],
    [
      'of a room that is down the number of devices, if two names are too long',
      bars('Jabra PanaCast Control', 'Jabra PanaCast 50'),
      'down',
      'Down: Jabra PanaCast Control, Jabra PanaCast 50 offline',
      'Down: 2 devices offline',
    ],
    [
      'one name, if two are too long',
      bars('Touch controller', 'Table microphone pod', 'Camera'),
      'trouble',
      'Touch controller, Table microphone pod, Camera offline',
      'Touch controller and 2 more offline',
    ],
    [
      'no name, if one is too long',
      bars('A bar with a name that is longer than a row', 'Panel'),
      'trouble',
      'A bar with a name that is longer than a row, Panel offline',
      '2 devices offline',
    ],
  ])('%s', (_what, members, health, whole, short) => {
    const given: RoomListRow = { ...room, members, health, deviceCount: 1, onlineCount: 0 }
    expect([reasonOf(given), shortReasonOf(given)]).toEqual([whole, short])
  })
})

describe('the summary of a room', () => {
  it('needs no attention only when all is online and firmware is up to date', () => {
    expect(
      summarized(
        [member('bar', 'online', 'UpToDate'), member('panel', 'online', 'upToDate'), member('speaker')],
        'ok',
      ),
    ).toEqual({
      kind: 'ok',
      title: 'All 3 devices are online',
      sentence: 'Nothing in this room needs attention.',
      firmware: '',
    })
  })
  it.each<[string, readonly RoomDevice[], number, string]>([
    [
      'one update',
      [member('bar', 'online', 'UpdateAvailable'), member('panel', 'online', 'UpToDate')],
      0,
      '1 device reports UpdateAvailable.',
    ],
    [
      'two updates',
      [member('bar', 'online', 'UpdateAvailable'), member('panel', 'online', 'UpdateAvailable')],
      0,
      '2 devices report UpdateAvailable.',
    ],
    [
      'an undocumented value',
      [member('bar', 'online', 'Updating'), member('panel', 'online', 'Gone wrong')],
      0,
      '1 device reports Updating. 1 device reports Gone wrong.',
    ],
    [
      'what only the service reports, once',
      [
        { ...member('bar', 'online', 'UpdateAvailable'), firmware: 'behind', firmwareService: 'decides' },
        { ...member('panel', 'online', 'UpToDate'), firmware: 'current', firmwareService: 'decides' },
      ],
      1,
      '1 device is behind on firmware.',
    ],
    [
      'what service and catalogue agree on, once',
      [
        { ...member('bar', 'online', 'UpdateAvailable'), firmware: 'behind' },
        { ...member('panel', 'online', 'UpToDate'), firmware: 'current' },
      ],
      1,
      '1 device is behind on firmware.',
    ],
    [
      'that service and catalogue disagree',
      [
        {
          ...member('bar', 'online', 'UpdateAvailable'),
          firmware: 'current',
          firmwareService: 'contradicts',
        },
        { ...member('panel'), firmware: 'current' },
      ],
      0,
      'Service and catalogue disagree on the firmware of 1 device.',
    ],
    [
      'firmware that is behind the catalogue',
      [member('bar'), member('panel')],
      2,
      '2 devices are behind on firmware.',
    ],
    [
      'firmware that was revoked',
      [{ ...member('bar'), firmware: 'revoked', firmwareVersion: '2.50.0' }, member('panel')],
      1,
      'bar runs revoked firmware 2.50.0.',
    ],
    [
      'firmware that was revoked and firmware that is behind',
      [{ ...member('bar'), firmware: 'revoked' }, member('panel')],
      2,
      '1 device runs revoked firmware. 1 device is behind on firmware.',
    ],
  ])('shows %s although every device is online', (_what, devices, behindCount, firmware) => {
    expect(summarized(devices, 'ok', { behindCount })).toEqual({
      kind: 'ok',
      title: 'Both devices are online',
      sentence: '',
      firmware,
    })
  })
  it('says since when each device is offline, and counts those with one name and one time', () => {
    const seen = (name: string, hoursAgo: number) => ({
      ...member(name, 'offline'),
      lastSeenAt: now - hoursAgo * 3_600_000,
    })
    const devices = [seen('bar', 2), seen('pad', 24), seen('pad', 24)]
    const [today, before] = [formatWhen(now - 7_200_000, now), formatWhen(now - 86_400_000, now)]
    const names = `bar since ${today}, 2 × pad since ${before}.`
    expect([
      summarized(devices, 'down').sentence,
      summarized([...devices, member('hub')], 'trouble').sentence,
    ]).toEqual([names, `Offline: ${names}`])
  })
  it('counts known and unknown devices, with both numbers', () => {
    const devices = [
      member('bar'),
      member('panel'),
      member('hub', 'unknown'),
      member('cam', 'offline'),
      member('dial', 'unknown'),
    ]
    expect(summarized(devices, 'trouble')).toEqual({
      kind: 'warn',
      title: '2 of 5 devices online',
      sentence: 'Offline: cam. No data for hub, dial. They may well be online.',
      firmware: '',
    })
  })
  it('shows an undocumented status in words, before offline devices', () => {
    expect(
      summarized([member('bar', 'offline'), member('panel', 'FirmwareUpdateFailed')], 'trouble'),
    ).toEqual({
      kind: 'warn',
      title: 'Neither device is known to be online',
      sentence: 'Firmware update failed: panel. Offline: bar.',
      firmware: '',
    })
  })
  it.each([
    [1, 'The device is offline'],
    [2, 'Both devices are offline'],
    [3, 'All 3 devices are offline'],
  ])('says that all of %i devices are offline, and not so if one is unknown', (count, title) => {
    const devices = Array.from({ length: count }, (_, at) => member(`bar ${at}`, 'offline'))
    const others = [...devices, member('hub', 'unknown'), member('cam', 'unknown')]
    expect([summarized(devices, 'down').title, summarized(others, 'trouble').title]).toEqual([
      title,
      `None of ${count + 2} devices is known to be online`,
    ])
  })
  it('trusts a device that is not online more than a count that reports all as online', () => {
    expect(summarized([member('bar', 'rebooting'), member('panel')], 'ok', { onlineCount: 2 })).toEqual({
      kind: 'ok',
      title: '1 of 2 devices online',
      sentence: 'Rebooting: bar.',
      firmware: '',
    })
  })
  it('shows a count without known members', () => {
    expect(summarized(null, 'trouble', { deviceCount: 5, onlineCount: 3 })).toEqual({
      kind: 'warn',
      title: '3 of 5 devices online, 2 not online',
      sentence: '',
      firmware: '',
    })
  })
  it('shows that the service reports a room as disconnected whose devices are all online', () => {
    expect(summarized([member('bar')], 'trouble', { status: 'disconnected' })).toEqual({
      kind: 'warn',
      title: 'The device is online',
      sentence: 'The service reports the room as disconnected.',
      firmware: '',
    })
  })
  it('counts unknown as neither', () => {
    expect(summarized(null, 'unknown')).toEqual({
      kind: 'unknown',
      title: 'No device data',
      sentence: 'No data about this room’s devices. They may well be online.',
      firmware: '',
    })
  })
})

describe('names of devices', () => {
  it.each<[readonly string[], string]>([
    [['bar'], 'bar'],
    [['bar', 'panel', 'bar', 'bar'], '3 × bar, panel'],
    [['a', 'b', 'c', 'd', 'd'], 'a, b, c and 2 more'],
    [[], ''],
  ])('of %j are shown as "%s"', (names, words) => {
    expect(deviceNames(names.map((name) => member(name)))).toBe(words)
  })
})

describe('health of a room', () => {
  it.each([
    ['ok', 'ok', 'OK'],
    ['trouble', 'warn', 'Trouble'],
    ['down', 'bad', 'Down'],
    ['unknown', 'unknown', 'Unknown'],
    ['constructor', 'unknown', 'constructor'],
  ])('%s is the mark %s with the word %s', (health, mark, word) => {
    expect([markOfHealth(health), wordOfHealth(health)]).toEqual([mark, word])
  })
})

describe('the visible health of a room', () => {
  it.each<[string, RoomHealth, number | null, number | null, unknown]>([
    ['all online', 'ok', 3, 3, { kind: 'ok', label: 'OK' }],
    ['nothing wrong, and one restarts', 'ok', 3, 2, { kind: 'busy', label: 'Rebooting' }],
    ['all of it restarts', 'ok', 3, 0, { kind: 'busy', label: 'Rebooting' }],
    ['one is offline', 'trouble', 3, 2, { kind: 'warn', label: 'Trouble' }],
    ['nothing is known', 'unknown', null, null, { kind: 'unknown', label: 'Unknown' }],
  ])('%s', (_what, health, deviceCount, onlineCount, visible) => {
    expect(visibleHealth({ health, deviceCount, onlineCount })).toEqual(visible)
  })
})

it.each([
  ['without the name of the room', [['Oslo Fjord 2 touch controller', 'Control']], ['Touch controller']],
  [
    'by product, if devices of two products have one name',
    [
      ['PanaCast 50', 'PanaCast 50'],
      ['PanaCast 50', 'PanaCast 50 MS'],
    ],
    ['PanaCast 50', 'PanaCast 50 MS'],
  ],
  [
    'as they are, if two of one product have one name',
    [
      ['Speak', 'Speak2 75'],
      ['Speak', 'Speak2 75'],
    ],
    ['Speak', 'Speak'],
  ],
])('the devices of a room are named %s', (_, devices, names) => {
  const named = namedInRoom(
    room,
    devices.map(([name = '', productName = ''], at) => ({ id: String(at), name, productName })),
  )
  expect(named.map((one) => one.name)).toEqual(names)
})
