import type { CallHistory, HistoryNews, LeaseNews } from '../call-budget/call-budget.ts'
import type { Clock, Database, SqlRow, Transaction } from '../host.ts'
import { migrateLedger } from './ledger-migrations.ts'

export interface CallHistoryOptions {
  /** The `ledger` file. Migrated here, when it is first used. */
  readonly database: Database
  readonly clock: Clock
  /** The random id of a subscription: organizations whose key is the same share it, and nothing in the ledger tells which key. */
  readonly scope: string
  /** A new id for this process (`host.newId()`). */
  readonly owner: string
  /** When the caller last knew this subscription to be used; null: never. Tells a lost ledger from a first use. */
  readonly lastUsedAt: number | null
}

/** How long a lease may be used after it was taken, ms. Written into the row, so that it may differ between versions. */
const validForInMs = 1_000
const pruneEvery = 200
/** Wall clocks and rows count whole milliseconds, the budget parts of them: an age is taken two shorter than it reads. */
const roundingInMs = 2
const keptLongerInMs = 60_000

/**
 * The call history of one subscription in the ledger file, shared by every program on this home.
 * Times in rows are wall times of the program that wrote them; they matter only to a program that starts later.
 * Rejects with DatabaseError.
 */
export function openCallHistory({ database, clock, scope, owner, lastUsedAt }: CallHistoryOptions): CallHistory {
  let seenRevision = 0
  let leaseId: number | null = null
  let windowInMs = 300_000
  let exchanges = 0
  const time = anchored(clock)

  const settle = (transaction: Transaction, endedAges: readonly number[] | null, now: number) => {
    if (leaseId === null || endedAges === null) return
    const starts = JSON.stringify(endedAges.map((age) => Math.ceil(now - age)))
    transaction.run('UPDATE lease SET starts = ?, revision = ? WHERE id = ?', [starts, nextRevision(transaction, scope), leaseId])
    leaseId = null
  }

  const newsSince = (transaction: Transaction, now: number, recalling: boolean): HistoryNews => {
    const rows = transaction.all('SELECT id, owner, count, ends_at, starts FROM lease WHERE scope = ? AND revision > ? AND owner <> ? ORDER BY revision', [
      scope,
      seenRevision,
      owner,
    ])
    seenRevision = Number(transaction.first('SELECT revision FROM scope WHERE scope = ?', [scope])?.['revision'] ?? 0)
    return { leases: recalling ? rows.map((row) => recalled(row, now)) : newsOfRunning(rows), pausedForInMs: pauseLeft(transaction, clock.now()) }
  }

  /** Never longer than it was when it was said: the wall clock may have been set back since. */
  const pauseLeft = (transaction: Transaction, wall: number): number => {
    const told = transaction.first('SELECT paused_until_at, paused_at FROM scope WHERE scope = ?', [scope])
    const untilAt = Number(told?.['paused_until_at'] ?? 0)
    return Math.max(0, Math.min(untilAt - wall, untilAt - Number(told?.['paused_at'] ?? 0)))
  }

  const ensureScope = (transaction: Transaction) =>
    transaction.run('INSERT INTO scope (scope, revision, paused_until_at, paused_at) VALUES (?, 0, 0, 0) ON CONFLICT DO NOTHING', [scope]).changes > 0

  return {
    recall(window) {
      windowInMs = window
      return database.write((transaction) => {
        migrateLedger(transaction)
        const now = time()
        const isNew = ensureScope(transaction)
        // A subscription that was used within the window, by what the caller kept elsewhere, but is unknown here: the ledger was lost.
        if (isNew && lastUsedAt !== null && now - lastUsedAt < windowInMs) return 'lost'
        // A wall clock that was set back leaves rows in the future: they count as just now, once, and age from there.
        transaction.run('UPDATE lease SET ends_at = ?, starts = NULL WHERE scope = ? AND ends_at > ?', [
          Math.ceil(now),
          scope,
          Math.ceil(now) + 2 * validForInMs,
        ])
        prune(transaction, scope, now - windowInMs - keptLongerInMs)
        return newsSince(transaction, now, true)
      })
    },

    exchange(endedAges, take) {
      return database.write((transaction) => {
        const now = time()
        settle(transaction, endedAges, now)
        ensureScope(transaction)
        const count = take(newsSince(transaction, now, false))
        if (++exchanges % pruneEvery === 0) prune(transaction, scope, now - windowInMs - keptLongerInMs)
        if (count <= 0) return
        const row = [scope, owner, nextRevision(transaction, scope), count, Math.ceil(now + validForInMs)]
        leaseId = transaction.run('INSERT INTO lease (scope, owner, revision, count, ends_at) VALUES (?, ?, ?, ?, ?)', row).lastId
      })
    },

    async pause(untilAt) {
      await database.write((transaction) => {
        ensureScope(transaction)
        const wall = clock.now()
        if (untilAt - wall <= pauseLeft(transaction, wall)) return
        transaction.run('UPDATE scope SET paused_until_at = ?, paused_at = ? WHERE scope = ?', [Math.ceil(untilAt), Math.floor(wall), scope])
      })
    },

    async close(endedAges) {
      if (leaseId !== null && endedAges !== null) await database.write((transaction) => settle(transaction, endedAges, time()))
    },
  }
}

function prune(transaction: Transaction, scope: string, before: number): void {
  transaction.run('DELETE FROM lease WHERE scope = ? AND ends_at < ?', [scope, Math.floor(before)])
}

function nextRevision(transaction: Transaction, scope: string): number {
  const row = transaction.first('UPDATE scope SET revision = revision + 1 WHERE scope = ? RETURNING revision', [scope])
  return Number(row?.['revision'] ?? 0)
}

/** What an earlier run left, by the wall clock. Unsaid and over: all of it counts, as late as it could have been. */
function recalled(row: SqlRow, now: number): LeaseNews {
  const endsAt = Number(row['ends_at'])
  const count = Number(row['count'])
  const starts = startsOf(row['starts']) ?? (endsAt <= now ? Array.from({ length: count }, () => endsAt) : null)
  const startAges = starts?.map((at) => Math.max(0, now - at - roundingInMs)) ?? null
  return { id: Number(row['id']), count, validForInMs: Math.min(validForInMs, Math.max(0, endsAt - now)), startAges }
}

/**
 * What programs that run beside us did. Their clocks may differ from ours by a jump, so only differences within one program's own
 * times are believed: its last sign of life counts as now, and a lease seen for the first time as just taken. Never too old.
 */
function newsOfRunning(rows: readonly SqlRow[]): LeaseNews[] {
  const told = rows.map((row) => ({ row, starts: startsOf(row['starts']), takenAt: Number(row['ends_at']) - validForInMs }))
  const lastSign = new Map<unknown, number>()
  for (const { row, starts, takenAt } of told) lastSign.set(row['owner'], Math.max(lastSign.get(row['owner']) ?? 0, takenAt, ...(starts ?? [])))
  return told.map(({ row, starts }) => ({
    id: Number(row['id']),
    count: Number(row['count']),
    validForInMs,
    startAges: starts?.map((at) => Math.max(0, lastSign.get(row['owner'])! - at - roundingInMs)) ?? null,
  }))
}

/** A list that cannot be read is as good as none: the lease counts whole. */
function startsOf(text: unknown): number[] | null {
  if (typeof text !== 'string') return null
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((at) => typeof at === 'number') ? list : null
  } catch {
    return null
  }
}

/** Wall time that follows the monotonic clock and jumps only forward: setting the clock back frees nothing; sleep is caught up with. */
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
