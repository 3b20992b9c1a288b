import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Overview } from '../overview.ts'

export const overview = {
  get: method(nothing).returns<Overview>(),
}
