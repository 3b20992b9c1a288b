import { openPace, type CallBudget } from '../call-budget/call-budget.ts'
import { Failed } from '../../contract/failure.ts'
import type { Clock, Transport } from '../platform.ts'
import { Sender, type Admission, type Door } from './sender.ts'
import type { KeyScrubber, ServiceClient, ServiceRequest } from './service-request.ts'

export interface MetadataClientOptions {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: () => number
  /** `{base_url}`: https, or http on loopback. */
  readonly baseUrl: string
  readonly scrubber: KeyScrubber
  /** Its connections are its own. Default: shared with every other metadata client. */
  readonly pool?: string
}

/** No limits are published for interface A; behaviour, section 2, keeps these. The long window never binds. */
const parallel = { reads: 8, writes: 0 }
const perSecond = 20
const windowInMs = 300_000
const perWindow = (perSecond * windowInMs) / 1_000
const limits = { perSecond, perWindow, windowInMs, published: { perSecond, perWindow } }

/** A catalogue document may be large and the line of a site slow. Chosen, milliseconds. */
const timeoutInMs = { read: 60_000, write: 60_000 }

/** How long a person waits for a document, whatever it waits for: its turn, an answer, another try. Chosen, milliseconds. */
export const documentPatienceInMs = 10_000

/** Interface A: never a key, at most eight at once and twenty starts a second; answers 304 to a conditional request. */
export function openMetadataClient({
  transport,
  clock,
  random,
  baseUrl,
  pool = 'metadata',
  scrubber,
}: MetadataClientOptions): ServiceClient {
  return new Sender({
    transport,
    clock,
    random,
    baseUrl,
    pool,
    scrubber,
    door: new MetadataDoor(clock, openPace({ clock, random, limits, parallel })),
  })
}

class MetadataDoor implements Door<Admission> {
  readonly refused = null
  /** Observed: a document that is not there is answered by whatever the content network says, 403 or 404. */
  readonly notPublished = [403, 404]
  readonly timeoutInMs = timeoutInMs
  readonly publicDocuments = true
  readonly #clock: Clock
  readonly #pace: CallBudget

  constructor(clock: Clock, pace: CallBudget) {
    this.#clock = clock
    this.#pace = pace
  }

  async admit({ lane, operation, signal, once }: ServiceRequest): Promise<Admission> {
    const untilAt = this.#pace.state().pausedUntil ?? 0
    // Nobody is kept in front of a screen for a turn that surely comes too late.
    if (lane === 'interactive' && once !== true && untilAt - this.#clock.now() > documentPatienceInMs)
      throw new Failed({ kind: 'rate-limited', call: { operation, host: '' }, untilAt })
    return {
      place: await this.#pace.place({ lane, label: operation, signal }),
      headers: { Accept: 'application/json' },
    }
  }

  accepted(): void {
    // Nothing stands still here that an answer could set going.
  }

  hold(untilAt: number, slower: boolean): void {
    if (slower) this.#pace.slowDown()
    this.#pace.pauseUntil(untilAt)
  }
}
