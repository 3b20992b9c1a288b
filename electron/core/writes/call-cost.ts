import type { BudgetState } from '../../contract/api/budget.ts'
import type { CallCost } from '../../contract/api/writes.ts'

/** The longer window (services.md#B32). */
const windowInMs = 300_000

/**
 * The cost of `calls` calls made now by a person, which go before all other waiting calls. Exact if there are
 * no faults, except for a full five-minute window: its calls count as made just now, because their ages are
 * not known here.
 */
export function callCost(calls: number, budget: BudgetState, now: number): CallCost {
  const heldForInMs = Math.max(0, (budget.pausedUntil ?? now) - now, (budget.heldUntilAt ?? now) - now)
  const perSecond = Math.max(1, budget.second.limit)
  const perWindow = Math.max(1, budget.fiveMinutes.limit)
  const beyondSecond = Math.max(0, calls - Math.max(0, budget.second.limit - budget.second.used))
  const beyondWindow = Math.max(0, calls - Math.max(0, budget.fiveMinutes.limit - budget.fiveMinutes.used))
  const fullWindows = Math.ceil(beyondWindow / perWindow)
  const inLastWindow = beyondWindow - Math.max(0, fullWindows - 1) * perWindow
  const aboutInMs =
    fullWindows === 0
      ? (beyondSecond * 1_000) / perSecond
      : fullWindows * windowInMs + (inLastWindow * 1_000) / perSecond
  return {
    calls,
    aboutInMs: Math.ceil(heldForInMs + aboutInMs),
    shareOfWindow: calls / perWindow,
  }
}
