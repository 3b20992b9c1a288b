import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'

/** Why a host was asked. `download`: for a firmware file, without a key. `picture`: for pictures of products, without a key. `webhook-validation`: once, because a technician confirmed it, without a key. `outside`: an address opened in the system's browser, by the browser. */
export type ContactPurpose =
  'management' | 'metadata' | 'download' | 'picture' | 'webhook-validation' | 'outside'

/** A host this program contacted, since when it counts, and why. Never an address with its query, never a key. */
export interface ContactedHost {
  readonly host: string
  readonly purpose: ContactPurpose
  /** Organizations on whose behalf. */
  readonly organizations: readonly string[]
  /** On this computer: the demonstration. */
  readonly local: boolean
  readonly attempts: number
  /** Attempts that brought no answer. */
  readonly failed: number
  readonly firstAt: number
  readonly lastAt: number
}

export const connections = {
  list: method(nothing).returns<readonly ContactedHost[]>(),
}
