import { Failed, type KeySlot } from '../../contract/failure.ts'
import type { CallBudget } from '../call-budget/call-budget.ts'
import type { Clock, Transport } from '../host.ts'
import { longestWaitInMs } from './retry-after.ts'
import { Sender, type Admission, type Door } from './sender.ts'
import type { KeyRing, ServiceClient, ServiceRequest } from './service-request.ts'

export interface ManagementClientOptions {
  readonly transport: Transport
  /** Shared by everything that calls under the same subscription. */
  readonly budget: CallBudget
  readonly clock: Clock
  readonly random: () => number
  /** `{api_url}`: https, or http on loopback. */
  readonly baseUrl: string
  /** The `api-version` header. */
  readonly apiVersion: number
  readonly keys: KeyRing
}

/** Chosen: a page of 100 devices is far below it; a reboot is known to answer slowly (observed, B14). Milliseconds. */
const timeoutInMs = { read: 30_000, write: 90_000 }

interface KeyedAdmission extends Admission {
  readonly slot: KeySlot
}

/** Interface B: headers of the specification (part 4), the call budget, and the keys. */
export function openManagementClient({ transport, budget, clock, random, baseUrl, apiVersion, keys }: ManagementClientOptions): ServiceClient {
  const door = new ManagementDoor(new URL(baseUrl).host, budget, clock, keys, { 'api-version': String(apiVersion), 'Cache-Control': 'no-cache' })
  return new Sender({ transport, clock, random, baseUrl, door, scrubber: keys.scrubber })
}

class ManagementDoor implements Door<KeyedAdmission> {
  readonly notPublished = []
  readonly timeoutInMs = timeoutInMs
  readonly publicDocuments = false
  readonly #host: string
  readonly #budget: CallBudget
  readonly #clock: Clock
  readonly #keys: KeyRing
  readonly #headers: Readonly<Record<string, string>>
  /** Everyone who waits for a place; replaced whenever all of them have to look again. */
  #waiting = new AbortController()

  constructor(host: string, budget: CallBudget, clock: Clock, keys: KeyRing, headers: Readonly<Record<string, string>>) {
    this.#host = host
    this.#budget = budget
    this.#clock = clock
    this.#keys = keys
    this.#headers = headers
  }

  async admit(request: ServiceRequest): Promise<KeyedAdmission> {
    for (;;) {
      this.#failWhileHeldForLong(request)
      const { slot, key } = await this.#keys.inUse()
      // Late refusals of the first key send everyone back to look again; the one call that tries the other key goes on with it, for all wait for that.
      while (this.#keys.mayBeSent(slot)) {
        this.#failWhileHeldForLong(request)
        if (!(await this.#place(request)) || !this.#keys.mayBeSent(slot)) continue
        return { slot, headers: { ...this.#headers, 'Ocp-Apim-Subscription-Key': key } }
      }
    }
  }

  ended(): void {
    // The windows count starts; how many calls are under way at once is the callers' affair.
  }

  readonly refused = async ({ slot }: KeyedAdmission, message: string | null): Promise<void> => {
    const verdict = await this.#keys.refused(slot, message)
    this.#lookAgain()
    if (verdict === 'stop') throw new Failed({ kind: 'key-refused', slot, message })
  }

  accepted({ slot }: KeyedAdmission): void {
    this.#keys.accepted(slot)
  }

  hold(untilAt: number, slower: boolean): void {
    if (slower) this.#budget.slowDown()
    this.#budget.pauseUntil(untilAt)
    if (untilAt - this.#clock.now() > longestWaitInMs) this.#lookAgain()
  }

  /** False: everyone was asked to look again. */
  async #place({ lane, operation, signal }: ServiceRequest): Promise<boolean> {
    const everyone = this.#waiting.signal
    try {
      await this.#budget.place({ lane, label: operation, signal: signal ? AbortSignal.any([signal, everyone]) : everyone })
      return true
    } catch (error) {
      if (everyone.aborted && !signal?.aborted && error instanceof Failed && error.failure.kind === 'cancelled') return false
      throw error
    }
  }

  #lookAgain(): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
  }

  /** R5: told to wait longer than a quarter of an hour, nobody queues up for it: the technician is asked instead. */
  #failWhileHeldForLong(request: ServiceRequest): void {
    const untilAt = this.#budget.state().pausedUntil
    if (untilAt === null || untilAt - this.#clock.now() <= longestWaitInMs) return
    throw new Failed({ kind: 'rate-limited', call: { operation: request.operation, host: this.#host }, untilAt })
  }
}
