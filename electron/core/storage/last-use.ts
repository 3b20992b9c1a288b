import { DatabaseError, type Clock, type SqlRow, type Transaction } from '../platform.ts'
import { Failed } from '../../contract/failure.ts'
import { deadlineOf, deadlineRow, type Deadline } from './deadlines.ts'
import { rowTimeFromNow, rowTimeNow } from './row-time.ts'
import type { Workbook } from './workbook.ts'

/**
 * Minimum interval between records of a use, so a recorded time may be older than the last use by this. Raise
 * it if the writes cost time.
 */
export const noticedWithinMs = 60_000

/**
 * What the workbook stores about a subscription's calls: it is used to detect a lost call history, and keeps
 * the waits that the service demanded, even if the history is lost.
 */
export interface LastUse {
  /**
   * Time since the last recorded call, ms; the last call may have been up to `noticedWithinMs` later. null:
   * never. `noted`: from the records of the calls themselves; `any`: also from the use of keys and from the
   * journal, as far as the wall clock is reliable. Never rejects.
   */
  ages(): Promise<{ readonly noted: number | null; readonly any: number | null }>
  /** The last stored pause or hold; null: none, it has ended, or it cannot be read. Never rejects. */
  savedDeadline(kind: DeadlineKind): Promise<Deadline | null>
  /**
   * `replace`: overwrites the stored one; otherwise the later one remains. null: lifted. Never rejects,
   * because the history stores it too.
   */
  saveDeadline(kind: DeadlineKind, untilAt: number | null, replace: boolean): Promise<void>
  /** A call starts. `unsaved`: it is not in the history. */
  happened(unsaved: boolean): void
  /** Records the last use. */
  close(): Promise<void>
}

export type DeadlineKind = 'pause' | 'hold'

export interface LastUseOptions {
  readonly workbook: Pick<Workbook, 'query' | 'write'>
  readonly clock: Clock
  /** The random id of a subscription. */
  readonly scope: string
}

const nameOf = (scope: string): string => `calls ${scope}`

export function openLastUse({ workbook, clock, scope }: LastUseOptions): LastUse {
  let last: { readonly row: SqlRow; readonly unsaved: boolean } | null = null
  let noted: { readonly monotonic: number; readonly unsaved: boolean } | null = null
  let writing: Promise<unknown> = Promise.resolve()

  const fact = (name: string, value: string) => (transaction: Transaction) =>
    void transaction.run(
      'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, value],
    )
  const write = ({ row, unsaved }: NonNullable<typeof last>): void => {
    noted = { monotonic: clock.monotonic(), unsaved }
    last = null
    const value = JSON.stringify(row)
    writing = writing.then(() =>
      workbook
        .write(fact(nameOf(scope), value))
        // It is recorded with the next use; otherwise only the history has it.
        .catch(() => (noted = null)),
    )
  }

  return {
    async ages() {
      try {
        const [facts, keys, lines] = await Promise.all([
          workbook.query('SELECT value FROM fact WHERE name = ?', [nameOf(scope)]),
          workbook.query(
            'SELECT max(last_used_at) AS at FROM subscription_key WHERE organization_id IN (SELECT id FROM organization WHERE budget_scope = ?)',
            [scope],
          ),
          workbook.query(
            `SELECT max(max(b.started_at, ifnull(e.ended_at, 0))) AS at FROM journal_begin b LEFT JOIN journal_end e ON e.id = b.id
             WHERE b.organization_id IN (SELECT id FROM organization WHERE budget_scope = ?) AND NOT (e.outcome IS 'refused' AND e.status IS NULL)`,
            [scope],
          ),
        ])
        const ages = facts.flatMap(({ value }) => noteAge(value, clock))
        const others = [...keys, ...lines].flatMap(({ at }) =>
          typeof at === 'number' ? [Math.max(0, clock.now() - at)] : [],
        )
        return { noted: least(ages), any: least([...ages, ...others]) }
      } catch (error) {
        if (error instanceof Failed || error instanceof DatabaseError) return { noted: null, any: null }
        throw error
      }
    },
    async savedDeadline(kind) {
      try {
        const [row] = await workbook.query('SELECT value FROM fact WHERE name = ?', [`${kind} ${scope}`])
        return deadlineIn(row, clock)
      } catch (error) {
        if (error instanceof Failed || error instanceof DatabaseError) return null
        throw error
      }
    },
    saveDeadline(kind, untilAt, replace) {
      const name = `${kind} ${scope}`
      const saved = writing.then(() =>
        workbook
          .write((transaction) => {
            const previous = deadlineIn(
              transaction.first('SELECT value FROM fact WHERE name = ?', [name]),
              clock,
            )
            if (untilAt === null) transaction.run('DELETE FROM fact WHERE name = ?', [name])
            else if (replace || untilAt - clock.now() > (previous?.forInMs ?? 0))
              fact(name, JSON.stringify(deadlineRow(untilAt, clock)))(transaction)
          })
          // The workbook itself reports that it cannot be written.
          .catch(() => undefined),
      )
      writing = saved
      return saved
    },
    happened(unsaved) {
      const [boot, told_at, told_mono] = rowTimeNow(clock, clock.now())
      last = { row: { boot, told_at, told_mono }, unsaved }
      if (
        noted === null ||
        noted.unsaved !== unsaved ||
        clock.monotonic() - noted.monotonic >= noticedWithinMs
      )
        write(last)
    },
    async close() {
      if (last !== null) write(last)
      await writing
    },
  }
}

const least = (ages: readonly number[]): number | null => (ages.length === 0 ? null : Math.min(...ages))

function noteAge(value: unknown, clock: Clock): number[] {
  try {
    const row = JSON.parse(String(value)) as SqlRow
    return typeof row['told_at'] === 'number'
      ? [Math.max(0, -rowTimeFromNow(row['told_at'], row, clock))]
      : []
  } catch {
    return []
  }
}

function deadlineIn(row: SqlRow | undefined, clock: Clock): Deadline | null {
  try {
    return row === undefined ? null : deadlineOf(JSON.parse(String(row['value'])) as SqlRow, clock)
  } catch {
    return null
  }
}
