import { nothing } from '../argument-parts.ts'
import { method } from '../method.ts'
import type { Failure } from '../failure.ts'

/** What is asked for to be ready for work without a connection: for each product and variant of the fleet versions in use, newest and approved. */
export interface OfflinePlan {
  readonly products: number
  /** Requests at most: what is fresh is not asked for again. None of them counts against the limits of the management interface. */
  readonly requests: number
  /** By the mean size of the documents that are kept; null: none is kept yet. */
  readonly bytes: number | null
}

export interface OfflineReport extends OfflinePlan {
  /** Documents that are kept now, whatever comes after them; one that is not published is an answer too. */
  readonly prepared: number
  /** Why it is not whole, of the first document that could not be had; null: all is there. */
  readonly failure: Failure | null
}

export const offline = {
  plan: method(nothing).returns<OfflinePlan>(),
  /** Reads all of it. A document that is not published is an answer. */
  prepare: method(nothing).returns<OfflineReport>(),
}
