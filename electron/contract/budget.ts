export interface WindowUse {
  readonly used: number
  readonly limit: number
}

export type WaitReason = 'second-window' | 'five-minute-window' | 'paused' | 'write-slot' | 'concurrency'

export interface BudgetState {
  readonly second: WindowUse
  readonly fiveMinutes: WindowUse
  readonly waiting: number
  /** Wall time until which nothing is sent under this key; null: not paused. */
  readonly pausedUntil: number | null
  readonly waitReason: WaitReason | null
}
