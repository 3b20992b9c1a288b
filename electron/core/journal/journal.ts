import { userInfo } from 'node:os'
import { Failed } from '../../contract/failure.ts'
import { operations } from '../../contract/operations.ts'
import { journalVocabulary } from '../../contract/filter/vocabularies.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import type {
  JournalFilter,
  JournalLine,
  JournalPage,
  JournalQuery,
  JournalSort,
} from '../../contract/api/journal.ts'
import { allOf, condition, type Condition } from '../lists/condition.ts'
import { batchesOf, sliceOf, wholeNumber } from '../lists/slice.ts'
import type { Clock, SqlRow } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { begun, foldedLines, lineCondition, lineOrder, programEnded } from './journal-query.ts'
import {
  beginLine,
  endLine,
  lineOf,
  lines,
  withTogether,
  type JournalBegin,
  type JournalEnd,
} from './journal-rows.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

export { programEnded } from './journal-query.ts'
export { referenced, type JournalBegin, type JournalEnd, type ReferencedLine } from './journal-rows.ts'

/**
 * One line for each write. Append-only, stored in the workbook. Rejects with Failed `cache-unusable` or
 * `invalid`.
 */
export interface Journal {
  /**
   * On disk before it returns the line's id. Rejects with Failed `invalid`, field `reference`, for a
   * reference that already has a line.
   */
  begin(entry: JournalBegin): Promise<number>
  end(id: number, entry: JournalEnd): Promise<void>
  /** Of one organization, or of all. */
  list(organizationId: string | null, query: JournalQuery): Promise<JournalPage>
  /** All that match now, in that order, read in batches, without lines that begin later. */
  all(
    organizationId: string | null,
    filter: JournalFilter & { readonly sort?: JournalSort },
  ): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly JournalLine[]> }>
  /** The line of the write with this reference; null: there is none. */
  referenced(reference: string): Promise<JournalLine | null>
  /** At opening: ends, as unconfirmed and with the current time, the lines that an earlier run left open. */
  endLeftOpen(): Promise<void>
  /**
   * Lines that were found open within the last day, newest first, unless a later write to the same target
   * succeeded.
   */
  foundLeftOpen(): Promise<readonly JournalLine[]>
  /**
   * Devices whose writes ended within this time, ms, and how long ago; without writes that were never sent. An
   * end in the future, because the clock was set back, counts as the opening that saw it first.
   */
  lastWrites(
    withinMs: number,
  ): Promise<readonly { readonly deviceIds: readonly string[]; readonly endedAgoInMs: number }[]>
  /** How long ago, ms, the writes of this user began, those of all programs and within this time. */
  begunAgo(withinMs: number): Promise<readonly number[]>
  /** A line was written. Returns the function that ends it. */
  onChange(listener: () => void): () => void
}

export interface JournalOptions {
  readonly workbook: Pick<Workbook, 'query' | 'write' | 'storageProblem'>
  readonly clock: Clock
  /** The operating system's user. */
  readonly who: string
  /**
   * Removes subscription keys from texts about a write, after reading the keys from the keychain; never
   * rejects.
   */
  readonly keyScrubber?: () => Promise<(text: string) => string>
}

/** How long a write that may have happened is shown. Raise it if technicians need the reminder longer. */
const remindForInMs = 24 * 3_600_000

