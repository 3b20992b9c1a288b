import { userInfo } from 'node:os'
import { Failed } from '../../contract/failure.ts'
import type { JournalLine, JournalPage, JournalQuery } from '../../contract/journal.ts'
import type { Clock } from '../host.ts'
import type { Workbook } from '../storage/workbook.ts'
import { beginLine, endLine, lineOf, lines, matching, type JournalBegin, type JournalEnd } from './journal-rows.ts'

export type { JournalBegin, JournalEnd } from './journal-rows.ts'

/** One line for each write. Append-only, kept in the workbook. Rejects with Failed `cache-unusable` or `invalid`. */
export interface Journal {
  /** Written to the disk before it answers: the line's id. */
  begin(entry: JournalBegin): Promise<number>
  end(id: number, entry: JournalEnd): Promise<void>
  /** Newest first; of one organization, or of all. */
  list(organizationId: string | null, query: JournalQuery): Promise<JournalPage>
  /** Lines whose end was never written and whose write nobody has under way; those of the last day, newest first. */
  endedUnknown(underWay: ReadonlySet<string>): Promise<readonly JournalLine[]>
  /** Which devices were written to since a moment, oldest first; null: no end is known. Without what was never sent. */
  lastWrites(sinceAt: number): Promise<readonly { readonly deviceId: string; readonly startedAt: number; readonly endedAt: number | null }[]>
  /** A line was written. Returns the function that ends it. */
  onChange(listener: () => void): () => void
}

export interface JournalOptions {
  readonly workbook: Pick<Workbook, 'read' | 'write'>
  readonly clock: Clock
  /** The operating system's user. */
  readonly who: string
}

const pageRows = 500
/** How long a write that may have happened is called to mind. Chosen. */
const remindForInMs = 24 * 3_600_000

export function openJournal({ workbook, clock, who }: JournalOptions): Journal {
  const listeners = new Set<() => void>()
  const changed = (): void => {
    for (const listener of listeners) listener()
  }
  return {
    async begin(entry) {
      const id = await workbook.write((transaction) => beginLine(transaction, { ...entry, who, startedAt: clock.now() }))
      changed()
      return id
    },
    async end(id, entry) {
      await workbook.write((transaction) => endLine(transaction, { ...entry, id, endedAt: clock.now() }))
      changed()
    },
    async list(organizationId, query) {
      const start = wholeNumber('start', query.start, Number.MAX_SAFE_INTEGER)
      const count = wholeNumber('count', query.count, pageRows)
      const { where, parameters } = matching(organizationId, query)
      const [rows, totals] = await Promise.all([
        workbook.read(`${lines} WHERE ${where} ORDER BY b.id DESC LIMIT ${count} OFFSET ${start}`, parameters),
        workbook.read(`SELECT count(*) AS n FROM journal_begin b WHERE ${where}`, parameters),
      ])
      return { lines: rows.map(lineOf), total: Number(totals[0]?.['n'] ?? 0) }
    },
    async endedUnknown(underWay) {
      // A later write to the same target that is known to have ended settles what became of the earlier one.
      const rows = await workbook.read(
        `${lines} WHERE e.id IS NULL AND b.started_at > ?1 AND b.write_id NOT IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (
           SELECT 1 FROM journal_begin l JOIN journal_end m ON m.id = l.id
           WHERE l.id > b.id AND l.organization_id = b.organization_id AND l.target_of = b.target_of AND l.target_id = b.target_id AND m.outcome = 'accepted')
         ORDER BY b.id DESC LIMIT 20`,
        [clock.now() - remindForInMs, JSON.stringify([...underWay])],
      )
      return rows.map(lineOf)
    },
    async lastWrites(sinceAt) {
      const rows = await workbook.read(
        `${lines} WHERE (b.started_at > ?1 OR e.ended_at > ?1) AND NOT (e.outcome IS 'refused' AND e.status IS NULL) ORDER BY b.id`,
        [sinceAt],
      )
      return rows.map(lineOf).flatMap(({ deviceIds, startedAt, endedAt }) => deviceIds.map((deviceId) => ({ deviceId, startedAt, endedAt })))
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Whom the journal names. Some systems have no name for a user id. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

function wholeNumber(field: string, value: number, most: number): number {
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new Failed({ kind: 'invalid', field, message: `A whole number from 0 to ${most} was expected.` })
  return value
}
