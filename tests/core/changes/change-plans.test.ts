import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { changeVocabulary } from '../../../electron/contract/filter/vocabularies.ts'
import { changeKinds } from '../../../electron/contract/fields/change.ts'
import type { Database } from '../../../electron/core/platform.ts'
import { openChanges } from '../../../electron/core/changes/changes.ts'
import { cases } from '../../setup/cases.ts'
import { day, everything, History, organizationId } from './a-history.ts'

const history = new History()
const plans: string[] = []

beforeAll(async () => {
  await history.open()
  await history.record(
    changeKinds.flatMap((kind, index) => [
      { at: 10 * day + index, kind, id: 'D00000001', before: '1', after: '2' },
      { at: 10 * day + index, kind, id: 'room-1', of: 'room' as const, organizationId: 'other' },
    ]),
  )
})
afterAll(() => history.close())

/** A database that explains each query before it runs it. */
const explained = (database: Database): Database => ({
  ...database,
  write: (work) => database.write(work),
  async query(sql, parameters) {
    const steps = await database.query(`EXPLAIN QUERY PLAN ${sql}`, parameters)
    plans.push(...steps.map((step) => String(step['detail'])))
    return database.query(sql, parameters)
  },
})
const requested = async (
  work: (store: typeof history.store) => Promise<unknown>,
): Promise<readonly string[]> => {
  plans.length = 0
  await work({ ...history.store, database: explained(history.store.database) })
  return [...plans]
}
const opened = (store: typeof history.store) =>
  openChanges({ store, workbook: history.workbook, clock: history.clock, timeZone: () => 'UTC' })
/**
 * Tables that are scanned completely, except lists passed as parameters and rows that an index has already
 * narrowed.
 */
const scans = (steps: readonly string[]): readonly string[] =>
  steps.filter((step) => /^SCAN (?!json_each|sums|\(|CONSTANT)/.test(step))

const filters = [
  '',
  'kind:gone',
  'of:room',
  'name:bar',
  'before:1',
  'after:""',
  'product:bar',
  'product:""',
  'room:bar',
  'room:""',
  'tag:spare',
  'tag:""',
  'id:D00000001',
  'own:no',
  'own:yes',
  'age:<7d',
  'bar',
  '!bar',
]

describe('queries for changes', () => {
  it.each(filters)('use an index on organization and time with the filter "%s"', async (where) => {
    const steps = await requested(async (store) => {
      const changes = opened(store)
      const query = { where, since: 5 * day, folded: true }
      const { groups } = await changes.groups(organizationId, query)
      for (const group of [null, ...groups.map(({ key }) => key)])
        await changes.slice(organizationId, { ...query, group, start: 0, count: 10 })
    })
    expect(
      steps.filter((step) =>
        /USING (COVERING )?INDEX change_(at|detail) \(organization_id=\? AND observed_at>/.test(step),
      ).length,
    ).toBeGreaterThanOrEqual(4)
    expect(scans(steps)).toEqual([])
  })

  it('count and group by the index; only changes of devices that may go on and off need their rows', async () => {
    const steps = await requested(async (store) => {
      await opened(store).groups(organizationId, { where: '', since: 5 * day, folded: true })
      await opened(store).news(organizationId)
    })
    expect(
      steps.filter((step) => / c USING /.test(step) && !step.includes('PRIMARY KEY')).toSorted(),
    ).toEqual([
      'SEARCH c USING COVERING INDEX change_detail (organization_id=? AND observed_at>?)',
      ...Array.from(
        { length: 5 },
        () => 'SEARCH c USING INDEX change_at (organization_id=? AND observed_at>?)',
      ),
    ])
    // Every device must never be scanned for each room.
    expect(steps.filter((step) => /^SEARCH d .*\(organization_id=\?\)$/.test(step))).toEqual([])
  })

  it('return newest first without sorting everything, in a slice and in a file', async () => {
    const steps = await requested(async (store) => {
      await opened(store).slice(organizationId, { ...everything, group: null, start: 0, count: 10 })
      for await (const row of (await opened(store).all(organizationId, everything)).rows)
        expect(row.id).toBeGreaterThan(0)
    })
    expect(steps).not.toContain('USE TEMP B-TREE FOR ORDER BY')
    expect(scans(steps)).toEqual([])
  })
})

it('accept or reject any filter text, and never return another organization', async () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom(
      `'`,
      `"`,
      `');DELETE FROM change;--`,
      '%',
      '_',
      '\\',
      '?1',
      ':organization',
      '""',
      'other',
      'room-1',
      '\u0000',
      '*',
      '>7d',
      '<1y',
    ),
  )
  const term = fc
    .tuple(
      fc.constantFrom('', '!'),
      fc.option(fc.constantFrom(...changeVocabulary.map(({ key }) => key))),
      fc.constantFrom('', '=', '<', '>='),
      word,
    )
    .map(([not, key, comparison, value]) => `${not}${key === null ? '' : `${key}:${comparison}`}${value}`)
  const total = changeKinds.length
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(term, word), { maxLength: 6 }), async (terms) => {
      const query = { where: terms.join(' '), since: null }
      try {
        const { rows, total: found } = await history.changes.slice(organizationId, {
          ...query,
          group: null,
          start: 0,
          count: 500,
        })
        expect(rows).toHaveLength(found)
        expect(rows.every(({ of }) => of === 'device')).toBe(true)
        expect((await history.changes.groups(organizationId, query)).total).toBe(found)
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        expect(error.failure).toMatchObject({ kind: 'invalid', field: 'where' })
      }
    }),
    { numRuns: cases(600) },
  )
  expect((await history.rows({})).length).toBe(total)
  expect((await history.changes.news('other')).total).toBe(total)
})
