import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'

/**
 * Why a host was contacted. `download`: for a firmware file, without a key. `picture`: for pictures of
 * products, without a key. `webhook-validation`: once, after a technician confirmed it, without a key.
 * `newer-version`: for word of a newer version of this program, without a key.
 * `outside`: the system's browser opened an address there.
 */
export type ContactPurpose =
  | 'management'
  | 'metadata'
  | 'download'
  | 'picture'
  | 'webhook-validation'
  | 'newer-version'
  | 'outside'

/**
 * A host this program contacted, since when its calls are counted, and the purposes. Never an address with
 * its query, never a key.
 */
export interface ContactedHost {
  readonly host: string
  readonly purpose: ContactPurpose
  /** Present names of the organizations for which it was contacted; null: one that was removed. */
  readonly organizations: readonly (string | null)[]
  /** On this computer: the demonstration. */
  readonly local: boolean
  readonly attempts: number
  /** Attempts without a response. */
  readonly failed: number
  readonly firstAt: number
  readonly lastAt: number
}

/** A host that may be contacted, or was, for one purpose and one organization. */
export interface ReachableHost {
  readonly host: string
  /** null: it differs at each start, as that of a demonstration. */
  readonly port: number | null
  readonly why: ContactPurpose
  /** null: none, or one that was removed. */
  readonly organizationId: string | null
}

export const connections = {
  list: method(nothing).returns<readonly ContactedHost[]>(),
  /** By host: for the rules of a network. */
  reachable: method(nothing).returns<readonly ReachableHost[]>(),
}
