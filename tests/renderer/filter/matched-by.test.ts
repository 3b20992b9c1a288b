import { expect, it } from 'vitest'
import type { DeviceRow } from '../../../electron/contract/api/devices.ts'
import { freeWordsOf, matchedBy } from '../../../renderer/filter/matched-by.ts'

const row = {
  id: 'D1',
  name: 'Evolve2 65',
  userName: 'Anne Müller',
  computerName: 'AALB-PC-12',
  productName: 'Evolve2 65',
  serialNumber: '00A1',
  macAddress: '00:1A:2B:3C:4D:5E',
  groupId: null,
  room: { location: 'Oslo, Eufemias gade 16, floor 1' },
} as DeviceRow

it.each([
  ['', null],
  ['muller', null],
  ['status:online', null],
  ['!aalb', null],
  ['aalb', 'Computer: AALB-PC-12'],
  ['anne aalb', 'Computer: AALB-PC-12'],
  ['1a-2b', 'MAC: 00:1A:2B:3C:4D:5E'],
  ['gade', 'Location: Eufemias gade 16'],
  ['nowhere', null],
  ['0:0:x', null],
])('beside user and product, the filter %j shows for a row: %s', (where, reported) => {
  expect(matchedBy(row, freeWordsOf(where), ['Anne Müller', 'Evolve2 65', null])).toBe(reported)
})
