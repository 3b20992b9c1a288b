import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceSortColumns } from '../../../electron/contract/fields/device.ts'
import { Fleet, by, organizationId } from './a-fleet.ts'

const fleet = new Fleet()
beforeAll(() => fleet.open())
afterAll(() => fleet.home.remove())

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
    ['userName', '1234', '3214'],
    ['computerName', '1243', '2143'],
    ['operatingSystem', '2143', '1243'],
    ['ipAddress', '1243', '2143'],
    ['macAddress', '3412', '3412'],
    ['clientVersion', '1324', '2134'],
    ['groupId', '1243', '2143'],
    ['productId', '3124', '1234'],
    ['addedAt', '4123', '3412'],
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
    ['ties of all are broken by name', [...by('variantType'), ...by('clientName')], '1234'],
    [
      'four columns',
      [...by('variantType'), ...by('status'), ...by('roomName', true), ...by('name', true)],
      '3214',
    ],
    ['none: by name', [], '4123'],
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
