import { Failed, isKind, type KeySlot } from '../../contract/failure.ts'
import type { BudgetException, CallBudget, Place } from '../call-budget/call-budget.ts'
import type { Clock, Transport } from '../platform.ts'
import { Sender, type Permit, type ServicePolicy } from './sender.ts'
import type { KeyRing, ServiceClient, ServiceRequest } from './service-request.ts'

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
const timeoutInMs = { read: 30_000, write: 90_000 }

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
  readonly timeoutInMs = timeoutInMs
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
