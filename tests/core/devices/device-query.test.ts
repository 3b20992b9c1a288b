import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceSortColumns } from '../../../electron/contract/fields/device.ts'
import { Fleet, by, organizationId } from './a-fleet.ts'
import { failureOf } from '../../failure-of.ts'

const fleet = new Fleet()
beforeAll(() => fleet.open())
afterAll(() => fleet.home.remove())

const sorted = (digits: string): string => [...digits].sort().join('')

describe('free words', () => {
  it.each([
    ['nothing typed: all devices that are not gone', '', '4132'],
    ['part of a name', 'uddl', '12'],
    ['letters in any case and without accents', 'ANGSTROM', '3'],
    ['a serial number', 'abc124', '2'],
    ['a room', 'aarhus', '1'],
    ['a room with an accent', '"århus 1"', '2'],
    ['a room and a name', 'aarhus huddle', '1'],
    ['words in quotes belong together', '"Huddle 9"', '1'],
    ['the same words apart', 'Huddle 9', '1'],
    ['a location', 'second', '2'],
    ['a product', 'evolve2', '3'],
    ['a user', 'aase', '1'],
    ['two letters', 'bo', '2'],
    ['one letter with an accent', 'å', '123'],
    ['a MAC address with colons', '00:1a:2b:3c:4d:5e', '3'],
    ['the beginning of a MAC address with dashes', '00-1A-2B', '3'],
    ['a MAC address with dots', '001a.2b3c.4d5e', '3'],
    ['a MAC address without separators', '001A2B3C4D5E', '3'],
    ['a whole id', 'D00000004', '4'],
    ['a complete group id', 'group-0000', ''],
    ['a per cent sign is literal', '"50 %"', '3'],
    ['an underscore is literal', '_', ''],
    ['words that match nothing together', 'evolve2 huddle', ''],
    ['operators of the index are literal', '"uddl" NOT * AND (', ''],
    ['a negated word', '!huddle', '34'],
    ['a blank in quotes matches everything', '" "', '1234'],
  ])('%s', async (_, where, expected) => {
    expect(sorted(await fleet.found(where))).toBe(sorted(expected))
  })

  it('control characters separate words', async () => {
    expect([
      await fleet.found('\u0000\u0000'),
      await fleet.found('zoë\u0000ångström'),
      await fleet.found('"zoë\u0007ångström"'),
    ]).toEqual(['4123', '3', '3'])
  })
})

describe('keys', () => {
  it.each([
    // Status: a complete value, in any case; also values that only the service knows.
    ['status:offline', '3'],
    ['status:Sleeping,offline', '34'],
    ['status:SLEEPING', '4'],
    ['status:off', ''],
    ['!status:online', '34'],
    // Firmware by version order and by parts.
    ['fw:4', '124'],
    ['fw:4.2', '12'],
    ['fw:4.2.0', '12'],
    ['fw:4.2.0.2', ''],
    ['fw:4.1', ''],
    ['fw:v4.10', '4'],
    ['fw:=4.10', '4'],
    ['fw:=4.10.0', '4'],
    ['fw:=4.2', ''],
    ['fw:<4.2.0.21', '1'],
    ['fw:<=4.2.0.21', '12'],
    ['fw:>4.2.0.9', '24'],
    ['fw:>=4.10', '4'],
    ['fw:4.10,4.2.0.9', '14'],
    ['fw:""', '3'],
    ['!fw:4.2', '34'],
    ['!fw:<4.10', '34'],
    ['firmware:4.2.0.9', '1'],
    // Compliance with the catalogue; a device without it is unknown.
    ['fw:behind', '1'],
    ['fw:Revoked', '2'],
    ['fw:unknown', '34'],
    ['fw:behind,unknown', '134'],
    ['!fw:behind', '234'],
    ['fw:current', ''],
    // Time since last seen; unknown never matches, but a negated filter includes it.
    ['age:>1d', '14'],
    ['age:>2d', '4'],
    ['age:<1d', '3'],
    ['age:<15h', '3'],
    ['age:<14h', ''],
    ['age:""', '2'],
    // The clock is stopped at 14:02, so these are the exact minutes since the first device was seen.
    ['age:>=2282min', '14'],
    ['age:>2282min', '4'],
    ['age:<=2282min', '13'],
    ['age:<2282min', '3'],
    ['!age:>1d', '23'],
    ['seen:>=3000min', '4'],
    // Rooms.
    ['room:aarhus', '1'],
    ['room:"arhus 1"', '2'],
    ['room:"ÅRHUS 12"', '2'],
    ['room:="Aarhus 3"', '1'],
    ['room:=Aarhus', ''],
    ['room:Second', ''],
    ['room:""', '34'],
    ['!room:aarhus', '234'],
    ['location:aarhus', '1'],
    ['location:="second floor"', '2'],
    ['location:""', '34'],
    ['room:3,12', '12'],
    // Products.
    ['product:panacast', '12'],
    ['product:="jabra evolve2 65"', '3'],
    ['product:=evolve2', ''],
    ['product:""', '4'],
    ['product:="Jabra Evolve2 65","Jabra PanaCast 50"', '123'],
    ['!product:panacast', '34'],
    ['pid:9395', '3'],
    ['pid:0x24B3', '3'],
    ['pid:""', '4'],
    ['variant:01', '123'],
    ['variant:""', '4'],
    // Texts of the device itself.
    ['name:huddle', '12'],
    ['name:"uddle 1"', '2'],
    ['name:="HUDDLE 9"', '1'],
    ['name:ærø', '3'],
    ['name:"50 %"', '3'],
    ['name:D0000', '4'],
    ['serial:123', '1'],
    ['serial:=abc124', '2'],
    ['serial:12', '12'],
    ['serial:""', '3'],
    ['!serial:abc123', '234'],
    ['user:angstrom', '3'],
    ['user:Å', '13'],
    ['user:="zoe ångström"', '3'],
    ['user:""', '4'],
    ['computer:pc', '12'],
    ['pc:=PC-9', '1'],
    ['computer:""', '34'],
    ['os:mac', '2'],
    ['os:=windows\u002011', ''],
    ['os:="windows 11"', '1'],
    ['ip:10.0.0', '12'],
    ['ip:=10.0.0.9', '1'],
    ['mac:00:1a:2b:3c:4d:5e', '3'],
    ['mac:001A2B', '3'],
    ['mac:=001a.2b3c.4d5e', '3'],
    ['mac:4d-5e', '3'],
    ['mac:-', ''],
    ['mac:""', '124'],
    ['client:jabra', '123'],
    ['client:""', '4'],
    ['client-version:6', '123'],
    ['client-version:<6.9', '13'],
    ['client-version:6.1', '13'],
    ['client-version:""', '4'],
    ['group:GROUP-1', '1'],
    ['group:group', ''],
    ['group:""', '34'],
    ['id:d00000003', '3'],
    ['id:d0000000', ''],
    // Tags, lists and notes of a technician.
    ['tag:spare', '13'],
    ['tag:"at the session"', '1'],
    ['tag:spar', ''],
    ['tag:""', '24'],
    ['!tag:spare', '24'],
    ['list:VISIT', '2'],
    ['list:nowhere', ''],
    // Times.
    ['added:<1d', '3'],
    ['added:>1d', '124'],
    ['read:<1h', '1234'],
    ['read:>1h', ''],
    // Devices that are gone.
    ['gone:yes', '5'],
    ['gone:any', '12345'],
    ['gone:no', '1234'],
    ['!gone:no', '5'],
    ['gone:no,yes', '12345'],
    // Combinations.
    ['status:online fw:<4.2.0.21 room:aarhus', '1'],
    ['status:online !tag:spare', '2'],
    ['name:100%', ''],
    ['name:_', ''],
    ['name:"\'; DROP TABLE device_row; --"', ''],
  ])('%s', async (where, expected) => {
    expect(sorted(await fleet.found(where))).toBe(expected)
  })
})

