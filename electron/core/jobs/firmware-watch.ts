import { Failed, noKeyToSend } from '../../contract/failure.ts'
import type { FirmwareReading } from '../management/management.ts'
import { compareVersions } from '../lists/version-order.ts'
import type { Clock } from '../platform.ts'
import { pause } from '../pause.ts'

const firstLookInMs = 20_000
const growsBy = 1.5
/** Chosen: an update takes minutes, and a job may watch hundreds of devices. */
const betweenLooksAtMostInMs = 120_000
/** Looks in a row after which a device that was updating and is not any more keeps what it reports. Chosen: it may restart between two. */
const looksToBelieve = 2

/** Looks of one watching, at most. */
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
  /** It was updating, is not any more, and reports this version still. */
  | { readonly kind: 'kept'; readonly version: string }

export interface FirmwareWatching {
  readonly clock: Clock
  readonly version: string
  /** Rejects with Failed. */
  readonly look: () => Promise<FirmwareReading>
  readonly signal: AbortSignal
  /** Wall time; null: nobody knows, so the whole time is watched. */
  readonly sentAt: number | null
  readonly forInMs: number
  /** True: this run saw the write accepted. */
  readonly fromTheStart: boolean
}

/** Looks until the device reports the version or the time is up. What befalls one look ends nothing, but for a key that is refused or a data folder that is not ours. */
export async function watchFirmware({
  clock,
  version,
  look,
  signal,
  sentAt,
  forInMs,
  fromTheStart,
}: FirmwareWatching): Promise<FirmwareWatched> {
  const startedAt = clock.monotonic()
  // Of a watching that goes on, only the wall clock knows how long it has lasted.
  const lasted = fromTheStart || sentAt === null ? 0 : Math.max(0, clock.now() - sentAt)
  const left = (): number => forInMs - lasted - (clock.monotonic() - startedAt)
  let wasUpdating = false
  let since = 0
  // Later looks come at the longest distance: with those before there are never more than said.
  for (let step = fromTheStart ? firstLookInMs : betweenLooksAtMostInMs; ; step = longer(step)) {
    if (!(await pause(clock, Math.max(0, Math.min(step, left())), signal))) return { kind: 'not-watched' }
    try {
      const told = await look()
      if (isSame(told.version, version)) return { kind: 'verified' }
      wasUpdating ||= told.updating === true
      since = wasUpdating && told.updating === false && told.version !== null ? since + 1 : 0
      if (since >= looksToBelieve && told.version !== null) return { kind: 'kept', version: told.version }
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      if (['key-refused', ...noKeyToSend, 'cancelled', 'data-folder'].includes(error.failure.kind))
        return { kind: 'not-watched' }
    }
    if (left() <= 0) return { kind: 'not-reported' }
  }
}

export const isSame = (reported: string | null, version: string): boolean =>
  reported !== null && compareVersions(reported, version) === 0
