import { nothing } from '../argument-parts.ts'
import type { ContactedHost } from '../connection.ts'
import { method } from '../method.ts'

export const connections = {
  list: method(nothing).returns<readonly ContactedHost[]>(),
}
