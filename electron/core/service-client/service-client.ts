import { Failed, isKind, type KeySlot } from '../../contract/failure.ts'
import { openPace, type BudgetException, type CallBudget, type Place } from '../call-budget/call-budget.ts'
import type { Clock, Transport } from '../platform.ts'
import { Sender, type Permit, type ServicePolicy } from './sender.ts'
import type { KeyRing, KeyScrubber, ServiceClient, ServiceRequest } from './service-request.ts'

/** The main file of the module: the two services, and what differs in sending to them. */
export type {
  KeyRing,
  KeyScrubber,
  ServiceResponse,
  ServiceClient,
  ServiceRequest,
} from './service-request.ts'
export { saysError } from './response-text.ts'
export { backoffInMs, offlineFailure, statedMoment } from './attempts.ts'

export interface ManagementClientOptions {
  readonly transport: Transport
  /** Shared by all callers with the same subscription. */
  readonly budget: CallBudget
  readonly clock: Clock
  readonly random: () => number
  /** `{api_url}`: https, or http on loopback. */
  readonly baseUrl: string
  /** The `api-version` header. */
  readonly apiVersion: number
  readonly keys: KeyRing
  /**
   * Its connections are shared with all clients of the same budget, and with no others. Default:
   * `management`.
   */
  readonly pool?: string
  /** Called once for each call of this client. Default: none. */
  readonly exception?: BudgetException | undefined
  /**
   * Throws Failed if no call is allowed from here. Called before a call waits for permission. Default: never
   * throws.
   */
  readonly mayCall?: () => void
}

/**
 * Timeout in milliseconds: a page of 100 devices takes far less; a reboot responds slowly (services.md#B14).
 * Raise it if responses get slower.
 */
const managementTimeoutInMs = { read: 30_000, write: 90_000 }

interface KeyedPermit extends Permit {
  readonly slot: KeySlot
}

/** The management interface: published headers (services.md#B30), the call budget, and the keys. */
export function openManagementClient(options: ManagementClientOptions): ServiceClient {
  const { transport, budget, clock, random, baseUrl, apiVersion, keys, pool = 'management' } = options
  const { exception, mayCall = () => undefined } = options
  const policy = new ManagementPolicy(new URL(baseUrl).host, budget, keys, exception, mayCall, {
    'api-version': String(apiVersion),
    'Cache-Control': 'no-cache',
  })
  return new Sender({ transport, clock, random, baseUrl, pool, policy, scrubber: keys.scrubber })
}

class ManagementPolicy implements ServicePolicy<KeyedPermit> {
  readonly notPublished = []
  readonly timeoutInMs = managementTimeoutInMs
  readonly publicDocuments = false
  readonly #host: string
  readonly #budget: CallBudget
  readonly #keys: KeyRing
  readonly #exception: BudgetException | undefined
  readonly #mayCall: () => void
  readonly #headers: Readonly<Record<string, string>>
  /** All callers that wait for permission; replaced when all of them must check again. */
  #waiting = new AbortController()

  constructor(
    host: string,
    budget: CallBudget,
    keys: KeyRing,
    exception: BudgetException | undefined,
    mayCall: () => void,
    headers: Readonly<Record<string, string>>,
  ) {
    this.#host = host
    this.#budget = budget
    this.#keys = keys
    this.#exception = exception
    this.#mayCall = mayCall
    this.#headers = headers
  }

