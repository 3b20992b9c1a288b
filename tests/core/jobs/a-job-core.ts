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
import { fakePlatform, type FakePlatform } from '../../fake-platform.ts'
import { FakeClock } from '../../fake-clock.ts'
import { TemporaryHome } from '../../temporary-store.ts'

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

/**
 * A real program with real files and the real demonstration, on one clock that advances only while no request
 * is in flight.
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

  private constructor(clock: FakeClock, service: Demonstration, faulty: Faulty) {
    this.clock = clock
    this.service = service
    const files = this.home.databases
    this.platform = fakePlatform(this.home, {
      clock,
      transport: faulty.transport(this.#watched(openHttpTransport())),
      fileTransport: faulty.fileTransport(this.#counted(openFileTransport(), {})),
      databases: faulty.databases(
        this.#counted(files, { open: async (file) => this.#counted(await files.open(file), {}) }),
      ),
    } satisfies Partial<Platform>)
  }

  /** The running service with its own paths, after one complete sync. */
  static async open(
    options: DemonstrationOptions = {},
    changed: Partial<OrganizationDraft> = {},
    faulty: Faulty = faultless,
  ): Promise<AJobCore> {
    const clock = new FakeClock()
    const service = await startDemonstration({
      devices: 120,
      rooms: 12,
      key,
      now: () => clock.now(),
      ...options,
    })
    const it = new AJobCore(clock, service, faulty)
    it.core = await createCore(it.platform)
    const { organizations, sync } = it.core.handlers
    const { presets } = await organizations.list()
    const templates = presets.find((preset) => preset.name === 'demonstration')!.draft.templates
    const custom = presets.find((preset) => preset.name === 'custom')!.draft
    const { managementUrl, metadataUrl } = service
    const { id } = await organizations.add({
      ...custom,
      name: 'Nordlys',
      managementUrl,
      metadataUrl,
      family: 'Jabra SDK V4',
      templates,
      ...changed,
    })
    await organizations.setKey({ id, slot: 'primary', key: service.key })
    await it.passing(sync.run())
    return it
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
