import type { KeySlot } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { WireResponse } from '../platform.ts'

/** One request to one service, by the name of its operation. Paths are already percent-encoded. */
export interface ServiceRequest {
  /** The operation's name in contract/operations.ts. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The path after the base address, beginning with `/`. */
  readonly path: string
  readonly body: Json | null
  readonly lane: Lane
  /** True: one attempt on a fresh connection, never repeated. */
  readonly writes: boolean
  readonly signal: AbortSignal | null
  readonly headers?: Readonly<Record<string, string>>
  /** True: a read without data is not retried either; after a refused key, the other key is still tried. */
  readonly once?: boolean
  /**
   * Awaited immediately before every attempt, when the call budget has permitted it. If it rejects, the
   * request ends and nothing of this attempt is sent: for conditions that may have changed during the wait.
   */
  readonly beforeDispatch?: (() => Promise<void>) | undefined
  /**
   * Gets every response with any status, the body as received, and its duration, for display. It may contain
   * a key that was sent.
   */
  readonly observe?: (answer: WireResponse, tookInMs: number) => void
}

export interface ServiceResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed; null for a write whose body is not JSON. */
  readonly json: Json
  /** The body as received, without keys. */
  readonly text: string
  readonly receivedAt: number
  /** Attempts for this response, each a counted call. */
  readonly attempts: number
  /** The address it was read from, if redirects led to another one. */
  readonly redirectedTo?: string
}

/** Rejects only with Failed. 304 is returned (metadata only); every other non-2xx is a Failed. */
export interface ServiceClient {
  send(request: ServiceRequest): Promise<ServiceResponse>
  /** Called after every attempt with whether the service could be reached. */
  onReach(listener: (reached: boolean, at: number) => void): () => void
  /** Calls that wait for a retry. */
  retrying(): number
}

/** Removes subscription keys from text that is received or sent. */
export interface KeyScrubber {
  /** The text without any known key, in upper or lower case, percent-encoded, with JSON escapes, in hexadecimal or in base64. */
  text(text: string): string
  /**
   * The data without keys, in values and in names; `text` is its source. Keys that are so short that ids
   * contain them by chance remain.
   */
  json(json: Json, text: string): Json
}

/**
 * Decides which subscription key to send, and what happens after a refusal. A key leaves this module only in
 * the header.
 */
export interface KeyRing {
  /**
   * A key that may be sent to this origin. Rejects with Failed `key-missing`, `key-refused` (all calls are
   * stopped), `key-not-bound` (it is for another origin), `key-unreadable` or `keychain-unavailable`.
   */
  inUse(origin: string): Promise<{ readonly slot: KeySlot; readonly key: string }>
  /** Whether a key from `inUse` may still be sent: not after it was refused or another one was selected. */
  mayBeSent(slot: KeySlot): boolean
  /** The service refused this slot: `try-other` at most once, else `stop` until the technician acts. */
  refused(slot: KeySlot, message: string | null): Promise<'try-other' | 'stop'>
  accepted(slot: KeySlot): void
  readonly scrubber: KeyScrubber
}
