import { nothing } from '../argument-parts.ts'
import type { HoldTrial } from '../budget.ts'
import { method } from '../method.ts'

export const budget = {
  /** One call although the service holds the subscription: asked for by a person alone. It has its line in the journal. */
  tryNow: method(nothing).returns<HoldTrial>(),
}
