import type { Clock, SqlRow, Transaction } from '../platform.ts'

/**
 * `pause` and `hold`: nothing is sent before it. `lost`: both windows count as full until then. `key-check`:
 * the one key check that is still allowed was made.
 */
export type DeadlineKind = 'pause' | 'hold' | 'lost' | 'key-check'

/**
 * The stored form of a deadline: wall times as stated and, because computers sleep and clocks are set, the
 * uptime at that moment.
 */
export interface Deadline {
  /** Remaining time, ms; more than 0. */
  readonly forInMs: number
  /** Wall time as stated. */
  readonly untilAt: number
}

export const deadlineColumns = 'kind, until_at, told_at, boot, told_uptime'
/** `Clock.uptime` may be too low by this. */
const uptimeWithinMs = 1_000

/** null: over, or there is none. */
export function deadlineOf(row: SqlRow | undefined, clock: Clock): Deadline | null {
  if (row === undefined) return null
  const [untilAt, savedAt, uptime] = [Number(row['until_at']), Number(row['told_at']), row['told_uptime']]
  const byWall = untilAt - clock.now()
  const whole = untilAt - savedAt
  const isOfThisBoot = typeof uptime === 'number' && row['boot'] === clock.boot && uptime <= clock.uptime()
  const byUptime = isOfThisBoot ? whole - (clock.uptime() - uptime) : null
  // Uptime decides, and the wall clock only within its tolerance. After another start of the computer the
  // wall clock is used, but never for longer than stated.
  const forInMs =
    byUptime === null
      ? Math.min(byWall, whole)
      : Math.max(byUptime, Math.min(byWall, byUptime + uptimeWithinMs))
  return forInMs > 0 ? { forInMs, untilAt } : null
}

export const deadlineRow = (untilAt: number, clock: Clock) => ({
  until_at: Math.ceil(untilAt),
  told_at: Math.floor(clock.now()),
  boot: clock.boot,
  told_uptime: clock.uptime(),
})

/** Stores it and replaces the previous one. */
export function writeDeadline(
  transaction: Transaction,
  scope: string,
  kind: DeadlineKind,
  untilAt: number,
  clock: Clock,
): void {
  transaction.run(
    'INSERT OR REPLACE INTO deadline (scope, kind, until_at, told_at, boot, told_uptime) VALUES (?, ?, ?, ?, ?, ?)',
    [scope, kind, ...Object.values(deadlineRow(untilAt, clock))],
  )
}

export function parseDeadline(
  transaction: Transaction,
  scope: string,
  kind: DeadlineKind,
  clock: Clock,
): Deadline | null {
  return deadlineOf(
    transaction.first(`SELECT ${deadlineColumns} FROM deadline WHERE scope = ? AND kind = ?`, [scope, kind]),
    clock,
  )
}

export function removeDeadline(transaction: Transaction, scope: string, kind: DeadlineKind): void {
  transaction.run('DELETE FROM deadline WHERE scope = ? AND kind = ?', [scope, kind])
}
