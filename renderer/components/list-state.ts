import type { Failure } from '../../electron/contract/failure.ts'

export type ListState =
  /** There are rows to show. */
  | 'rows'
  /** The first response is in flight. */
  | 'waiting'
  /** Nothing was read before, and a sync is reading now. */
  | 'first-sync'
  | 'no-key'
  /** The key was refused: nothing is sent until the technician acts. */
  | 'stopped'
  | 'nothing-yet'
  /** The service was read and has no rows. */
  | 'none-there'
  | 'nothing-matches'
  | 'failed'

export interface ListFacts {
  /** Matching rows, and all rows; null before the first response. */
  readonly total: number | null
  readonly all: number | null
  readonly filtered: boolean
  readonly syncing: boolean
  /** When a complete sync last ended; null: never. */
  readonly completeAt: number | null
  readonly hasKey: boolean
  readonly stopped: boolean
  readonly failure: Failure | null
}

/** What a list page shows. Rows take precedence: cached data stays usable during any problem. */
export function listState(facts: ListFacts): ListState {
  if (facts.total !== null && facts.total > 0) return 'rows'
  if (facts.failure) return 'failed'
  if (facts.total === null || facts.all === null) return 'waiting'
  if (facts.filtered && facts.all > 0) return 'nothing-matches'
  if (facts.syncing) return 'first-sync'
  if (!facts.hasKey) return 'no-key'
  if (facts.stopped && facts.completeAt === null) return 'stopped'
  return facts.filtered ? 'nothing-matches' : facts.completeAt === null ? 'nothing-yet' : 'none-there'
}
