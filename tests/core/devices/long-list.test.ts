import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeviceSort } from '../../../electron/contract/api/devices.ts'
import { openDevices, type Devices } from '../../../electron/core/devices/devices.ts'
import { runStatements } from '../../../electron/core/storage/statements.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

// More devices than are searched at once.
const count = 20_010
const home = new TemporaryHome()
let devices: Devices

/** Their titles are in another order than their ids; two have the same. */
const titleOf = (i: number): number => (Math.min(i, count - 2) * 7_919) % 20_011
beforeAll(async () => {
  const clock = new FakeClock()
  const store = await home.openStore(clock)
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)'
  const titles = `printf('%05d', (min(i, ${count - 2}) * 7919) % 20011)`
  await store.database.perform(runStatements, [
    {
      sql: `INSERT INTO raw_record (row_id, organization_id, kind, id, observed_at, sync_id, id_key) ${numbers} SELECT i + 1, 'org', 'device', 'd' || i, 1, 1, 'd' || i FROM n`,
      parameters: [count],
    },
    {
      sql: `INSERT INTO device_row (row_id, organization_id, gone, class_id, status, name_key, title_key, id, name, words)
        ${numbers} SELECT i + 1, 'org', 0, 1, 'online', '', ${titles}, 'd' || i, iif(i IN (7, 20000), 'Ax', ''), 'k' || (i % 7) || ' ax' FROM n`,
      parameters: [count],
    },
  ])
  devices = openDevices({ store, clock })
})
afterAll(() => home.remove())

const numbers = Array.from({ length: count }, (_, i) => i)
const inOrder = (some: readonly number[]): readonly string[] =>
  some.toSorted((a, b) => titleOf(a) - titleOf(b) || (`d${a}` < `d${b}` ? -1 : 1)).map((i) => `d${i}`)

it.each<[string, string, (i: number) => boolean, DeviceSort]>([
  ['without a filter, for the first time', '', () => true, []],
  ['with a word, in two halves', 'k3', (i) => i % 7 === 3, []],
  [
    'with a word, by the shown title',
    'k4',
    (i) => i % 7 === 4,
    [{ column: 'userOrRoom', descending: false }],
  ],
  ['with a word of all', 'k', () => true, []],
  ['with a word of none', 'k9', () => false, []],
])('a long list is in the order of its titles %s', async (_, where, matches, sort) => {
  const expected = inOrder(numbers.filter(matches))
  const start = Math.max(0, (expected.length >> 1) - 100)
  const { rows, total } = await devices.slice('org', { where, sort, start, count: 200 })
  const last = expected.at(-1) ?? 'd0'
  const { index } = await devices.position('org', { where, sort, id: last })
  expect([rows.map(({ id }) => id), total, index]).toEqual([
    expected.slice(start, start + 200),
    expected.length,
    expected.length === 0 ? null : expected.length - 1,
  ])
})

it('from the last title backwards it is the same list', async () => {
  const sort: DeviceSort = [{ column: 'userOrRoom', descending: true }]
  const { rows } = await devices.slice('org', { where: 'k5', sort, start: 0, count: 50 })
  const expected = inOrder(numbers.filter((i) => i % 7 === 5)).toReversed()
  expect(rows.map(({ id }) => id)).toEqual(expected.slice(0, 50))
})

it('a name that two devices have is refused, however many others contain it', async () => {
  await expect(devices.typed('org', 'ax')).rejects.toMatchObject({
    failure: {
      kind: 'invalid',
      field: 'device',
      message: expect.stringMatching(/^2 devices are called "ax".*\(d\d+, d\d+\)\.$/) as string,
    },
  })
})
