import { openPace, type CallBudget } from '../call-budget/call-budget.ts'
import { Failed } from '../../contract/failure.ts'
import type { Clock, Transport } from '../platform.ts'
import { Sender, type Permit, type ServicePolicy } from './sender.ts'
import type { KeyScrubber, ServiceClient, ServiceRequest } from './service-request.ts'

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
const timeoutInMs = { read: 60_000, write: 60_000 }

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
  /** A missing document is 403 or 404 (services.md#A42). */
  readonly notPublished = [403, 404]
  readonly timeoutInMs = timeoutInMs
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
