import type { Clock, SqlRow } from '../platform.ts'

/**
 * Wall times in rows may be read by a later run, or after the wall clock was set. So each row also has the
 * time of writing by the clock that runs since the computer started: `boot`, `told_at` (wall) and `told_mono`
 * (monotonic). Times are compared by that clock. For rows of an earlier start, only the wall times are valid.
 */
export const rowTimeColumns = 'boot, told_at, told_mono'

/** The values of `rowTimeColumns` for a row written now with times of this wall reading, ms. */
export const rowTimeNow = (clock: Clock, wall: number): [string | null, number, number] => [
  clock.boot,
  Math.floor(wall),
  clock.monotonic(),
]

/**
 * Whether the row was written since the computer was started. If the system gives no id for a start, a time
 * in the future indicates another start.
 */
export const isOfThisBoot = (row: SqlRow, clock: Clock): boolean =>
  typeof row['told_mono'] === 'number' && row['boot'] === clock.boot && row['told_mono'] <= clock.monotonic()

/**
 * Milliseconds from now until a wall time of the row; negative: it has passed. The wall clock is used only
 * for a row of an earlier start, and only if it is not before the row: otherwise its times count as now.
 */
export function rowTimeFromNow(at: number, row: SqlRow, clock: Clock): number {
  if (isOfThisBoot(row, clock))
    return Number(row['told_mono']) + (at - Number(row['told_at'])) - clock.monotonic()
  return Math.min(0, at - clock.now())
}