describe('a filter that cannot be parsed', () => {
  it.each([
    ['status:online fw:<x', 'fw:<x'],
    ['nme:x', 'nme'],
  ])('%s is rejected with the problem and its place', async (where, word) => {
    const place = where.indexOf(word)
    const failure = await failureOf(
      fleet.devices.slice(organizationId, { where, sort: by('name'), start: 0, count: 10 }),
    )
    expect(failure).toMatchObject({
      kind: 'invalid',
      field: 'where',
      message: expect.stringContaining(`at character ${place + 1}`),
    })
  })

  it('names the part, its place and what would be accepted', async () => {
    expect(await failureOf(fleet.devices.facets(organizationId, 'status:online seen:7d'))).toEqual({
      kind: 'invalid',
      field: 'where',
      message: 'seen:7d at character 15: an age needs < or > before it, such as >7d or <7d.',
    })
  })
})

describe('sorting by one column in natural order, missing values last in both directions', () => {
  it.each([
    ['name', '4123', '3214'],
    ['productName', '3124', '1234'],
    ['serialNumber', '1243', '4213'],
    ['firmwareVersion', '1243', '4213'],
    ['firmware', '2143', '1243'],
    ['status', '3124', '4123'],
    ['lastSeenAt', '4132', '3142'],
    ['roomName', '1243', '2143'],
    ['location', '1243', '2143'],
    ['userOrRoom', '1243', '3421'],
    ['userName', '1234', '3214'],
    ['computerName', '1243', '2143'],
    ['operatingSystem', '2143', '1243'],
    ['ipAddress', '1243', '2143'],
    ['macAddress', '3124', '3124'],
    ['clientVersion', '1324', '2134'],
    ['groupId', '1243', '2143'],
    ['productId', '3124', '1234'],
    ['addedAt', '1243', '3124'],
    ['id', '1234', '4321'],
  ] as const)('%s', async (column, ascending, descending) => {
    expect([await fleet.found('', by(column)), await fleet.found('', by(column, true))]).toEqual([
      ascending,
      descending,
    ])
  })
})

describe('sorting by several columns', () => {
  it.each([
    ['the next breaks ties of the first', [...by('productName'), ...by('serialNumber', true)], '3214'],
    ['a column named twice counts once', [...by('status'), ...by('status', true)], '3124'],
    ['ties of all are broken by title', [...by('variantType'), ...by('clientName')], '1234'],
    [
      'four columns',
      [...by('variantType'), ...by('status'), ...by('roomName', true), ...by('name', true)],
      '3214',
    ],
    ['none: by title', [], '1243'],
  ])('%s', async (_, sort, expected) => {
    expect(await fleet.found('', sort)).toBe(expected)
  })
})

it('returns every row once for every column', async () => {
  for (const column of deviceSortColumns)
    for (const descending of [false, true])
      expect([...(await fleet.found('gone:any', by(column, descending)))].sort().join('')).toBe('12345')
})

it('finds a position in the order, and null for an unknown row or one that does not match', async () => {
  const place = (where: string, id: string) =>
    fleet.devices.position(organizationId, { where, sort: by('name'), id })
  expect([
    await place('', 'D00000002'),
    await place('status:offline', 'D00000002'),
    await place('', 'nothing'),
  ]).toEqual([
    { index: 2, total: 4 },
    { index: null, total: 1 },
    { index: null, total: 4 },
  ])
})
