import type { Clock } from '../platform.ts'

/** The time in which a policy counts actions (`mostItems`). */
export const countedForInMs = 60 * 60_000

/**
 * Writes of this user that began within the last 60 minutes, for all organizations of the data folder.
 * `begunAgoInMs`: those of earlier runs.
 */
export function openWriteCount(clock: Pick<Clock, 'monotonic'>, begunAgoInMs: readonly number[]) {
  let begun = begunAgoInMs.map((agoInMs) => clock.monotonic() - agoInMs)
  return {
    now(): number {
      begun = begun.filter((at) => clock.monotonic() - at < countedForInMs)
      return begun.length
    },
    add: (): void => void begun.push(clock.monotonic()),
  }
}
