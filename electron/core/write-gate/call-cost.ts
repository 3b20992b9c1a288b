import type { BudgetState } from '../../contract/budget.ts'
import type { CallCost } from '../../contract/write.ts'

/** What `calls` calls of a person would cost now: they go before everything else that waits. Exact without faults. */
export function callCost(calls: number, budget: BudgetState, now: number): CallCost {
  const heldForInMs = Math.max(0, (budget.pausedUntil ?? now) - now)
  const freeNow = Math.max(0, budget.second.limit - budget.second.used)
  const later = Math.max(0, calls - freeNow)
  return {
    calls,
    aboutInMs: Math.ceil(heldForInMs + (later * 1_000) / Math.max(1, budget.second.limit)),
    shareOfWindow: calls / Math.max(1, budget.fiveMinutes.limit),
  }
}
