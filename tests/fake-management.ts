import { Failed, type Failure } from '../electron/contract/failure.ts'
import type { Json } from '../electron/contract/json.ts'
import type { Clock } from '../electron/core/platform.ts'
import type { DeviceStream, Management, Page } from '../electron/core/management/management.ts'

export interface Asked {
  readonly what: DeviceStream | 'rooms' | 'room'
  readonly token: string | null
}

const place = { operation: 'Fake', host: 'fake' }
export const refused400: Failure = { kind: 'refused', call: place, status: 400, message: null }
export const notFound: Failure = { kind: 'not-found', call: place, what: 'fake' }
export const unavailable: Failure = { kind: 'service-unavailable', call: place, status: 500, message: null }
export const offline: Failure = { kind: 'offline', call: place, message: 'No network.' }

/** Interface B over lists that a test changes. Tokens are `<list>:<position>`; a test can make them fail. */
export class FakeManagement implements Management {
  devices: Record<'MeetingRoom' | 'Personal', Json[]> = { MeetingRoom: [], Personal: [] }
  rooms: Json[] = []
  /** By group id. */
  lookups = new Map<string, Json>()
  readonly requested: Asked[] = []
  /**
   * For each call: a Failure makes it fail, `never` leaves it without a response until it is cancelled, null
   * lets it through.
   */
  fault: (requested: Asked, index: number) => Failure | 'never' | null = () => null
  /** Called before each page is returned. */
  before: (requested: Asked) => Promise<void> | void = () => undefined
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async devicePage({
    stream,
    token,
    pageSize,
    signal,
  }: Parameters<Management['devicePage']>[0]): Promise<Page> {
    await this.#pass({ what: stream, token }, signal)
    return this.#page(
      stream === 'all' ? [...this.devices.MeetingRoom, ...this.devices.Personal] : this.devices[stream],
      token,
      pageSize,
    )
  }

  async roomPage({ token, pageSize, signal }: Parameters<Management['roomPage']>[0]): Promise<Page> {
    await this.#pass({ what: 'rooms', token }, signal)
    return this.#page(this.rooms, token, pageSize)
  }

  async room({ groupId, signal }: Parameters<Management['room']>[0]): ReturnType<Management['room']> {
    await this.#pass({ what: 'room', token: groupId }, signal)
    const raw = this.lookups.get(groupId)
    if (raw === undefined) throw new Failed(notFound)
    return { raw, receivedAt: this.#clock.now(), calls: 1 }
  }

  async #pass(requested: Asked, signal: AbortSignal | null): Promise<void> {
    const index = this.requested.push(requested) - 1
    const fault = this.fault(requested, index)
    await this.before(requested)
    if (fault === 'never' && !signal?.aborted)
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
    if (signal?.aborted) throw new Failed({ kind: 'cancelled' })
    if (fault !== null && fault !== 'never') throw new Failed(fault)
  }

  #page(list: readonly Json[], token: string | null, pageSize: number): Page {
    const start = token === null ? 0 : Number(token)
    const nextToken = start + pageSize < list.length ? String(start + pageSize) : null
    return { items: list.slice(start, start + pageSize), nextToken, receivedAt: this.#clock.now(), calls: 1 }
  }
}
