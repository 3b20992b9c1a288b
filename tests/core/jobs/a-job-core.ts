import { openFileTransport } from '../../../electron/adapters/file-transport.ts'
import { openHttpTransport } from '../../../electron/adapters/http-transport.ts'
import type {
  Job,
  JobDraft,
  JobItem,
  JobPlan,
  JobWork,
  PlannedItem,
} from '../../../electron/contract/api/jobs.ts'
import type { OrganizationDraft } from '../../../electron/contract/api/organizations.ts'
import { createCore, type Core } from '../../../electron/core/app.ts'
import type {
  Databases,
  FileTransport,
  Platform,
  Transport,
  WireRequest,
  WireResponse,
} from '../../../electron/core/platform.ts'
import {
  startDemonstration,
  type Demonstration,
  type DemonstrationOptions,
} from '../../../electron/demo/demonstration.ts'
import { demonstrationTemplates, type Synced } from '../../connected-core.ts'
import { fakePlatform, type FakePlatform } from '../../fake-platform.ts'
import { FakeClock } from '../../fake-clock.ts'
import { atFixedAddress } from '../../fixed-address.ts'
import { memoryDatabases } from '../../memory-databases.ts'
import { TemporaryHome } from '../../temporary-store.ts'
import { addOrganization } from '../../add-organization.ts'

export const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
/** One turn of the event loop, in which data from the network or from files arrives. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Replaces what the core gets from outside by something that fails; what waits for the clock does it here. */
export interface Faulty {
  readonly transport: (own: Transport) => Transport
  readonly fileTransport: (own: FileTransport) => FileTransport
  readonly databases: (own: Databases) => Databases
}
const faultless: Faulty = {
  transport: (own) => own,
  fileTransport: (own) => own,
  databases: (own) => own,
}

interface Outside {
  readonly transport: Transport
  /** Missing: files. */
  readonly databases?: Databases
  readonly keys?: Synced['keys']
  readonly faulty?: Faulty
}
interface SyncedAt extends Synced {
  readonly at: number
}
/** Made once per process for each fleet and draft. */
const synced = new Map<string, Promise<SyncedAt>>()

/**
 * A real program and the real demonstration, on one clock that advances only while no request is in flight: in
 * memory, or on real files where something of it is faulty.
 */
export class AJobCore {
  readonly clock: FakeClock
  readonly home = new TemporaryHome()
  readonly platform: FakePlatform
  readonly service: Demonstration
  /** Management calls in the order they were sent: `GET /…/group-1`. */
  readonly asked: string[] = []
  /** Addresses of metadata requests in the order they were sent. */
  readonly documents: string[] = []
  /** Answers in place of the service; null: the service does. */
  instead: (request: WireRequest) => WireResponse | null = () => null
  core!: Core
  #inFlight = 0

