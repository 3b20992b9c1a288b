import { Failed } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { ParsedFirmware } from '../management/management.ts'
import { isSameVersion } from '../lists/version-order.ts'
import type { Clock } from '../platform.ts'
import { pause } from '../pause.ts'

const firstLookInMs = 20_000
const growsBy = 1.5
/**
 * Intervals between reads: an update takes minutes, and a job may watch hundreds of devices. Lower them if
 * results appear too late.
 */
const betweenLooksAtMostInMs = 120_000
/**
 * A device may restart between two reads: the version that it reports after an update counts as final after
 * this many consecutive reads. Raise it if devices restart more often.
 */
const looksToBelieve = 2

/** Maximum reads of one watch. */
export function looksWithin(forInMs: number): number {
  let looks = 0
  for (let [at, step] = [0, firstLookInMs]; at < forInMs; step = longer(step)) {
    at += step
    looks++
  }
  return looks
}
const longer = (step: number): number => Math.min(step * growsBy, betweenLooksAtMostInMs)

export type FirmwareWatched =
  | { readonly kind: 'verified' | 'not-watched' | 'not-reported' }
  /** It was updating, has stopped, and still reports this version. */
  | { readonly kind: 'kept'; readonly version: string }

export interface FirmwareWatching {
  readonly clock: Clock
  readonly version: string
  /** Rejects with Failed. */
  readonly look: () => Promise<ParsedFirmware>
  readonly signal: AbortSignal
  /** Wall time; null: not known, so it is watched for the whole time. */
  readonly sentAt: number | null
  readonly forInMs: number
  /** True: the write was accepted during this run. */
  readonly fromTheStart: boolean
}

/**
 * Polls until the device reports the version or the time is up. A failed poll does not stop the watch, unless
 * the key is refused or the data folder belongs to another process.
 */
export async function watchFirmware(watching: FirmwareWatching): Promise<FirmwareWatched> {
  const { clock, version, look, signal, sentAt, forInMs, fromTheStart } = watching
  const startedAt = clock.monotonic()
  // After a restart, the elapsed watch time can only come from the wall clock.
  const lasted = fromTheStart || sentAt === null ? 0 : Math.max(0, clock.now() - sentAt)
  const left = (): number => forInMs - lasted - (clock.monotonic() - startedAt)
  let wasUpdating = false
  let since = 0
  // Later polls use the longest interval, so that the maximum includes those made before.
  for (let step = fromTheStart ? firstLookInMs : betweenLooksAtMostInMs; ; step = longer(step)) {
    if (!(await pause(clock, Math.max(0, Math.min(step, left())), signal))) return { kind: 'not-watched' }
    try {
      const seen = await look()
      if (isSameVersion(seen.version, version)) return { kind: 'verified' }
      wasUpdating ||= seen.updating === true
      since = wasUpdating && seen.updating === false && seen.version !== null ? since + 1 : 0
      if (since >= looksToBelieve && seen.version !== null) return { kind: 'kept', version: seen.version }
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      if (policyOf(error.failure).reach === 'end') return { kind: 'not-watched' }
    }
    if (left() <= 0) return { kind: 'not-reported' }
  }
}
