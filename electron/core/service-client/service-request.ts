import type { KeySlot } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import type { Lane } from '../call-budget/call-budget.ts'
import type { WireAnswer } from '../platform.ts'

/** One request to one service, by the name of its operation. Paths are already percent-encoded. */
export interface ServiceRequest {
  /** The operation's name in contract/operations.ts. */
  readonly operation: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** From the base address on, beginning with `/`. */
  readonly path: string
  readonly body: Json | null
  readonly lane: Lane
  /** True: one attempt on a fresh connection, never repeated. */
  readonly writes: boolean
  readonly signal: AbortSignal | null
  readonly headers?: Readonly<Record<string, string>>
  /** True: a read that brought no data is not asked again either; another key after a refused one still is. */
  readonly once?: boolean
  /**
   * Called right before every attempt, when its place in the call budget has come. Whatever it throws ends the request, and nothing of
   * this attempt was sent: for what may have changed while the request waited.
   */
  readonly beforeDispatch?: (() => void) | undefined
  /** Told of every answer whatever its status, body as received, and how long it took: for showing what came. It may hold a key that was sent. */
  readonly observe?: (answer: WireAnswer, tookInMs: number) => void
}

export interface ServiceAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed; null for a write whose body is no JSON. */
  readonly json: Json
  /** The body as received, but for keys in it. */
  readonly text: string
  readonly receivedAt: number
  /** Attempts this answer took, all of them counted calls. */
  readonly attempts: number
  /** The address it was read from, where redirects led away from the one that was asked. */
  readonly redirectedTo?: string
}

/** Rejects with Failed and nothing else. 304 is an answer (metadata only); every other non-2xx is a Failed. */
export interface ServiceClient {
  send(request: ServiceRequest): Promise<ServiceAnswer>
  /** Called with whether the service could be reached, after every attempt. */
  onReach(listener: (reached: boolean, at: number) => void): () => void
  /** Calls that wait before they are tried again. */
  retrying(): number
}

/** Takes subscription keys out of what came from outside or goes there. */
export interface KeyScrubber {
  /** The text without any known key, in upper or lower case, percent-encoded, with JSON escapes, in hexadecimal or in base64. */
  text(text: string): string
  /** Data without them, in values and in names; `text` is what it was read from. Keys so short that ids hold them by chance stay. */
  json(json: Json, text: string): Json
}

/** Which subscription key to send, and what a refusal means. Keys never leave this door but for the header. */
export interface KeyRing {
  /**
   * A key that may be sent to this origin. Rejects with Failed `key-missing`, `key-refused` (everything stands still), `key-not-bound` (it is
   * for another origin), `key-unreadable` or `keychain-unavailable`.
   */
  inUse(origin: string): Promise<{ readonly slot: KeySlot; readonly key: string }>
  /** Whether a key got from `inUse` may still be sent: not once it was refused, or another one was chosen. */
  mayBeSent(slot: KeySlot): boolean
  /** The service refused this slot: `try-other` at most once, else `stop` until the technician acts. */
  refused(slot: KeySlot, message: string | null): Promise<'try-other' | 'stop'>
  accepted(slot: KeySlot): void
  readonly scrubber: KeyScrubber
}
