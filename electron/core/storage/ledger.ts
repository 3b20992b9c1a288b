import type { CallHistory, HistoryNews, LeaseNews, Said, Standstill } from '../call-budget/call-budget.ts'
import type { Clock, Database, SqlRow, SqlValue, Transaction } from '../platform.ts'
import {
  deadlineColumns,
  deadlineOf,
  readDeadline,
  removeDeadline,
  writeDeadline,
  type Deadline,
  type DeadlineKind,
} from './deadlines.ts'
import { noticedWithinMs, type LastUse } from './last-use.ts'
import { prepareLedger } from './ledger-migrations.ts'
import { isOfThisBoot, rowTimeColumns, rowTimeFromNow, rowTimeNow } from './row-time.ts'

export interface CallHistoryOptions {
  /** The `ledger` file. Migrated here, when it is first used. */
  readonly database: Database
  readonly clock: Clock
  /** The random id of a subscription: organizations whose key is the same share it, and nothing in the ledger tells which key. */
  readonly scope: string
  /** A new id for this process (`platform.newId()`). */
  readonly owner: string
  /** What else is known of the calls of this subscription; null: nothing of it can be lost. */
  readonly lastUse: LastUse | null
}

/** How long a lease may be used after it was taken, ms. Written into the row, so that it may differ between versions. */
const validForInMs = 1_000
const pruneEvery = 200
/** Longer than `noticedWithinMs`: what is noted elsewhere is compared with what stands here. */
const keptLongerInMs = 2 * noticedWithinMs
/** A start is noted right after its lease was written down. */
const sameStartInMs = 1_000

/**
 * The call history of one subscription in the ledger file, shared by every program on this home. Times in rows are compared by the clock
 * that all programs share since the computer started (row-time.ts). Rejects with DatabaseError.
 */
