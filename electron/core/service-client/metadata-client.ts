import { openPace, type ParallelBudget } from '../call-budget/call-budget.ts'
import type { Clock, Transport } from '../host.ts'
import { Sender, type Admission, type Door } from './sender.ts'
import type { KeyScrubber, ServiceClient, ServiceRequest } from './service-request.ts'

export interface MetadataClientOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: () => number
  /** `{base_url}`: https, or http on loopback. */
  readonly baseUrl: string
  readonly scrubber: KeyScrubber
}

/** No limits are published for interface A; behaviour, section 2, keeps these. The long window never binds. */
const parallel = 8
const perSecond = 20
const windowInMs = 300_000
const perWindow = (perSecond * windowInMs) / 1_000
const limits = { perSecond, perWindow, windowInMs, published: { perSecond, perWindow } }

/** A catalogue document may be large and the line of a site slow. Chosen, milliseconds. */
const timeoutInMs = { read: 60_000, write: 60_000 }

/** Interface A: never a key, at most eight at once and twenty starts a second; answers 304 to a conditional request. */
export function openMetadataClient({ transport, clock, random, baseUrl, scrubber }: MetadataClientOptions): ServiceClient {
  return new Sender({ transport, clock, random, baseUrl, scrubber, door: new MetadataDoor(openPace({ clock, random, limits, parallel })) })
}

class MetadataDoor implements Door<Admission> {
  readonly refused = null
  /** Observed: a document that is not there is answered by whatever the content network says, 403 or 404. */
  readonly notPublished = [403, 404]
  readonly timeoutInMs = timeoutInMs
  readonly publicDocuments = true
  readonly #pace: ParallelBudget

  constructor(pace: ParallelBudget) {
    this.#pace = pace
  }

  async admit({ lane, operation, signal }: ServiceRequest): Promise<Admission> {
    await this.#pace.place({ lane, label: operation, signal })
    return { headers: { Accept: 'application/json' } }
  }

  ended(): void {
    this.#pace.ended()
  }

  accepted(): void {
    // Nothing stands still here that an answer could set going.
  }

  hold(untilAt: number, slower: boolean): void {
    if (slower) this.#pace.slowDown()
    this.#pace.pauseUntil(untilAt)
  }
}
