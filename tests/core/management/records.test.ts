import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../electron/contract/json.ts'
import { parseDevice, parseRoom } from '../../../electron/core/management/management.ts'
import { aDevice, aRoom } from '../../a-device.ts'
import { cases, count } from '../../setup/cases.ts'

const device = (changes: JsonObject) => {
  const reading = parseDevice(aDevice(1, changes))
  if (!reading.readable) throw new Error(reading.why)
  return reading.record
}
const room = (changes: JsonObject) => {
  const reading = parseRoom(aRoom(1, changes))
  if (!reading.readable) throw new Error(reading.why)
  return reading.record
}

describe('a device', () => {
  it('is parsed completely, and stored as received', () => {
    const raw = aDevice(1, { unknownMember: { deep: [1] } })
    expect(parseDevice(raw)).toEqual({
      readable: true,
      record: {
        id: 'D00000001',
        name: 'Device 1',
        serialNumber: 'SN000001',
        productId: 12306,
        variantType: '01',
        productName: 'Jabra PanaCast 50',
        firmwareVersion: '4.2.0.9',
        firmwareUpdateInProgress: false,
        groupId: null,
        status: 'online',
        lastSeenAt: Date.UTC(2026, 10, 21, 13, 55, 0, 123),
        addedAt: Date.UTC(2026, 2, 1, 8),
        userName: 'user1',
        computerName: 'PC-1',
        operatingSystem: 'Windows 11',
        ipAddress: '10.0.0.1',
        macAddress: 'AA:BB:CC:DD:EE:FF',
        clientName: 'Jabra+',
        clientVersion: '6.1.0',
        clientType: 'MeetingRoom',
        computer: {
          name: 'PC-1',
          operatingSystem: 'Windows 11',
          userName: 'user1',
          ipAddress: '10.0.0.1',
          macAddress: 'AA:BB:CC:DD:EE:FF',
        },
        client: {
          client: 'JabraPlus',
          name: 'Jabra+',
          version: '6.1.0',
          type: 'MeetingRoom',
          autoUpdate: true,
        },
        raw,
      },
    })
  })

  it.each<[string, (word: string) => string]>([
    ['with a capital', (word) => (word[0] ?? '').toUpperCase() + word.slice(1)],
    ['in capitals', (word) => word.toUpperCase()],
    ['in words', (word) => word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
    ['with dashes', (word) => word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)],
  ])('accepts members spelled %s', (_, spelled) => {
    const respelled = (json: Json): Json =>
      typeof json !== 'object' || json === null || Array.isArray(json)
        ? json
        : Object.fromEntries(Object.entries(json).map(([name, value]) => [spelled(name), respelled(value)]))
    const [raw, rawRoom] = [aDevice(1), aRoom(1)]
    expect([parseDevice(respelled(raw)), parseRoom(respelled(rawRoom))]).toEqual(
      [parseDevice(raw), parseRoom(rawRoom)].map((reading) =>
        reading.readable
          ? { ...reading, record: { ...reading.record, raw: respelled(reading.record.raw) } }
          : reading,
      ),
    )
  })

  it.each([
    ['null', null, 'not-an-object'],
    ['a list', [aDevice(1)], 'not-an-object'],
    ['text', 'D1', 'not-an-object'],
    ['no id', { name: 'x' }, 'no-usable-id'],
    ['a null id', { id: null }, 'no-usable-id'],
    ['a blank id', { id: ' \t' }, 'no-usable-id'],
    ['an id that is an object', { id: {} }, 'no-usable-id'],
    ['an id that is true', { id: true }, 'no-usable-id'],
    ['an id with half a character', { id: 'D\ud800' }, 'no-usable-id'],
    ['an id that is too long', { id: 'D'.repeat(513) }, 'no-usable-id'],
  ] as const)('%s is unreadable', (_, json, why) => {
    expect(parseDevice(json)).toEqual({ readable: false, why })
  })

  it.each([
    ['Online', null, 'online'],
    ['ONLINE', false, 'online'],
    ['offline', true, 'offline'],
    ['Rebooting', null, 'rebooting'],
    ['InFirmwareUpdate', true, 'InFirmwareUpdate'],
    [null, true, 'online'],
    ['', false, 'offline'],
    [null, null, 'unknown'],
    [7, {}, '7'],
    [{}, 'TRUE', 'online'],
  ] as const)(
    'has with status word %j and connected %j: %s',
    (deviceConnectionStatus, isConnected, expected) => {
      expect(device({ deviceConnectionStatus, isConnected }).status).toBe(expected)
    },
  )

  it('does not take a number with an exponent for a version or a name', () => {
    const { firmwareVersion, variantType } = device({ firmwareVersion: 1e300, variantType: 1e300 })
    expect([firmwareVersion, variantType]).toEqual([null, null])
  })

  it.each([
    ['2026-11-21T13:55:00Z', Date.UTC(2026, 10, 21, 13, 55)],
    ['2026-11-21T13:55:00.1Z', Date.UTC(2026, 10, 21, 13, 55, 0, 100)],
    ['2026-11-21T13:55:00.123456789+02:00', Date.UTC(2026, 10, 21, 11, 55, 0, 123)],
    ['2026-11-21T13:55:00-0530', Date.UTC(2026, 10, 21, 19, 25)],
    ['2026-11-21T13:55:00', Date.UTC(2026, 10, 21, 13, 55)],
    ['2026-11-21 13:55', Date.UTC(2026, 10, 21, 13, 55)],
    ['2026-11-21T13:55:00+01:00[Europe/Copenhagen]', Date.UTC(2026, 10, 21, 12, 55)],
    ['0001-01-01T00:00:00Z', null],
    ['2026-13-01T00:00:00Z', null],
    ['2026-02-31T00:00:00Z', null],
    ['2026-04-31', null],
    ['2025-02-29', null],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2026-00-10', null],
    ['2026-11-00', null],
    ['2026-11-21T24:30:00Z', null],
    ['2026-11-21T24:00:00Z', Date.UTC(2026, 10, 22)],
    ['2026-12-31T23:59:60Z', Date.UTC(2027, 0, 1)],
    ['2026-11-21T13:55:00+99:99', null],
    ['2026-11-21T13:55:00+14:00', Date.UTC(2026, 10, 20, 23, 55)],
    ['yesterday', null],
    [1763733300000, 1763733300000],
    [1763733300, 1763733300000],
    ['1763733300', 1763733300000],
    [20261121, null],
    [1e300, null],
    [null, null],
  ] as const)('time %j', (lastSeenAt, expected) => {
    expect(device({ lastSeenAt }).lastSeenAt).toBe(expected)
  })

  it.each([
    ['aabbccddeeff', 'AA:BB:CC:DD:EE:FF'],
    ['aa-bb-cc-dd-ee-ff', 'AA:BB:CC:DD:EE:FF'],
    ['AABB.CCDD.EEFF', 'AA:BB:CC:DD:EE:FF'],
    ['not a MAC', 'not a MAC'],
    ['', null],
  ])('MAC address %j', (macAddress, expected) => {
    expect(device({ computer: { macAddress } }).computer?.macAddress).toBe(expected)
  })

  it.each([
    [{ name: '' }, 'Jabra PanaCast 50'],
    [{ name: null, productName: null }, 'D00000001'],
    [{ name: 42 }, '42'],
  ])('is named by what it has: %j', (changes, expected) => {
    expect(device(changes).name).toBe(expected)
  })

  it('shows 500 characters of a longer text, and keeps the whole raw record', () => {
    const long = 'æ'.repeat(499) + '\u{1F600}'.repeat(1_000)
    const { name, computer, client, status, raw } = device({
      name: long,
      deviceConnectionStatus: long,
      computer: { macAddress: long, userName: long },
      jabraClient: { clientName: long },
    })
    const visible = `${'æ'.repeat(499)}…`
    expect([name, status, computer?.macAddress, computer?.userName, client?.name]).toEqual([
      visible,
      visible,
      visible,
      visible,
      visible,
    ])
    expect(raw['name']).toBe(long)
  })

  it('is parsed in any case of its members, and inside another object', () => {
    const raw = aDevice(1)
    const capitals = (json: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(json).map(([name, value]) => [name[0]!.toUpperCase() + name.slice(1), value]),
      )
    const inner = {
      computer: capitals(raw['computer'] as JsonObject),
      jabraClient: [capitals(raw['jabraClient'] as JsonObject)],
    }
    const expected = device({})
    for (const odd of [
      capitals({ ...raw, ...inner }),
      { device: { ...raw, ...inner }, settings: {} },
      { ...raw, ...inner, id: null, deviceId: raw['id'] ?? null },
    ])
      expect(parseDevice(odd)).toEqual({ readable: true, record: { ...expected, raw: odd } })
  })

  it.each<[JsonObject, string | null]>([
    [{ jabraClient: { clientType: 'meetingRoom' } }, 'MeetingRoom'],
    [{ jabraClient: { clientType: 'meeting-room' } }, 'MeetingRoom'],
    [{ jabraClient: { clientType: 'PERSONAL' } }, 'Personal'],
    [{ jabraClient: { clientType: 'Kiosk' } }, 'Kiosk'],
    [{ jabraClient: { clientType: null }, clientType: 'Personal' }, 'Personal'],
    [{ jabraClient: null, deviceClientType: 'meetingroom' }, 'MeetingRoom'],
    [{ jabraClient: null }, null],
    [{ jabraClient: { clientType: 7 } }, '7'],
  ])('client type in %j', (changes, type) => {
    expect(device(changes).client?.type ?? null).toBe(type)
  })

  it('accepts numbers and texts for flags', () => {
    expect(
      [1, 0, '1', '0', 'TRUE', 'no'].map(
        (isConnected) => device({ isConnected, deviceConnectionStatus: null }).status,
      ),
    ).toEqual(['online', 'offline', 'online', 'offline', 'online', 'unknown'])
  })

  it.each([
    [5_000_000_000, 5_000_000_000],
    [-1, -1],
    ['0x24B3', 9395],
    ['9395', 9395],
    [9395.5, null],
    ['99999999999999999999', null],
    [1e300, null],
    [[9395], null],
  ])('product id %j', (productId, expected) => {
    expect(device({ productId }).productId).toBe(expected)
  })

  it('belongs to the room of its group id, in any notation', () => {
    expect([' group-1 ', 17, '', {}].map((groupId) => device({ groupId }).groupId)).toEqual([
      'group-1',
      '17',
      null,
      null,
    ])
  })

  it('has no computer, client or room when the service sends none', () => {
    const { computer, client, groupId } = device({ computer: null, jabraClient: 'none', groupId: '' })
    expect({ computer, client, groupId }).toEqual({ computer: null, client: null, groupId: null })
  })
})

