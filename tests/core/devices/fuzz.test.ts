import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceSortColumns } from '../../../electron/contract/fields/device.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { parseFilter } from '../../../electron/contract/filter/filter-reader.ts'
import { deviceVocabulary } from '../../../electron/contract/filter/vocabularies.ts'
import { openSync } from '../../../electron/core/sync/sync.ts'
import { aDevice } from '../../a-device.ts'
import { FakeManagement } from '../../fake-management.ts'
import { cases } from '../../setup/cases.ts'
import { Fleet, organizationId } from './a-fleet.ts'

const fleet = new Fleet()
beforeAll(async () => {
  await fleet.open()
  const management = new FakeManagement(fleet.clock)
  management.devices.MeetingRoom = Array.from({ length: 7 }, (_, number) =>
    aDevice(100 + number, { name: 'Of others' }),
  )
  const sync = await openSync({ clock: fleet.clock, management, store: fleet.store, organizationId: 'other' })
  await sync.run()
  await sync.close()
})
afterAll(() => fleet.home.remove())

const value = fc.oneof(
  fc.constantFrom(
    'online',
    'behind',
    '4.2',
    '7d',
    '9395',
    'yes',
    'any',
    'Aarhus 3',
    'spare',
    '00:1a',
    'v0',
    '2.0.0',
    '%',
    '_',
    "'",
    '";--',
    '',
  ) as fc.Arbitrary<string>,
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const term = fc
  .tuple(
    fc.constantFrom('', '!'),
    fc.constantFrom(...deviceVocabulary.map(({ key }) => key)),
    fc.constantFrom('', '=', '<', '<=', '>', '>='),
    fc.array(fc.tuple(value, fc.boolean()), { minLength: 1, maxLength: 3 }),
  )
  .map(
    ([not, key, sign, values]) =>
      `${not}${key}:${sign}${values.map(([text, quotes]) => (quotes ? `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"` : text)).join(',')}`,
  )
/** One character of a valid filter removed or added. */
const bent = fc
  .tuple(
    fc.array(term, { minLength: 1, maxLength: 4 }),
    fc.nat(),
    fc.constantFrom('', '"', ':', '!', '<', '\\', ',', ' ', "'", ')', '\u0000'),
  )
  .map(([terms, place, sign]) => {
    const text = terms.join(' ')
    const at = place % (text.length + 1)
    return `${text.slice(0, at)}${sign}${text.slice(at + (sign === '' ? 1 : 0))}`
  })
const injection = fc.constantFrom(
  "' OR 1=1 --",
  "\"' OR '1'='1\"",
  'name:"\'; DROP TABLE device_row; --"',
  'tag:"\') OR 1=1 --"',
  'fw:"1\' UNION SELECT 1"',
  '!name:zzz OR 1',
  'serial:"* OR rowid:*"',
  'id:D00000100',
  'name:"Of others"',
  'gone:any "of others"',
)
const where = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.array(term, { maxLength: 4 }).map((terms) => terms.join(' ')),
  bent,
  injection,
)
const sort = fc.array(
  fc.record({ column: fc.constantFrom(...deviceSortColumns), descending: fc.boolean() }),
  { maxLength: 4 },
)

test('any filter returns rows or is rejected as invalid, and none reaches another organization or the tables', async () => {
  const numRuns = cases(10_000)
  let answered = 0
  await fc.assert(
    fc.asyncProperty(where, sort, async (text, order) => {
      const readable = parseFilter(text, deviceVocabulary).problems.length === 0
      try {
        const window = await fleet.devices.slice(organizationId, {
          where: text,
          sort: order,
          start: 0,
          count: 100,
        })
        expect([readable, window.all, window.rows.length]).toEqual([true, 4, window.total])
        expect(window.rows.filter((row) => !/^D0000000[1-5]$/.test(row.id))).toEqual([])
        answered++
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        expect([readable, error.failure]).toEqual([
          false,
          { kind: 'invalid', field: 'where', message: expect.any(String) as string },
        ])
      }
    }),
    { numRuns },
  )
  expect(answered).toBeGreaterThan(numRuns / 5)
  const [left] = await fleet.store.database.query(
    `SELECT (SELECT count(*) FROM device_row) AS devices, (SELECT count(*) FROM raw_record WHERE kind = 'device') AS records,
       (SELECT count(*) FROM sqlite_master WHERE name IN ('device_row', 'device_class', 'device_search', 'raw_record')) AS tables`,
  )
  expect(left).toEqual({ devices: 12, records: 12, tables: 4 })
})

test('200 values of one term and 50 terms return rows', async () => {
  const values = Array.from({ length: 200 }, (_, index) => `x${index}`).join(',')
  const terms = Array.from({ length: 50 }, (_, index) => `!room:"zz ${index}"`).join(' ')
  for (const key of ['name', 'serial', 'room', 'tag', 'fw', 'mac'])
    expect([
      key,
      (await fleet.found(`!${key}:${key === 'fw' ? values.replaceAll('x', '9.') : values}`)).length,
    ]).toEqual([key, 4])
  expect(await fleet.found(terms)).toBe('4123')
})
