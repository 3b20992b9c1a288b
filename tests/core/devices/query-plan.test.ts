import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deviceGroupColumns, deviceSortColumns } from '../../../electron/contract/fields/device.ts'
import { deviceVocabulary } from '../../../electron/contract/filter/vocabularies.ts'
import type { Database, SqlValue } from '../../../electron/core/platform.ts'
import { openDevices } from '../../../electron/core/devices/devices.ts'
import { Fleet, by, organizationId } from './a-fleet.ts'

const fleet = new Fleet()
beforeAll(() => fleet.open())
afterAll(() => fleet.home.remove())

/** The query plans of SQLite for every query that `devices` makes meanwhile. */
async function plansOf(
  work: (devices: ReturnType<typeof openDevices>) => Promise<unknown>,
): Promise<string[]> {
  const { database } = fleet.store
  const requested: [string, readonly SqlValue[]][] = []
  const watched: Database = {
    ...database,
    query: (sql, parameters = []) => {
      requested.push([sql, parameters])
      return database.query(sql, parameters)
    },
    queryNumbers: (sql, parameters = []) => {
      requested.push([sql, parameters])
      return database.queryNumbers(sql, parameters)
    },
  }
  await work(openDevices({ store: { ...fleet.store, database: watched }, clock: fleet.clock }))
  const steps: string[] = []
  for (const [sql, parameters] of requested)
    for (const { detail } of await database.query(`EXPLAIN QUERY PLAN ${sql}`, parameters))
      steps.push(String(detail))
  return steps
}

/**
 * Steps that scan a table or make a temporary index; neither may use raw records. The exception is counting
 * `raw_record`: the table is narrow, so a scan is faster than its index.
 */
const wholeTables = (steps: readonly string[]): string[] =>
  steps.filter(
    (step) =>
      /^SCAN (?!json_each|device_search|CONSTANT ROW|\(subquery|raw_record$)/.test(step) ||
      /raw_json/.test(step),
  )

const order = (where: string, sort = by('userOrRoom')) =>
  plansOf((devices) => devices.position(organizationId, { where, sort, id: 'x' }))
const example: Readonly<Record<string, string>> = {
  version: '<2.1',
  age: '>7d',
  number: '3',
  'product-id': '9395',
  text: 'abc',
  word: 'abc',
}

describe('every filter key', () => {
  it.each(deviceVocabulary.map(({ key, kind, choices }) => [`${key}:${example[kind] ?? choices[0] ?? ''}`]))(
    '%s scans no table',
    async (where) => {
      expect(wholeTables(await order(where))).toEqual([])
    },
  )

  it.each([
    ['serial:abc', 'SCAN device_search VIRTUAL TABLE'],
    ['user:abc', 'SCAN device_search VIRTUAL TABLE'],
    ['mac:00:1a', 'SCAN device_search VIRTUAL TABLE'],
    ['anna', 'SCAN device_search VIRTUAL TABLE'],
    ['status:offline', 'SEARCH c USING INDEX device_class_of'],
    ['fw:behind', 'SEARCH s USING PRIMARY KEY'],
    ['tag:spare', 'SEARCH k USING PRIMARY KEY'],
    ['list:visit', 'SEARCH k USING PRIMARY KEY'],
    ['room:aarhus', 'SEARCH y USING INDEX room_row_id'],
    ['read:>1d', 'SEARCH o USING INTEGER PRIMARY KEY'],
  ])('%s is narrowed: %s', async (where, step) => {
    expect((await order(where)).filter((one) => one.startsWith(step))).not.toEqual([])
  })
})

describe('every sort', () => {
  it.each(deviceSortColumns)('%s scans no table and makes no temporary index', async (column) => {
    const steps = await order('', by(column))
    expect([wholeTables(steps), steps.filter((step) => step.includes('AUTOMATIC'))]).toEqual([[], []])
  })

  it.each(['', 'an', 'anna', 'evolve2 65', 'status:offline', 'product:evolve', 'fw:behind', 'room:aarhus'])(
    'by title, "%s" needs no sort and no row: the index holds order and tie-breaker',
    async (where) => {
      const steps = await order(where)
      expect([
        steps.filter((step) => step.includes('TEMP B-TREE')),
        steps.filter((step) => step.includes('COVERING INDEX device_row_title')),
      ]).toMatchObject([[], [expect.any(String)]])
    },
  )
})

it('finds tags and note of a row by its device, not by kind alone', async () => {
  const steps = await plansOf((devices) =>
    devices.slice(organizationId, { where: '', sort: by('name'), start: 0, count: 100 }),
  )
  expect(steps.filter((step) => step.startsWith('SEARCH k '))).toEqual([
    'SEARCH k USING INDEX device_mark_of (organization_id=? AND device_id=? AND kind=?)',
    'SEARCH k USING INDEX device_mark_of (organization_id=? AND device_id=? AND kind=?)',
  ])
})

it.each(deviceGroupColumns)(
  'groups by %s without scanning a table or making a temporary index',
  async (column) => {
    const steps = await plansOf(async (devices) => {
      for (const where of ['', 'status:offline', 'anna'])
        await devices.groups(organizationId, { where, by: column })
    })
    // `g` contains the sums by class, a thousand at most.
    const tables = wholeTables(steps).filter((step) => step !== 'SCAN g')
    expect([tables, steps.filter((step) => step.includes('AUTOMATIC'))]).toEqual([[], []])
  },
)

it('reads a slice, counts and suggestions by row numbers and never parses raw records', async () => {
  const steps = await plansOf(async (devices) => {
    await devices.slice(organizationId, { where: '', sort: by('name'), start: 0, count: 100 })
    await devices.facets(organizationId, 'status:online fw:behind')
    for (const { key } of deviceVocabulary) await devices.suggest(organizationId, { key, typed: 'abc' })
  })
  expect(wholeTables(steps)).toEqual([])
  expect(steps.filter((step) => step.startsWith('SEARCH d USING INTEGER PRIMARY KEY'))).not.toEqual([])
})