  async admit(request: ServiceRequest, url: string): Promise<KeyedPermit> {
    // For the address that is actually called, including its path.
    const { origin } = new URL(url)
    for (;;) {
      this.#mayCall()
      this.#failDuringHold(request)
      const { slot, key } = await this.#keys.inUse(origin)
      // After a late refusal of the first key, waiting calls check again; the one call that tries the other
      // key continues, because all others wait for it.
      while (this.#keys.mayBeSent(slot)) {
        const place = await this.#place(request)
        if (place === null) continue
        if (!this.#keys.mayBeSent(slot)) {
          place.ended()
          continue
        }
        return { slot, place, headers: { ...this.#headers, 'Ocp-Apim-Subscription-Key': key } }
      }
    }
  }

  readonly refused = async ({ slot }: KeyedPermit, message: string | null): Promise<void> => {
    const verdict = await this.#keys.refused(slot, message)
    this.#lookAgain()
    if (verdict === 'stop') throw new Failed({ kind: 'key-refused', slot, message })
  }

  accepted({ slot }: KeyedPermit): void {
    this.#keys.accepted(slot)
  }

  hold(untilAt: number, slower: boolean, writes: boolean): void {
    if (slower) this.#budget.slowDown()
    // A write may have met the limit of its device.
    this.#budget.pauseUntil(untilAt, slower && !writes)
  }

  /** null: all callers must check again. */
  async #place({ lane, operation, signal, writes }: ServiceRequest): Promise<Place | null> {
    const everyone = this.#waiting.signal
    try {
      const either = signal ? AbortSignal.any([signal, everyone]) : everyone
      return await this.#budget.place({
        lane,
        label: operation,
        signal: either,
        writes,
        exception: this.#exception,
      })
    } catch (error) {
      if (
        everyone.aborted &&
        !signal?.aborted &&
        error instanceof Failed &&
        isKind(error.failure, 'cancelled')
      )
        return null
      throw error
    }
  }

  #lookAgain(): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
  }

  /** Throws here, so that no key is requested in vain. */
  #failDuringHold({ operation }: ServiceRequest): void {
    const { heldUntilAt } = this.#budget.state()
    if (heldUntilAt === null || this.#exception === 'hold') return
    throw new Failed({
      kind: 'rate-limited',
      call: { operation, host: this.#host },
      untilAt: heldUntilAt,
      held: true,
    })
  }
}

export interface MetadataClientOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: () => number
  /** `{base_url}`: https, or http on loopback. */
  readonly baseUrl: string
  readonly scrubber: KeyScrubber
  /** Connection pool of its own. Default: shared with every other metadata client. */
  readonly pool?: string
}

/**
 * No limits are published for the metadata interface (services.md#A30); these are chosen. The long window
 * never has an effect.
 */
const parallel = { reads: 8, writes: 0 }
const perSecond = 20
const windowInMs = 300_000
const perWindow = (perSecond * windowInMs) / 1_000
const limits = { perSecond, perWindow, windowInMs, published: { perSecond, perWindow } }

/**
 * Timeout in milliseconds: a catalogue document may be large and the line of a site slow. Raise it for slower
 * lines.
 */
const metadataTimeoutInMs = { read: 60_000, write: 60_000 }

/**
 * Longest wait of a person for a document, including queueing, responses and retries, in milliseconds. Lower
 * it if pages feel blocked.
 */
export const documentPatienceInMs = 10_000

/**
 * The metadata interface: never a key, at most eight at once and twenty starts a second; returns 304 for a
 * conditional request.
 */
export function openMetadataClient(options: MetadataClientOptions): ServiceClient {
  const { transport, clock, random, baseUrl, pool = 'metadata', scrubber } = options
  return new Sender({
    transport,
    clock,
    random,
    baseUrl,
    pool,
    scrubber,
    policy: new MetadataPolicy(clock, openPace({ clock, random, limits, parallel })),
  })
}

class MetadataPolicy implements ServicePolicy<Permit> {
  readonly refused = null
  /** A missing document is 403 or 404 (services.md#A42); 410 means it too (Gone). */
  readonly notPublished = [403, 404, 410]
  readonly timeoutInMs = metadataTimeoutInMs
  readonly publicDocuments = true
  readonly #clock: Clock
  readonly #pace: CallBudget

  constructor(clock: Clock, pace: CallBudget) {
    this.#clock = clock
    this.#pace = pace
  }

  async admit({ lane, operation, signal, once }: ServiceRequest): Promise<Permit> {
    const untilAt = this.#pace.state().pausedUntil ?? 0
    // A person does not wait if the call could only start too late.
    if (lane === 'interactive' && once !== true && untilAt - this.#clock.now() > documentPatienceInMs)
      throw new Failed({ kind: 'rate-limited', call: { operation, host: null }, untilAt })
    return {
      place: await this.#pace.place({ lane, label: operation, signal }),
      headers: { Accept: 'application/json' },
    }
  }

  accepted(): void {
    // These calls are never paused or held.
  }

  hold(untilAt: number, slower: boolean): void {
    if (slower) this.#pace.slowDown()
    this.#pace.pauseUntil(untilAt)
  }
}