export function openCallHistory({ database, clock, scope, owner, lastUse }: CallHistoryOptions): CallHistory {
  let seenRevision = 0
  let leaseId: number | null = null
  let windowInMs = 300_000
  let exchanges = 0
  const time = anchored(clock)

  /** Starts as wall times, so that they mean something after another start of the computer. */
  const startsOf = (ages: readonly number[], now: number): string =>
    JSON.stringify(ages.map((age) => Math.ceil(now - age)))

  const insertLease = (
    transaction: Transaction,
    now: number,
    count: number,
    endsAt: number,
    starts: string | null,
  ): number =>
    transaction.run(
      `INSERT INTO lease (scope, owner, revision, count, ends_at, starts, ${rowTimeColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[scope, owner, nextRevision(transaction, scope), count, Math.ceil(endsAt), starts],
        ...rowTimeNow(clock, now),
      ],
    ).lastId

  const writeSaid = (
    transaction: Transaction,
    { ended, unsaved, lostForInMs, keyCheckLeft }: Said,
    now: number,
  ): void => {
    transaction.run(
      'INSERT INTO scope (scope, revision, paused_until_at, paused_at) VALUES (?, 0, 0, 0) ON CONFLICT DO NOTHING',
      [scope],
    )
    if (leaseId !== null && ended !== null)
      transaction.run(
        'UPDATE lease SET starts = ?, ends_at = ?, revision = ?, boot = ?, told_at = ?, told_mono = ? WHERE id = ?',
        [
          ...[startsOf(ended, now), Math.ceil(now), nextRevision(transaction, scope)],
          ...rowTimeNow(clock, now),
          leaseId,
        ],
      )
    if (unsaved.length > 0) insertLease(transaction, now, unsaved.length, now, startsOf(unsaved, now))
    if (lostForInMs <= 0) return
    const untilAt = clock.now() + lostForInMs
    for (const kind of keyCheckLeft ? (['lost'] as const) : (['lost', 'key-check'] as const))
      writeDeadline(transaction, scope, kind, untilAt, clock)
  }

  /** `rows`: leases since a revision, or every one; read with what stands still, in one look. */
  const newsOf = (rows: readonly SqlRow[], standstill: Standstill): HistoryNews => ({
    ...standstill,
    leases: rows.map((row) => leaseNews(row, clock)),
  })

  const standstillIn = (transaction: Transaction): Standstill =>
    standstillOf((kind) => readDeadline(transaction, scope, kind, clock))

  /** After another start of the computer, with the wall clock before rows of the last one: they count as of now, once, and age from here. */
  const rewriteFuture = async (rows: readonly SqlRow[]): Promise<void> => {
    const future = rows.filter(
      (row) =>
        !isOfThisBoot(row, clock) &&
        Math.max(Number(row['ends_at']), ...(startList(row['starts']) ?? [])) > clock.now(),
    )
    if (future.length === 0) return
    await database.write((transaction) => {
      for (const { id } of future)
        transaction.run(
          'UPDATE lease SET starts = NULL, ends_at = ?, boot = ?, told_at = ?, told_mono = ? WHERE id = ?',
          [...[clock.now(), ...rowTimeNow(clock, clock.now())], id ?? null],
        )
    })
  }

  return {
    async recall(window) {
      windowInMs = window
      await prepareLedger(database)
      // One statement, so one moment of the file: what is written later is news.
      const all = await database.read(
        `SELECT s.revision, l.id, l.owner, l.count, l.ends_at, l.starts, l.boot, l.told_at, l.told_mono
         FROM scope s LEFT JOIN lease l ON l.scope = s.scope WHERE s.scope = ? ORDER BY l.revision`,
        [scope],
      )
      const deadlines = new Map(
        (await database.read(`SELECT ${deadlineColumns} FROM deadline WHERE scope = ?`, [scope])).map(
          (row) => [row['kind'], row],
        ),
      )
      const deadline = (kind: DeadlineKind): Deadline | null => deadlineOf(deadlines.get(kind), clock)
      seenRevision = Number(all[0]?.['revision'] ?? 0)
      const rows = all.filter((row) => row['id'] !== null && row['owner'] !== owner)
      await rewriteFuture(rows).catch(() => undefined)
      const kept = deadline('lost')
      const lostForInMs = kept?.forInMs ?? (await missingForInMs(all.length === 0 ? null : rows))
      return {
        ...newsOf(rows, await withTold(standstillOf(deadline))),
        lostForInMs,
        keyCheckLeft: kept === null || deadline('key-check') === null,
      }
    },

    async exchange(said, take) {
      const granted = await database.write((transaction) => {
        const now = time()
        writeSaid(transaction, said, now)
        const rows = transaction.all(
          `SELECT id, revision, count, ends_at, starts, ${rowTimeColumns} FROM lease WHERE scope = ? AND revision > ? AND owner <> ? ORDER BY revision`,
          [scope, seenRevision, owner],
        )
        // What was told of is not told again, even should this transaction fail: others have written it.
        seenRevision = Math.max(seenRevision, ...rows.map((row) => Number(row['revision'] ?? 0)))
        const count = take(newsOf(rows, standstillIn(transaction)))
        if (++exchanges % pruneEvery === 1) prune(transaction)
        return count <= 0 ? null : insertLease(transaction, now, count, now + validForInMs, null)
      })
      leaseId = granted
    },

    async look() {
      const rows = await database.read(`SELECT ${deadlineColumns} FROM deadline WHERE scope = ?`, [scope])
      return withTold(
        standstillOf((kind) =>
          deadlineOf(
            rows.find((row) => row['kind'] === kind),
            clock,
          ),
        ),
      )
    },

    told: () => withTold({ pausedForInMs: 0, held: null }),

    async pause(untilAt) {
      await Promise.all([
        database.write((transaction) => later(transaction, 'pause', untilAt)),
        // A shorter one is over before the windows of a lost history are not full any more.
        untilAt - clock.now() > windowInMs ? lastUse?.keepTold('pause', untilAt, false) : null,
      ])
    },

    async hold(untilAt, replace) {
      await Promise.all([
        database.write((transaction) => {
          if (untilAt === null) removeDeadline(transaction, scope, 'hold')
          else if (replace) writeDeadline(transaction, scope, 'hold', untilAt, clock)
          else later(transaction, 'hold', untilAt)
        }),
        lastUse?.keepTold('hold', untilAt, replace),
      ])
    },

    used: (unsaved) => lastUse?.happened(unsaved),

    async close(said) {
      await lastUse?.close()
      if ((leaseId !== null && said.ended !== null) || said.unsaved.length > 0)
        await database.write((transaction) => writeSaid(transaction, said, time()))
    },
  }

  function standstillOf(deadline: (kind: DeadlineKind) => Deadline | null): Standstill {
    return { pausedForInMs: deadline('pause')?.forInMs ?? 0, held: deadline('hold') }
  }

  /** With what the workbook keeps: the one that lasts longer, for this file may have been lost since. */
  async function withTold({ pausedForInMs, held }: Standstill): Promise<Standstill> {
    const [pause = null, hold = null] = [await lastUse?.told('pause'), await lastUse?.told('hold')]
    return {
      pausedForInMs: Math.max(pausedForInMs, pause?.forInMs ?? 0),
      held: (hold?.forInMs ?? 0) > (held?.forInMs ?? 0) ? hold : held,
    }
  }

  function later(transaction: Transaction, kind: DeadlineKind, untilAt: number): void {
    if (untilAt - clock.now() > (readDeadline(transaction, scope, kind, clock)?.forInMs ?? 0))
      writeDeadline(transaction, scope, kind, untilAt, clock)
  }

  /** How long the windows count as full because a call is known of that no row tells; 0: there is none. `rows` null: nothing stands here at all. */
  async function missingForInMs(rows: readonly SqlRow[] | null): Promise<number> {
    const ages = await lastUse?.ages()
    // Rows tell more than a wall time elsewhere; only what is noted of the calls themselves is compared with them.
    const age = (rows === null ? ages?.any : ages?.noted) ?? null
    if (
      age === null ||
      rows?.some((row) => -rowTimeFromNow(Number(row['ends_at']), row, clock) <= age + sameStartInMs)
    )
      return 0
    return Math.max(0, Math.min(windowInMs, windowInMs + noticedWithinMs - age))
  }

  function prune(transaction: Transaction): void {
    const before = windowInMs + keptLongerInMs
    const thisBoot: SqlValue[] = [clock.boot, clock.monotonic()]
    transaction.run(
      `DELETE FROM lease WHERE scope = ?1 AND CASE WHEN boot IS ?2 AND told_mono <= ?3 THEN told_mono + (ends_at - told_at) < ?3 - ?4 ELSE ends_at < ?5 - ?4 END`,
      [scope, ...thisBoot, before, Math.floor(clock.now())],
    )
  }
}

function nextRevision(transaction: Transaction, scope: string): number {
  const row = transaction.first(
    'UPDATE scope SET revision = revision + 1 WHERE scope = ? RETURNING revision',
    [scope],
  )
  return Number(row?.['revision'] ?? 0)
}

/** What another program, or an earlier run, started. Unsaid and over: all of it counts, as late as it could have been. */
function leaseNews(row: SqlRow, clock: Clock): LeaseNews {
  const fromNow = (at: number): number => rowTimeFromNow(at, row, clock)
  const [endsAt, count] = [Number(row['ends_at']), Number(row['count'])]
  const toGo = Math.min(validForInMs, fromNow(endsAt))
  const starts = startList(row['starts']) ?? (toGo <= 0 ? Array.from({ length: count }, () => endsAt) : null)
  return {
    id: Number(row['id']),
    count,
    validForInMs: Math.max(0, toGo),
    startAges: starts?.map((at) => Math.max(0, -fromNow(at))) ?? null,
  }
}

/** A list that cannot be read is as good as none: the lease counts whole. */
function startList(text: unknown): number[] | null {
  if (typeof text !== 'string') return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((at) => typeof at === 'number') ? list : null
  } catch {
    return null
  }
}

/** Wall time that follows the monotonic clock and jumps only forward: sleep is caught up with. */
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
