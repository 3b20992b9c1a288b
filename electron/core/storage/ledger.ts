import { batchLastsInMs, type CallHistory, type Said, type Standstill } from '../call-budget/call-budget.ts'
import type { Clock, Database, SqlRow, SqlValue, Transaction } from '../platform.ts'
import {
  deadlineColumns,
  deadlineOf,
  parseDeadline,
  removeDeadline,
  writeDeadline,
  type Deadline,
  type DeadlineKind,
} from './deadlines.ts'
import { noticedWithinMs, type LastUse } from './last-use.ts'
import { isOfThisBoot, rowTimeColumns, rowTimeFromNow, rowTimeNow } from './row-time.ts'

export interface CallHistoryOptions {
  /** The `ledger` file. */
  readonly database: Database
  readonly clock: Clock
  /**
   * The random id of a subscription: organizations with the same key share it, and the ledger does not reveal
   * which key.
   */
  readonly scope: string
  /**
   * Records of this subscription's calls outside the ledger; null: there are none, so no loss can be
   * detected.
   */
  readonly lastUse: LastUse | null
}

const pruneEvery = 200
const moved = 'UPDATE call_batch SET starts = ?, ends_at = ?, boot = ?, told_at = ?, told_mono = ?'
/** Longer than `noticedWithinMs`, because the records in the workbook are compared with these rows. */
const storedLongerInMs = 2 * noticedWithinMs
/** A start is recorded in the workbook immediately after its batch was stored. */
const sameStartInMs = 1_000

/**
 * The call history of one subscription in the ledger file. A row is a batch of starts: up to `count` of them
 * until `ends_at`, and the time of each once reported (`starts`). Times are compared by the clock that runs
 * since the computer started (row-time.ts). Rejects with DatabaseError.
 */