describe('a room', () => {
  it('is parsed completely', () => {
    const raw = aRoom(1, {
      devices: [
        { id: 'D1', name: 'Bar', deviceConnectionStatus: 'Offline', firmwareStatus: 'UpToDate' },
        'junk',
        { name: 'no id' },
      ],
    })
    expect(parseRoom(raw)).toEqual({
      readable: true,
      record: {
        id: 'room-1',
        groupId: 'group-1',
        name: 'Room 1',
        status: 'connected',
        location: 'Aarhus',
        type: 'TeamsRooms',
        seatCount: 8,
        timeZone: 'Europe/Copenhagen',
        createdAt: Date.UTC(2026, 0, 1),
        devices: [{ id: 'D1', name: 'Bar', status: 'offline', firmwareStatus: 'UpToDate' }],
        raw,
      },
    })
  })

  it.each([
    ['DISCONNECTED', 'disconnected'],
    ['Degraded', 'Degraded'],
    [null, 'unknown'],
    [[], 'unknown'],
  ])('status %j: %s', (status, expected) => {
    expect(room({ status }).status).toBe(expected)
  })

  it('without a list of devices has unknown devices', () => {
    expect([
      room({ devices: null }).devices,
      room({ devices: {} }).devices,
      room({ devices: [] }).devices,
    ]).toEqual([null, null, []])
  })

  it('is parsed in any case of its members, inside another object, and with another name for its id', () => {
    const raw = aRoom(1)
    const capitals = Object.fromEntries(
      Object.entries(raw).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const { id, ...others } = raw
    for (const odd of [capitals, { meetingRoom: raw }, { ...others, roomId: id! }])
      expect(parseRoom(odd)).toEqual({ readable: true, record: { ...room({}), raw: odd } })
  })

  it('lists each device once, also from an envelope', () => {
    const [one, two] = [
      { id: 'D1', name: 'Bar' },
      { deviceId: 2, name: 'Panel' },
    ]
    const listed = [
      { id: 'D1', name: 'Bar', status: 'unknown', firmwareStatus: null },
      { id: '2', name: 'Panel', status: 'unknown', firmwareStatus: null },
    ]
    expect([
      room({ devices: [one, two, one] }).devices,
      room({ devices: { items: [one, two] } }).devices,
    ]).toEqual([listed, listed])
  })
})

describe('any service data', () => {
  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>
  const members = Object.keys(aDevice(1, aRoom(1)))

  it('any JSON is a record or a reason, never an exception', () => {
    fc.assert(
      fc.property(json, fc.dictionary(fc.constantFrom(...members), json), (whole, object) => {
        for (const value of [whole, object as Json]) {
          for (const reading of [parseDevice(value), parseRoom(value)])
            if (reading.readable) expect(reading.record.id).not.toBe('')
        }
      }),
      { numRuns: cases(2_000) },
    )
  })

  it('of records with 5 % damage each one is accounted for', () => {
    const records = cases(100_000, 4_000)
    const damages: readonly ((record: JsonObject) => Json)[] = [
      () => null,
      () => 'text',
      (record) => ({ ...record, id: null }),
      (record) => ({
        ...record,
        computer: 'x',
        lastSeenAt: {},
        productId: 'many',
        deviceConnectionStatus: [],
      }),
      (record) =>
        Object.fromEntries(
          Object.keys(record).map((name) => [name, name === 'id' ? (record['id'] ?? null) : null]),
        ),
    ]
    let readable = 0
    const why = new Map<string, number>()
    for (let number = 0; number < records; number++) {
      const record = aDevice(number)
      const damage = number % 20 === 0 ? damages[(number / 20) % damages.length] : undefined
      const reading = parseDevice(damage ? damage(record) : record)
      if (reading.readable) readable++
      else why.set(reading.why, (why.get(reading.why) ?? 0) + 1)
    }
    expect([readable, Object.fromEntries(why)]).toEqual([
      0.97 * records,
      { 'not-an-object': 0.02 * records, 'no-usable-id': 0.01 * records },
    ])
    count('cases', records, readable + 0.03 * records)
  })
})
