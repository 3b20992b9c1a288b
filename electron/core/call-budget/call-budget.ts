import type { BudgetState } from '../../contract/budget.ts'

/** interactive before write before refresh before bulk, with ageing. */
export type Lane = 'interactive' | 'write' | 'refresh' | 'bulk'

export interface PlaceRequest {
  readonly lane: Lane
  /** For people: what waits, such as `ListDevices page 4`. */
  readonly label: string
  readonly signal: AbortSignal | null
}

/** Whose turn it is. One per subscription; shared by every caller of that subscription. */
export interface CallBudget {
  /**
   * Resolves at the instant the call may start: the start is already counted in both windows, so start it at once.
   * Rejects with Failed `cancelled` (signal) or `too-busy`.
   */
  place(request: PlaceRequest): Promise<void>
  /** Nothing is sent under this key before `untilAt` (wall time, ms). A later pause extends, an earlier one changes nothing. */
  pauseUntil(untilAt: number): void
  /** The service said 429 although we kept the limits: the pace shrinks by 0.7 and recovers slowly. */
  slowDown(): void
  state(): BudgetState
  /** Called at most ten times a second when the state may have changed. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  close(): Promise<void>
}