export function openCallHistory({ database, clock, scope, lastUse }: CallHistoryOptions): CallHistory {
  let batchId: number | null = null
  let windowInMs = 300_000
  let records = 0
  const time = anchored(clock)

  /** Starts as wall times, so that they have a meaning after another start of the computer. */
  const startsOf = (ages: readonly number[], now: number): string =>
    JSON.stringify(ages.map((age) => Math.ceil(now - age)))

  const insertBatch = (
    transaction: Transaction,
    now: number,
    count: number,
    endsAt: number,
    starts: string | null,
  ): number =>
    transaction.run(
      `INSERT INTO call_batch (scope, count, ends_at, starts, ${rowTimeColumns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [scope, count, Math.ceil(endsAt), starts, ...rowTimeNow(clock, now)],
    ).lastId

  const writeSaid = (
    transaction: Transaction,
    { ended, unsaved, lostForInMs, keyCheckLeft }: Said,
    now: number,
  ): void => {
    if (batchId !== null && ended !== null)
      transaction.run(`${moved} WHERE id = ?`, [
        startsOf(ended, now),
        Math.ceil(now),
        ...rowTimeNow(clock, now),
        batchId,
      ])
    if (unsaved.length > 0) insertBatch(transaction, now, unsaved.length, now, startsOf(unsaved, now))
    if (lostForInMs <= 0) return
    const untilAt = clock.now() + lostForInMs
    for (const kind of keyCheckLeft ? (['lost'] as const) : (['lost', 'key-check'] as const))
      writeDeadline(transaction, scope, kind, untilAt, clock)
  }

  /**
   * After another start of the computer, if the wall clock is before rows of the last one: they count as
   * written now, once, and age from then on.
   */
  const rewriteFuture = async (rows: readonly SqlRow[]): Promise<void> => {
    const future = rows.filter(
      (row) =>
        !isOfThisBoot(row, clock) &&
        Math.max(Number(row['ends_at']), ...(startList(row['starts']) ?? [])) > clock.now(),
    )
    if (future.length === 0) return
    await database.write((transaction) => {
      for (const { id } of future)
        transaction.run(`${moved} WHERE id = ?`, [
          null,
          clock.now(),
          ...rowTimeNow(clock, clock.now()),
          id ?? null,
        ])
    })
  }

  return {
    async recall(window) {
      windowInMs = window
      const rows = await database.query(
        `SELECT id, count, ends_at, starts, ${rowTimeColumns} FROM call_batch WHERE scope = ? ORDER BY id`,
        [scope],
      )
      const deadlines = new Map(
        (await database.query(`SELECT ${deadlineColumns} FROM deadline WHERE scope = ?`, [scope])).map(
          (row) => [row['kind'], row],
        ),
      )
      const deadline = (kind: DeadlineKind): Deadline | null => deadlineOf(deadlines.get(kind), clock)
      await rewriteFuture(rows).catch(() => undefined)
      const saved = deadline('lost')
      const lostForInMs = saved?.forInMs ?? (await missingForInMs(rows))
      return {
        ...(await withSavedDeadlines({
          pausedForInMs: deadline('pause')?.forInMs ?? 0,
          held: deadline('hold'),
        })),
        startAges: rows.flatMap((row) => startAgesOf(row, clock)),
        lostForInMs,
        keyCheckLeft: saved === null || deadline('key-check') === null,
      }
    },

    async record(said, next) {
      batchId = await database.write((transaction) => {
        const count = next()
        const now = time()
        writeSaid(transaction, said, now)
        if (++records % pruneEvery === 1) prune(transaction)
        return count <= 0 ? null : insertBatch(transaction, now, count, now + batchLastsInMs, null)
      })
    },

    savedStandstill: () => withSavedDeadlines({ pausedForInMs: 0, held: null }),

    async pause(untilAt) {
      await Promise.all([
        database.write((transaction) => later(transaction, 'pause', untilAt)),
        // A shorter pause ends before the windows of a lost history are free again.
        untilAt - clock.now() > windowInMs ? lastUse?.saveDeadline('pause', untilAt, false) : null,
      ])
    },

    async hold(untilAt, replace) {
      await Promise.all([
        database.write((transaction) => {
          if (untilAt === null) removeDeadline(transaction, scope, 'hold')
          else if (replace) writeDeadline(transaction, scope, 'hold', untilAt, clock)
          else later(transaction, 'hold', untilAt)
        }),
        lastUse?.saveDeadline('hold', untilAt, replace),
      ])
    },

    used: (unsaved) => lastUse?.happened(unsaved),

    async close(said) {
      await lastUse?.close()
      if ((batchId !== null && said.ended !== null) || said.unsaved.length > 0)
        await database.write((transaction) => writeSaid(transaction, said, time()))
    },
  }

  /**
   * Combines a pause or hold with the one in the workbook. The longer one applies, because the ledger may
   * have been lost in between.
   */
  async function withSavedDeadlines({ pausedForInMs, held }: Standstill): Promise<Standstill> {
    const [pause = null, hold = null] = [
      await lastUse?.savedDeadline('pause'),
      await lastUse?.savedDeadline('hold'),
    ]
    return {
      pausedForInMs: Math.max(pausedForInMs, pause?.forInMs ?? 0),
      held: (hold?.forInMs ?? 0) > (held?.forInMs ?? 0) ? hold : held,
    }
  }

  function later(transaction: Transaction, kind: DeadlineKind, untilAt: number): void {
    if (untilAt - clock.now() > (parseDeadline(transaction, scope, kind, clock)?.forInMs ?? 0))
      writeDeadline(transaction, scope, kind, untilAt, clock)
  }

  /** How long the windows count as full because a known call has no row; 0: there is no such call. */
  async function missingForInMs(rows: readonly SqlRow[]): Promise<number> {
    const ages = await lastUse?.ages()
    // Rows are more reliable than wall times in the workbook; only the workbook's records of the calls
    // themselves are compared with them.
    const age = (rows.length === 0 ? ages?.any : ages?.noted) ?? null
    if (
      age === null ||
      rows.some((row) => -rowTimeFromNow(Number(row['ends_at']), row, clock) <= age + sameStartInMs)
    )
      return 0
    return Math.max(0, Math.min(windowInMs, windowInMs + noticedWithinMs - age))
  }

  function prune(transaction: Transaction): void {
    const before = windowInMs + storedLongerInMs
    const thisBoot: SqlValue[] = [clock.boot, clock.monotonic()]
    transaction.run(
      `DELETE FROM call_batch WHERE scope = ?1 AND CASE WHEN boot IS ?2 AND told_mono <= ?3 THEN told_mono + (ends_at - told_at) < ?3 - ?4 ELSE ends_at < ?5 - ?4 END`,
      [scope, ...thisBoot, before, Math.floor(clock.now())],
    )
  }
}

/** A batch that was not reported counts completely, at the latest time an earlier run could have used it. */
function startAgesOf(row: SqlRow, clock: Clock): number[] {
  const [endsAt, count] = [Number(row['ends_at']), Number(row['count'])]
  const starts = startList(row['starts']) ?? Array.from({ length: count }, () => endsAt)
  return starts.map((at) => Math.max(0, -rowTimeFromNow(at, row, clock)))
}

/** An unreadable list is treated as missing: the batch counts completely. */
function startList(text: unknown): number[] | null {
  if (typeof text !== 'string') return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((at) => typeof at === 'number') ? list : null
  } catch {
    return null
  }
}

/** Wall time that follows the monotonic clock and jumps only forward: it catches up after sleep. */
function anchored(clock: Clock): () => number {
  let wall = clock.now()
  let monotonic = clock.monotonic()
  return () => {
    const elapsed = clock.monotonic() - monotonic
    monotonic += elapsed
    wall = Math.max(wall + elapsed, clock.now())
    return wall
  }
}