export function openJournal(options: JournalOptions): Journal {
  const { workbook, clock, who, keyScrubber = async () => (text) => text } = options
  const listeners = new Listeners()
  const conditionOf = (organizationId: string | null, { where, subjectId }: JournalFilter): Condition =>
    lineCondition({ organizationId, subjectId, now: clock.now() }, termsIn(where, journalVocabulary))
  const linesOf = async (ids: Iterable<number>): Promise<readonly JournalLine[]> => {
    const wanted = [...ids]
    const rows = await workbook.query(`${lines} WHERE b.id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(wanted),
    ])
    const found = new Map(rows.map((row) => [row['id'], lineOf(row)]))
    return wanted.flatMap((id) => found.get(id) ?? [])
  }
  /** Ids first: a line is wide, and skipped lines are never read. */
  const idsOf = async (
    where: Condition,
    sort: JournalSort,
    { start, count }: { readonly start: number; readonly count: number } = { start: 0, count: -1 },
  ): Promise<readonly number[]> => {
    const { sql, parameters } = lineOrder(where, sort)
    const rows = await workbook.query(`${sql} LIMIT ${count} OFFSET ${start}`, parameters)
    return rows.map(({ id }) => Number(id))
  }
  const countOf = async ({ sql, parameters }: Condition): Promise<number> => {
    const [row] = await workbook.query(`SELECT count(*) AS n ${begun} WHERE ${sql}`, parameters)
    return Number(row?.['n'] ?? 0)
  }
  /** `isAll`: no filter leaves lines of a job out. */
  async function foldedPage(
    matching: Condition,
    isAll: boolean,
    { start, count }: { readonly start: number; readonly count: number },
  ): Promise<JournalPage> {
    const { sql, parameters } = foldedLines(matching)
    const [rows, [counted]] = await Promise.all([
      workbook.query(`${sql} LIMIT ${count} OFFSET ${start}`, parameters),
      workbook.query(`SELECT count(*) AS n, sum(n) AS actions FROM (${sql})`, parameters),
    ])
    const newest = await linesOf(rows.map(({ id }) => Number(id)))
    const jobs = await workbook.query(
      `SELECT j.id, j.asked, (SELECT json_group_object(detail, n) FROM
         (SELECT detail, count(*) AS n FROM job_item WHERE job = j.number AND detail IS NOT NULL GROUP BY detail)) AS details
       FROM job j WHERE j.id IN (SELECT value FROM json_each(?1))`,
      [JSON.stringify(newest.flatMap(({ jobId }) => jobId ?? []))],
    )
    const jobOf = new Map(jobs.map((job) => [job['id'], job]))
    return {
      lines: newest.map((line, at) =>
        withTogether(line, rows[at]!, jobOf.get(line.jobId ?? null) ?? null, isAll),
      ),
      total: Number(counted?.['n'] ?? 0),
      actions: Number(counted?.['actions'] ?? 0),
    }
  }
  const changed = listeners.notify
  /** Adds this opening to those that saw an end in the future; returns them, oldest first. */
  const seenUntil = (now: number): Promise<readonly SqlRow[]> =>
    workbook.write((transaction) => {
      transaction.run(
        `INSERT INTO journal_seen (newest_line, seen_at) SELECT max(id), ? FROM journal_begin WHERE true
         ON CONFLICT (newest_line) DO UPDATE SET seen_at = min(seen_at, excluded.seen_at)`,
        [now],
      )
      return transaction.all('SELECT newest_line, seen_at FROM journal_seen WHERE seen_at <= ? ORDER BY 1', [
        now,
      ])
    })
  return {
    async begin({ target, before, after, ...entry }) {
      const scrub = orNull(await keyScrubber())
      const line = {
        ...entry,
        target: { ...target, name: scrub(target.name) },
        before: scrub(before),
        after: scrub(after),
      }
      const storageProblem = workbook.storageProblem()
      if (storageProblem !== null) throw new Failed(storageProblem)
      const id = await workbook.write((transaction) =>
        beginLine(transaction, { ...line, who: entry.who ?? who, startedAt: clock.now() }),
      )
      changed()
      return id
    },
    async end(id, entry) {
      const message = orNull(await keyScrubber())(entry.message)
      await workbook.write((transaction) =>
        endLine(transaction, { ...entry, message, id, endedAt: entry.endedAt ?? clock.now() }),
      )
      changed()
    },
    async referenced(reference) {
      const rows = await workbook.query('SELECT id FROM journal_begin WHERE reference = ?', [reference])
      const [line] = await linesOf(rows.map(({ id }) => Number(id)))
      return line ?? null
    },
    async endLeftOpen() {
      if (workbook.storageProblem() !== null) return
      // Neither table loses rows: equal counts mean that no line is open, so a long journal need not be
      // searched.
      const [counted] = await workbook.query(
        'SELECT (SELECT count(*) FROM journal_begin) - (SELECT count(*) FROM journal_end) AS n',
      )
      if (Number(counted?.['n']) === 0) return
      const open = await workbook.query(`SELECT b.id ${begun} WHERE e.id IS NULL`)
      await workbook.write((transaction) => {
        for (const { id } of open)
          endLine(transaction, {
            id: Number(id),
            endedAt: clock.now(),
            outcome: 'unconfirmed',
            status: null,
            message: programEnded,
          })
      })
      changed()
    },
    async list(organizationId, query) {
      const slice = sliceOf(query)
      const matching = conditionOf(organizationId, query)
      if (query.folded === true)
        return foldedPage(matching, query.where === '' && query.subjectId === null, slice)
      const older =
        query.before === undefined
          ? matching
          : allOf([
              matching,
              condition('b.id < ?', wholeNumber('before', query.before, Number.MAX_SAFE_INTEGER)),
            ])
      const [ids, total] = await Promise.all([idsOf(older, query.sort ?? [], slice), countOf(matching)])
      return { lines: await linesOf(ids), total }
    },
    async all(organizationId, filter) {
      const [newest] = await workbook.query('SELECT max(id) AS id FROM journal_begin', [])
      const matching = allOf([
        conditionOf(organizationId, filter),
        condition('b.id <= ?', Number(newest?.['id'] ?? 0)),
      ])
      // Ids are numbers: 50,000 of them take 0.4 MB.
      const ids = Float64Array.from(await idsOf(matching, filter.sort ?? []))
      return { total: ids.length, batches: batchesOf(ids, linesOf) }
    },
    async foundLeftOpen() {
      // A later write to the same target with a known end settles the result of the earlier one.
      const rows = await workbook.query(
        `${lines} WHERE e.message = ?2 AND e.outcome = 'unconfirmed' AND b.target_of <> 'organization' AND e.ended_at > ?1 AND NOT EXISTS (
           SELECT 1 FROM journal_begin l JOIN journal_end m ON m.id = l.id
           WHERE l.id > b.id AND l.organization_id = b.organization_id AND l.target_of = b.target_of AND l.target_id = b.target_id AND m.outcome = 'accepted')
         ORDER BY b.id DESC LIMIT 20`,
        [clock.now() - remindForInMs, programEnded],
      )
      return rows.map(lineOf)
    },
    async lastWrites(withinMs) {
      const now = clock.now()
      const rows = await workbook.query(
        `SELECT e.id, e.ended_at, b.device_ids FROM journal_end e JOIN journal_begin b ON b.id = e.id
         WHERE e.ended_at > ? AND NOT (e.outcome = 'refused' AND e.status IS NULL)`,
        [now - withinMs],
      )
      const isInFuture = rows.some((row) => Number(row['ended_at']) > now)
      const seen = isInFuture ? await seenUntil(now) : []
      return rows.flatMap((row) => {
        const endedAt = Number(row['ended_at'])
        const seenAt = seen.find((one) => Number(one['newest_line']) >= Number(row['id']))?.['seen_at']
        const endedAgoInMs = now - (endedAt > now ? Number(seenAt ?? now) : endedAt)
        return endedAgoInMs < withinMs
          ? [{ deviceIds: JSON.parse(String(row['device_ids'])) as string[], endedAgoInMs }]
          : []
      })
    },
    async begunAgo(withinMs) {
      const now = clock.now()
      // A client adds its name to that of the user.
      const rows = await workbook.query(
        `SELECT started_at FROM journal_begin WHERE started_at > ?1 AND (who = ?2 OR substr(who, 1, length(?2) + 2) = ?2 || ', ')
         AND operation IN (SELECT value FROM json_each(?3))`,
        [now - withinMs, who, JSON.stringify(writeOperations)],
      )
      return rows.map((row) => Math.max(0, now - Number(row['started_at'])))
    },
    onChange: listeners.add,
  }
}

const writeOperations = operations.filter(({ effect }) => effect !== null).map(({ name }) => name)

const orNull =
  (scrub: (text: string) => string) =>
  (text: string | null): string | null =>
    text === null ? null : scrub(text)

/** The name in the journal. Some systems have no name for a user id. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

export const journalHandlers = (journal: Journal, currentId: () => Promise<string>): Handlers<'journal'> => ({
  list: async (query) => journal.list(await currentId(), query),
})

/**
 * Records a person's decision: its line, the work, then its end. Sends no request. Rejects with the failure
 * of the work.
 */
export async function noteDecision(
  journal: Pick<Journal, 'begin' | 'end'>,
  entry: JournalBegin,
  reason: string | null,
  work: () => Promise<unknown>,
): Promise<void> {
  const line = await journal.begin(entry)
  try {
    await work()
  } catch (error) {
    await journal
      .end(line, { outcome: 'refused', status: null, message: String(error) })
      .catch(() => undefined)
    throw error
  }
  await journal.end(line, { outcome: 'accepted', status: null, message: reason })
}
