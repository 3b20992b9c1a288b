import type {
  Change,
  ChangeGroups,
  ChangeQuery,
  ChangeSort,
  ChangeRow,
  ChangeSlice,
  SeenChanges,
} from '../../contract/api/changes.ts'
import type { ChangeKind } from '../../contract/api/changes.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import { changeVocabulary } from '../../contract/filter/vocabularies.ts'
import { systemTimeZone } from '../../contract/time-zone.ts'
import { allOf, condition, isNotTrue, type Condition } from '../lists/condition.ts'
import { batchesOf, sliceOf } from '../lists/slice.ts'
import type { Clock, SqlRow } from '../platform.ts'
import { ResultCache, type RowsChanged } from '../storage/result-cache.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { groupCondition, kindsByWork, onOff, queryGroups } from './change-groups.ts'
import { changeCondition, changeOrder, isUnseen, type QueryContext } from './change-query.ts'
import { changeColumns, changeOf, changeRowOf, besideChange, rowColumns } from './change-rows.ts'
import { localDays } from './local-days.ts'
import { followedOwnWrite, isOwn, ownChanges, type OwnChanges } from './own-writes.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

export { dropOldChanges, placeMoves, recordChanges, type ChangeDraft } from './change-rows.ts'

/**
 * Until changes are marked as seen for the first time, those of the week before the newest change count as
 * new. Raise it if a week is too short after installation.
 */
const neverLookedInMs = 7 * 24 * 3_600_000

/**
 * A change is written this long after its answer was received, at most: what was marked as seen in between is
 * new by its id. Chosen; raise it if a sync holds pages back for longer.
 */
const writtenWithinInMs = 15 * 60_000

/** Cached orders other than newest first. Raise it if people switch between more. */
const cachedOrders = 4
/** Cached counts of new changes: for the current organization and the previous one. */
const cachedNews = 2

/** The changes since they were last marked as seen; headsets that go online and offline are not counted. */
interface News {
  /** Start of the counted period; null: no change is stored and none was marked as seen. */
  readonly since: number | null
  readonly total: number
  /** Kinds that call for work first. */
  readonly kinds: readonly { readonly word: ChangeKind; readonly count: number }[]
}

/**
 * The changes that syncs found. Sends no request. Rejects with Failed `cache-unusable`, or `invalid` with
 * field `where`, `group`, `start` or `count`.
 */
export interface Changes {
  /** Newest first, at most 1,000. */
  forSubject(organizationId: string, of: Change['of'], id: string): Promise<readonly Change[]>
  /** Observed at or after `at`; newest first, at most `count`. */
  since(organizationId: string, at: number, count?: number): Promise<readonly Change[]>
  groups(organizationId: string, query: ChangeQuery): Promise<ChangeGroups>
  slice(
    organizationId: string,
    query: ChangeQuery & {
      readonly group: string | null
      readonly sort?: ChangeSort
      readonly start: number
      readonly count: number
    },
  ): Promise<ChangeSlice>
  /** Every change that matches at the start, in that order; changes recorded later are not included. */
  all(
    organizationId: string,
    query: ChangeQuery & { readonly sort?: ChangeSort },
  ): Promise<{ readonly total: number; readonly rows: AsyncIterable<ChangeRow> }>
  look(organizationId: string, seen: SeenChanges | null): Promise<void>
  news(organizationId: string): Promise<News>
  /** Call it after rows of the organization or their marks changed. */
  changed(organizationId: string, how?: RowsChanged): void
  /** Call it after changes were written. */
  recorded(): void
  /** Changes were recorded, or marked as seen. Returns the function that ends it. */
  onChange(listener: () => void): () => void
}

export interface ChangesDeps {
  readonly store: Store
  readonly workbook: Pick<Workbook, 'query' | 'write' | 'preferences'>
  readonly clock: Clock
  /** The time zone of days: an IANA name. Missing: the zone of the preferences, else of the system. */
  readonly timeZone?: () => string
}

