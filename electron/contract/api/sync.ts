import { nothing } from '../argument-parts.ts'
import type { UnreadableRecord } from './devices.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'
import type { Progress } from '../progress.ts'

export interface StreamCount {
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
}

export const sync = {
  /** Starts a sync of the current organization, or joins the running one; returns when it ends. */
  run: method(nothing).returns<SyncReport>(),
  cancel: method(nothing).returns<void>(),
  unreadable: method(nothing).returns<readonly UnreadableRecord[]>(),
}
