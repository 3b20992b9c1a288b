import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'

/**
 * The documents needed to work without a connection: for each product and variant of the fleet the versions
 * in use, the newest and the approved ones.
 */
export interface OfflinePlan {
  readonly products: number
  /**
   * Maximum of requests: fresh documents are not requested again. None of them counts against the limits of
   * the management interface.
   */
  readonly requests: number
  /** Estimated from the mean size of the stored documents; null: none is stored yet. */
  readonly bytes: number | null
}

export interface OfflineReport extends OfflinePlan {
  /**
   * Documents stored now, regardless of later ones; the response that a document is not published counts too.
   */
  readonly prepared: number
  /** Why it is incomplete, from the first document that could not be read; null: it is complete. */
  readonly failure: Failure | null
}

export const offline = {
  plan: method(nothing).returns<OfflinePlan>(),
  /** Reads all of them. The response that a document is not published counts as read. */
  prepare: method(nothing).returns<OfflineReport>(),
}