export function openChanges({ store, workbook, clock, timeZone }: ChangesDeps): Changes {
  const { database } = store
  const orders = new ResultCache(clock, cachedOrders)
  /** If nothing was marked as seen, a week may have 100,000. */
  const counted = new ResultCache(clock, cachedNews)
  const listeners = new Listeners()
  const tell = listeners.notify

  const seenIn = async (organizationId: string): Promise<SeenChanges | null> => {
    const [row] = await workbook.query(
      'SELECT looked_at, looked_id FROM change_look WHERE organization_id = ?',
      [organizationId],
    )
    return row === undefined ? null : { at: Number(row['looked_at']), id: Number(row['looked_id']) }
  }

  /** The oldest and the newest stored change. */
  const span = async (
    organizationId: string,
  ): Promise<{ readonly oldestAt: number | null; readonly newestAt: number | null }> => {
    const [row] = await database.query(
      `SELECT (SELECT min(observed_at) FROM change WHERE organization_id = ?1) AS oldest, (SELECT max(observed_at) FROM change WHERE organization_id = ?1) AS newest`,
      [organizationId],
    )
    const { oldest, newest } = row ?? {}
    return {
      oldestAt: typeof oldest === 'number' ? oldest : null,
      newestAt: typeof newest === 'number' ? newest : null,
    }
  }

  /** Where a query begins. */
  const startOf = async (
    organizationId: string,
    since: ChangeQuery['since'],
  ): Promise<Pick<QueryContext, 'from' | 'seen'>> => {
    if (since !== 'looked') return { from: since, seen: null }
    const seen = await seenIn(organizationId)
    if (seen !== null) return { from: Math.max(0, seen.at - writtenWithinInMs), seen }
    const { oldestAt, newestAt } = await span(organizationId)
    // Nothing is known of the time before the first of them.
    const from =
      oldestAt === null || newestAt === null ? null : Math.max(oldestAt, newestAt - neverLookedInMs)
    return { from, seen }
  }

  const ownSince = async (organizationId: string, since: ChangeQuery['since']): Promise<OwnChanges> =>
    ownChanges(workbook, database, organizationId, (await startOf(organizationId, since)).from ?? 0)

  /** `own`: own changes, if they were already looked up. `left`: the key whose terms are omitted. */
  const conditionOf = async (
    organizationId: string,
    { where, since, folded = false }: ChangeQuery,
    own: OwnChanges | null,
    left: string | null = null,
  ): Promise<Condition> => {
    const terms = termsIn(where, changeVocabulary).filter(({ key }) => left === null || key !== left)
    const matching = await changeCondition(
      database,
      {
        organizationId,
        now: clock.now(),
        ...(await startOf(organizationId, since)),
        own: own ?? (terms.some(({ key }) => key === 'own') ? await ownSince(organizationId, since) : null),
      },
      terms,
    )
    return folded ? allOf([matching, isNotTrue(onOff(organizationId))]) : matching
  }

  const kindsOf = async ({ sql, parameters }: Condition): Promise<News['kinds']> => {
    const rows = await database.query(
      `SELECT c.kind, count(*) AS n FROM change c WHERE ${sql} GROUP BY c.kind`,
      parameters,
      'sum',
    )
    return byWork(rows.map((row) => ({ kind: String(row['kind']) as ChangeKind, count: Number(row['n']) })))
  }

  const countOf = async ({ sql, parameters }: Condition): Promise<number> =>
    Number(
      (await database.query(`SELECT count(*) AS n FROM change c WHERE ${sql}`, parameters))[0]?.['n'] ?? 0,
    )

  /** Own changes are looked up by their ids; all others are not our own. */
  const byWhomOf = async (where: Condition, own: OwnChanges): Promise<ChangeGroups['byWhom']> => {
    const [all, yes] = await Promise.all([
      countOf(where),
      own.size === 0 ? 0 : countOf(allOf([where, isOwn(own.keys(), true)])),
    ])
    return [
      { word: 'no', count: all - yes },
      { word: 'yes', count: yes },
    ]
  }

  const zone = async (): Promise<string> =>
    timeZone?.() ?? (await workbook.preferences()).timeZone ?? systemTimeZone()

  const rowsOf = async (organizationId: string, ids: Iterable<number>): Promise<readonly ChangeRow[]> => {
    const wanted = [...ids]
    const rows = await database.query(
      `SELECT ${rowColumns} FROM change c ${besideChange} WHERE c.id IN (SELECT value FROM json_each(?))`,
      [JSON.stringify(wanted)],
    )
    const found = new Map(rows.map((row) => [Number(row['id']), changeRowOf(row)]))
    const own = await followedOwnWrite(workbook, organizationId, [...found.values()])
    return wanted.flatMap((id) => {
      const row = found.get(id)
      return row === undefined ? [] : [{ ...row, own: own.has(id), jobId: own.get(id) ?? null }]
    })
  }

  const newestId = async (): Promise<number> =>
    Number((await database.query('SELECT max(id) AS id FROM change'))[0]?.['id'] ?? 0)

  /**
   * The ids of all that match in an order other than newest first: cached until changes are recorded or rows
   * change.
   */
  const ordered = async (
    organizationId: string,
    where: Condition,
    sort: ChangeSort,
  ): Promise<Float64Array> => {
    const { sql, parameters } = changeOrder(where, sort)
    const question = JSON.stringify([await newestId(), sql, parameters])
    return orders.get(organizationId, question, () => database.queryNumbers(sql, parameters))
  }

  const news = async (organizationId: string): Promise<News> => {
    const { from, seen } = await startOf(organizationId, 'looked')
    const kinds = await counted.get(organizationId, JSON.stringify([from, seen, await newestId()]), () =>
      kindsOf(
        allOf([
          condition('c.organization_id = ? AND c.observed_at >= ?', organizationId, from ?? 0),
          isUnseen(seen),
          isNotTrue(onOff(organizationId)),
        ]),
      ),
    )
    const since = seen === null ? from : seen.at + 1
    return { since, total: kinds.reduce((sum, { count }) => sum + count, 0), kinds }
  }

  return {
    async forSubject(organizationId, of, id) {
      const sql = `SELECT ${changeColumns} FROM change c WHERE c.organization_id = ? AND c.subject = ? AND c.subject_id = ? ORDER BY c.id DESC LIMIT 1000`
      return (await database.query(sql, [organizationId, of, id])).map(changeOf)
    },

    async since(organizationId, at, count = 1000) {
      const sql = `SELECT ${changeColumns} FROM change c WHERE c.organization_id = ? AND c.observed_at >= ? ORDER BY c.observed_at DESC, c.id DESC LIMIT ?`
      return (await database.query(sql, [organizationId, at, count])).map(changeOf)
    },

    async groups(organizationId, query) {
      const { folded = false } = query
      const lastId = await newestId()
      const own = await ownSince(organizationId, query.since)
      const whole = await conditionOf(organizationId, { ...query, folded: false }, own)
      const [seen, { oldestAt, newestAt }, timeZoneName] = await Promise.all([
        seenIn(organizationId),
        span(organizationId),
        zone(),
      ])
      if (oldestAt === null || newestAt === null)
        return {
          groups: [],
          total: 0,
          folded: 0,
          kinds: [],
          byWhom: [],
          seen,
          newestId: lastId,
          oldestAt: null,
        }
      // Counted as if none were selected, so that another one can be selected.
      const but = (key: 'kind' | 'own'): Promise<Condition> => conditionOf(organizationId, query, own, key)
      const [ofKinds, ofOwn] = await Promise.all([but('kind'), but('own')])
      // Nothing is awaited in this list: a failure of what it began would have no reader.
      const [groups, onAndOff, kinds, byWhom] = await Promise.all([
        queryGroups(database, whole, {
          organizationId,
          days: localDays(timeZoneName, oldestAt, newestAt),
          own,
          folded,
        }),
        countOf(allOf([whole, onOff(organizationId)])),
        kindsOf(ofKinds),
        byWhomOf(ofOwn, own),
      ])
      return {
        groups,
        total: groups.reduce((sum, { kind, count }) => sum + (kind === 'on-off' ? 0 : count), 0),
        folded: onAndOff,
        kinds,
        byWhom,
        seen,
        newestId: lastId,
        oldestAt,
      }
    },

    async slice(organizationId, query) {
      const { start, count } = sliceOf(query)
      const { folded = false, group } = query
      const own = group === null ? null : await ownSince(organizationId, query.since)
      // The key of a group already states whether they are part of it.
      const all = await conditionOf(organizationId, { ...query, folded: folded && group === null }, own)
      const where =
        group === null || own === null
          ? all
          : allOf([all, groupCondition(group, { organizationId, own, folded })])
      const { sort = [] } = query
      if (sort.length > 0) {
        const ids = await ordered(organizationId, where, sort)
        return { rows: await rowsOf(organizationId, ids.subarray(start, start + count)), total: ids.length }
      }
      const [ids, total] = await Promise.all([
        count === 0
          ? []
          : database.query(
              `SELECT c.id FROM change c WHERE ${where.sql} ORDER BY c.observed_at DESC, c.id DESC LIMIT ${count} OFFSET ${start}`,
              where.parameters,
            ),
        countOf(where),
      ])
      return { rows: await rowsOf(organizationId, idsOf(ids)), total }
    },

    async all(organizationId, query) {
      const { sql, parameters } = changeOrder(
        await conditionOf(organizationId, query, null),
        query.sort ?? [],
      )
      const ids = await database.queryNumbers(sql, parameters)
      const rows = async function* (): AsyncIterable<ChangeRow> {
        for await (const batch of batchesOf(ids, (some) => rowsOf(organizationId, some))) yield* batch
      }
      return { total: ids.length, rows: rows() }
    },

    async look(organizationId, seen) {
      await workbook.write((transaction) => {
        if (seen === null)
          transaction.run('DELETE FROM change_look WHERE organization_id = ?', [organizationId])
        else
          transaction.run(
            'INSERT OR REPLACE INTO change_look (organization_id, looked_at, looked_id) VALUES (?, ?, ?)',
            [organizationId, seen.at, seen.id],
          )
      })
      tell()
    },

    news,
    changed(organizationId, how = 'settled') {
      orders.changed(organizationId, how)
      counted.changed(organizationId, how)
    },
    recorded: tell,
    onChange: listeners.add,
  }
}

const idsOf = (rows: readonly SqlRow[]): readonly number[] => rows.map((row) => Number(row['id']))

/** The kinds that occur, those that call for work first. */
function byWork(counted: readonly { readonly kind: ChangeKind; readonly count: number }[]): News['kinds'] {
  const counts = new Map<ChangeKind, number>()
  for (const { kind, count } of counted) counts.set(kind, (counts.get(kind) ?? 0) + count)
  return kindsByWork.flatMap((word) => {
    const count = counts.get(word)
    return count === undefined ? [] : [{ word, count }]
  })
}

/** The methods for changes; `looked` is called when changes were marked as seen. */
export const changeHandlers = (
  changes: Changes,
  currentId: () => Promise<string>,
  looked: () => void,
): Handlers<'changes'> => ({
  groups: async (query) => changes.groups(await currentId(), query),
  slice: async (query) => changes.slice(await currentId(), query),
  look: async ({ seen }) => {
    await changes.look(await currentId(), seen)
    looked()
  },
})
