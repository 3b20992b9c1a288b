import { Failed, type Failure, type KeySlot } from '../../../electron/contract/failure.ts'
import type { CallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import type { WireResponse, WireFault, WireRequest } from '../../../electron/core/platform.ts'
import {
  openManagementClient,
  type KeyRing,
  type ServiceResponse,
  type ServiceClient,
  type ServiceRequest,
} from '../../../electron/core/service-client/service-client.ts'
import { KnownKeys } from '../../../electron/core/organizations/known-keys.ts'
import { FakeClock } from '../../fake-clock.ts'
import { FakeTransport } from '../../fake-transport.ts'

export const aRead = (request: Partial<ServiceRequest> = {}): ServiceRequest => ({
  operation: 'ListDevices',
  method: 'POST',
  path: '/devices/api/devices',
  body: { pageSize: 100 },
  lane: 'refresh',
  writes: false,
  signal: null,
  ...request,
})

export const aWrite = (request: Partial<ServiceRequest> = {}): ServiceRequest =>
  aRead({
    operation: 'RebootRoom',
    path: '/meetingrooms/api/meetingrooms/g1/reboot',
    body: null,
    lane: 'write',
    writes: true,
    ...request,
  })

export const call = { operation: 'ListDevices', host: 'api.example' }
export const writeCall = { operation: 'RebootRoom', host: 'api.example' }

export const aFault = (
  reason: WireFault['reason'],
  sent: WireFault['sent'],
  message = `fault: ${reason}`,
): WireFault => ({
  kind: 'fault',
  reason,
  sent,
  message,
})

/** Keys that are switched like those of an organization: the other one is tried once, then all calls stop. */
export class TwoKeys implements KeyRing {
  readonly requested: KeySlot[] = []
  readonly refusals: KeySlot[] = []
  readonly acceptances: KeySlot[] = []
  readonly scrubber = new KnownKeys()
  readonly #keys: Partial<Record<KeySlot, string>>
  #inUse: KeySlot = 'primary'
  #stopped: Failed | null = null

  constructor(
    keys: Partial<Record<KeySlot, string>> = {
      primary: 'key-of-the-first-slot',
      secondary: 'key-of-the-second-slot',
    },
  ) {
    this.#keys = keys
  }
  async inUse() {
    if (this.#stopped) throw this.#stopped
    const key = this.#keys[this.#inUse]
    if (key === undefined) throw new Failed({ kind: 'key-missing' })
    this.requested.push(this.#inUse)
    this.scrubber.add(key)
    return { slot: this.#inUse, key }
  }
  mayBeSent(slot: KeySlot) {
    return this.#stopped === null && slot === this.#inUse
  }
  async refused(slot: KeySlot, message: string | null) {
    if (slot !== this.#inUse) return 'try-other' as const
    this.refusals.push(slot)
    const other = slot === 'primary' ? 'secondary' : 'primary'
    if (this.#keys[other] !== undefined && !this.refusals.includes(other)) {
      this.#inUse = other
      return 'try-other' as const
    }
    this.#stopped = new Failed({ kind: 'key-refused', slot, message })
    return 'stop' as const
  }
  accepted(slot: KeySlot): void {
    this.acceptances.push(slot)
  }
}

export interface Bench {
  readonly clock: FakeClock
  readonly transport: FakeTransport
  readonly budget: CallBudget
  readonly keys: TwoKeys
  readonly client: ServiceClient
  /** Sends, advances time until it is settled (at most an hour), and returns the result and its time. */
  run(request?: ServiceRequest): Promise<{
    readonly answer: ServiceResponse | null
    readonly failure: Failure | null
    readonly tookInMs: number
  }>
}

/** A management client over a scripted transport and a clock that a test advances; random numbers are always at their maximum. */
export async function aManagementClient(
  script: (
    request: WireRequest,
    index: number,
  ) => WireResponse | WireFault | Promise<WireResponse | WireFault>,
  { keys = new TwoKeys(), random = () => 1 }: { keys?: TwoKeys; random?: () => number } = {},
): Promise<Bench> {
  const clock = new FakeClock()
  const transport = new FakeTransport(script)
  const budget = await openCallBudget({ clock, random: () => 0, history: null })
  const client = openManagementClient({
    transport,
    budget,
    clock,
    random,
    baseUrl: 'https://api.example/',
    apiVersion: 2,
    keys,
  })
  return {
    clock,
    transport,
    budget,
    keys,
    client,
    run: (request = aRead()) => outcomeOf(clock, client.send(request)),
  }
}

export async function outcomeOf(clock: FakeClock, sending: Promise<ServiceResponse>) {
  const begin = clock.monotonic()
  let settled: { answer: ServiceResponse | null; failure: Failure | null; tookInMs: number } | null = null
  sending.then(
    (answer) => (settled = { answer, failure: null, tookInMs: clock.monotonic() - begin }),
    (error: unknown) =>
      (settled = { answer: null, failure: (error as Failed).failure, tookInMs: clock.monotonic() - begin }),
  )
  for (let passed = 0; settled === null && passed < 3_600_000; passed += 500) await clock.advance(500)
  if (settled === null) throw new Error('nothing came of the call within an hour')
  return settled as { answer: ServiceResponse | null; failure: Failure | null; tookInMs: number }
}
