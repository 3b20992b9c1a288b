import { z } from 'zod'
import { nothing } from '../argument-parts.ts'
import type { UnreadableRecord } from './devices.ts'
import type { ProductNotCompared } from './firmware.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { Progress } from '../progress.ts'

interface StreamCount {
  /** Distinct readable records. */
  readonly read: number
  /** Records that are not an object or have no usable id. */
  readonly unreadable: number
  readonly gone: number
}

export interface SyncReport {
  readonly complete: boolean
  readonly devices: StreamCount
  readonly rooms: StreamCount
  readonly calls: number
  readonly startedAt: number
  readonly finishedAt: number
  /** So many are not listed that none were marked as gone; missing: not so. */
  readonly held?: { readonly devices: number; readonly rooms: number }
}

/** Of the records that were known and not gone, how many the service listed. */
export interface HeldKind {
  readonly listed: number
  readonly known: number
}

export interface SyncState {
  readonly running: boolean
  /**
   * Devices and rooms that this sync has read, out of the count of the last complete one; `total` null: there
   * was none.
   */
  readonly progress: Progress
  readonly startedAt: number | null
  readonly devicesRead: number
  readonly roomsRead: number
  readonly pages: number
  /** What it waits for now, if anything. */
  readonly waitingFor: 'budget' | 'rate-limit' | 'retry' | null
  readonly last: SyncReport | null
  readonly lastFailure: Failure | null
  /** When the last complete sync ended; null: never. */
  readonly completeAt: number | null
  /** Messages that are not failures, such as "Personal was refused; one unfiltered stream was read". */
  readonly notes: readonly string[]
  readonly nextAt: number | null
  /** What the last sync did not mark as gone, because it was so much; null: nothing. */
  readonly held: { readonly devices: HeldKind; readonly rooms: HeldKind } | null
}

/** A sync, and the comparison of the fleet's firmware with the catalogue after it. */
export interface ComparedSync extends Pick<SyncState, 'lastFailure' | 'held'> {
  readonly report: SyncReport
  /** Products whose firmware documents could not be read. */
  readonly left: number
  readonly notCompared: readonly ProductNotCompared[]
  /** Of the sync and of the metadata interface. */
  readonly notes: readonly string[]
  /** Nothing was found on the metadata interface, so nothing was compared. */
  readonly nothingPublished: boolean
}

const count = z.int().min(1).max(10_000_000)

export const sync = {
  /** Starts a sync of the current organization, or joins the running one; returns when it ends. */
  run: method(nothing).returns<SyncReport>(),
  /**
   * Starts a sync that marks what is not listed as gone, if this is exactly what the last one held:
   * `count` records. Otherwise it marks none.
   */
  acceptGone: method(z.strictObject({ count })).returns<SyncReport>(),
  /** `run`, or `acceptGone` unless it is null, then the comparison: a task. Returns when both have ended. */
  runAndCompare: method(z.strictObject({ acceptGone: count.nullable() })).returns<ComparedSync>(),
  cancel: method(nothing).returns<void>(),
  unreadable: method(nothing).returns<readonly UnreadableRecord[]>(),
}