  private constructor(clock: FakeClock, service: Demonstration, outside: Outside) {
    this.clock = clock
    this.service = service
    const { transport, databases = this.home.databases, keys = [], faulty = faultless } = outside
    this.platform = fakePlatform(this.home, {
      clock,
      transport: faulty.transport(this.#watched(transport)),
      fileTransport: faulty.fileTransport(this.#counted(openFileTransport(), {})),
      databases: faulty.databases(
        this.#counted(databases, { open: async (file) => this.#counted(await databases.open(file), {}) }),
      ),
    } satisfies Partial<Platform>)
    for (const [account, secret] of keys) this.platform.keychain.entries.set(account, secret)
  }

  /** The running service with its own paths, after one complete sync. */
  static async open(
    options: DemonstrationOptions = {},
    changed: Partial<OrganizationDraft> = {},
    faulty: Faulty | null = null,
  ): Promise<AJobCore> {
    if (faulty !== null) {
      const it = await AJobCore.#start(options, () => ({ transport: openHttpTransport(), faulty }))
      await it.#begin(it.service, changed)
      return it
    }
    const name = JSON.stringify([options, changed])
    const made = synced.get(name) ?? AJobCore.#makeSynced(options, changed)
    synced.set(name, made)
    const { databases, keys, at } = await made
    return AJobCore.#start(
      options,
      (service) => ({
        ...atFixedAddress(service, openHttpTransport()),
        databases: memoryDatabases(databases),
        keys,
      }),
      at,
    )
  }

  static async #makeSynced(
    options: DemonstrationOptions,
    changed: Partial<OrganizationDraft>,
  ): Promise<SyncedAt> {
    const databases = memoryDatabases()
    const it = await AJobCore.#start(options, (service) => ({
      ...atFixedAddress(service, openHttpTransport()),
      databases,
    }))
    await it.#begin(atFixedAddress(it.service, it.platform.transport).service, changed)
    await it.passing((await it.core.sessions.current()).recomputeCompliance())
    const images = databases.image()
    const at = it.clock.now()
    await it.close()
    return { databases: images, keys: it.platform.keychain.entries, at }
  }

  static async #start(
    options: DemonstrationOptions,
    outside: (service: Demonstration) => Outside,
    at?: number,
  ): Promise<AJobCore> {
    const clock = new FakeClock(at)
    const service = await startDemonstration({
      devices: 120,
      rooms: 12,
      key,
      now: () => clock.now(),
      ...options,
    })
    const it = new AJobCore(clock, service, outside(service))
    it.core = await createCore(it.platform)
    return it
  }

  /** Adds the service, and reads it. */
  async #begin(service: Demonstration, changed: Partial<OrganizationDraft>): Promise<void> {
    await addOrganization(this.handlers, service, {
      key: service.key,
      family: 'Jabra SDK V4',
      templates: demonstrationTemplates,
      ...changed,
    })
    await this.passing(this.handlers.sync.run())
  }

  async close(): Promise<void> {
    await this.passing(this.core.close())
    await this.service.stop()
    await this.home.remove()
  }

  get handlers(): Core['handlers'] {
    return this.core.handlers
  }

  /** Advances time until this work is done. */
  async passing<T>(work: Promise<T>): Promise<T> {
    let over = false
    const settled = work.finally(() => (over = true))
    settled.catch(() => undefined)
    for (let turns = 0; !over; turns++) {
      await turn()
      if (turns % 20 === 19 && (await this.#isStill()) && !over) await this.clock.advance(250)
    }
    return settled
  }

  /**
   * Resolves when no request to the network or to the file threads is in flight, now and in the following
   * turns, so that a slow machine does not advance time.
   */
  async #isStill(): Promise<boolean> {
    for (let turns = 0; turns < 3 && this.#inFlight === 0; turns++) await turn()
    return this.#inFlight === 0
  }

  async until(isSo: () => Promise<boolean>, stepInMs = 1_000): Promise<void> {
    while (!(await isSo())) {
      for (let turns = 0; turns < 20 || !(await this.#isStill()); turns++) await turn()
      await this.clock.advance(stepInMs)
    }
  }

  plan(work: JobWork, terms: Partial<JobDraft> = {}): Promise<JobPlan> {
    return this.passing(
      this.handlers.jobs.plan({
        startAt: null,
        window: null,
        keepTrying: false,
        canary: false,
        ...terms,
        work,
      }),
    )
  }

  async planned(plan: JobPlan): Promise<readonly PlannedItem[]> {
    return (await this.handlers.jobs.planned({ plan: plan.id, start: 0, count: 500 })).items
  }

  async start(plan: JobPlan): Promise<Job> {
    const { work: _, ...terms } = plan.draft
    return this.handlers.jobs.start({
      plan: plan.id,
      unlock: true,
      typed: plan.typeNumber,
      terms,
    })
  }

  /** Runs a plan to its end. */
  async done(plan: JobPlan): Promise<{ readonly job: Job; readonly items: readonly JobItem[] }> {
    const { id } = await this.start(plan)
    await this.until(async () => (await this.handlers.jobs.get({ id })).state === 'ended', 5_000)
    return { job: await this.handlers.jobs.get({ id }), items: await this.items(id) }
  }

  async items(id: string): Promise<readonly JobItem[]> {
    return (await this.handlers.jobs.items({ id, show: null, start: 0, count: 500 })).items
  }

  /** The number of requests of these operations that arrived, with any result. */
  arrived(...operations: readonly string[]): number {
    const { arrivals } = this.service.counts()
    return operations
      .flatMap((operation) => Object.values(arrivals[operation] ?? {}))
      .reduce((sum, count) => sum + count, 0)
  }

  /** The same, with its promises counted as in flight; `instead`: members that replace its own. */
  #counted<Part extends object>(part: Part, instead: Partial<Part>): Part {
    return new Proxy(part, {
      get: (_, name) => {
        const own = Reflect.get(name in instead ? instead : part, name) as unknown
        if (typeof own !== 'function') return own
        return (...given: readonly unknown[]): unknown => {
          const answer: unknown = own.apply(part, given)
          if (!(answer instanceof Promise)) return answer
          this.#inFlight++
          return answer.finally(() => this.#inFlight--)
        }
      },
    })
  }

  #watched(transport: Transport): Transport {
    return {
      attempt: async (request: WireRequest) => {
        this.#inFlight++
        const { pathname } = new URL(request.url)
        if (pathname.startsWith('/management'))
          this.asked.push(`${request.method} ${decodeURIComponent(pathname.slice('/management'.length))}`)
        else this.documents.push(pathname)
        try {
          return this.instead(request) ?? (await transport.attempt(request))
        } finally {
          this.#inFlight--
        }
      },
    }
  }
}
