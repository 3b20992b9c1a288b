import type { OrganizationDraft } from '../../electron/contract/api/organizations.ts'
import { failed, type Failure } from '../../electron/contract/failure.ts'
import type {
  AllHandlers,
  EventName,
  MethodName,
  PayloadOf,
  Transport,
} from '../../electron/contract/rpc-client.ts'
import { serverOver } from '../../electron/contract/rpc-server.ts'
import { createCore } from '../../electron/core/app.ts'
import type { PictureFile } from '../../electron/core/pictures/pictures.ts'
import type { Tasks } from '../../electron/core/tasks.ts'
import { fakePlatform, type FakePlatform } from '../fake-platform.ts'
import {
  demonstrationTransport,
  managementUrl,
  metadataUrl,
  type DemonstrationTransport,
} from '../demonstration-transport.ts'
import { FakeClock } from '../fake-clock.ts'
import { memoryDatabases, type DatabaseImages, type MemoryDatabases } from '../memory-databases.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The keys that the service accepts. */
export const acceptedKeys = {
  primary: '6c1d9a40e2b84f7e93d05ab1c47f7f3a',
  secondary: '0f4e81b7d2c94a6a8c15b3e97d60c04e',
} as const

export interface CoreOptions {
  /**
   * `nordlys`: an organization that synced several times in two weeks and prefetched its firmware releases;
   * `unread`: one that was never synced; `none`: no organization, as in the first run.
   */
  readonly organization: 'nordlys' | 'unread' | 'none'
  readonly devices: number
  /** How long ago the last sync ended, milliseconds. */
  readonly readAgoInMs: number
}

export interface TestCore extends Transport {
  /** All queries of the pages, oldest first. */
  readonly requested: readonly { readonly channel: string; readonly argument: unknown }[]
  /** The arguments of a method, oldest first. */
  argumentsOf(method: MethodName): readonly unknown[]
  /** Makes the method return this failure and do nothing; null: it works again. */
  fail(method: MethodName, failure: Failure | null): void
  /** Delays responses of the method until the returned function is called. */
  hold(method: MethodName): () => void
  /** Emits an event to the pages, as the core does. */
  emit<N extends EventName>(event: N, payload: PayloadOf<N>): void
  /** Both services, with scriptable responses. */
  readonly service: DemonstrationTransport
  readonly platform: FakePlatform
  readonly databases: MemoryDatabases
  readonly clock: FakeClock
  /** The handlers themselves: for setting up the core, without `asked`, `fail` and `hold`. */
  readonly handlers: AllHandlers
  readonly tasks: Tasks
  /** Advances time for the core and the pages, and fires due timers of the core. */
  advance(byInMs: number): Promise<void>
  /** As if the computer slept this long: time advances, and no timer fires. */
  sleep(forInMs: number): void
  /** Advances the clock until the work has ended: a sync is throttled by it, a failed call is retried. */
  finish<T>(work: Promise<T>): Promise<T>
  /**
   * Resolves when every query of the pages for this method has a response. For work on other threads, such as
   * the fingerprint of a key.
   */
  answered(method: MethodName): Promise<void>
  /** Resolves when every call of a page has a response, except delayed ones. */
  isIdle(): boolean
}

/** One turn of the event loop, after which responses have arrived. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

export interface Opened extends TestCore {
  readonly picture: (id: string) => Promise<PictureFile | null>
  readonly close: () => Promise<void>
}

/** Opens the real core over the demonstration service, on databases in memory that start as `from`, at the time `at`. */
export async function openOn(
  options: CoreOptions,
  from: DatabaseImages | null,
  keychain: ReadonlyMap<string, string>,
  at: number,
): Promise<Opened> {
  const clock = new FakeClock(at)
  const service = demonstrationTransport({
    devices: options.devices,
    rooms: Math.max(1, Math.round(options.devices / 50)),
    keys: [acceptedKeys.primary, acceptedKeys.secondary],
    now: () => clock.now(),
  })
  const databases = memoryDatabases(from)
  let ids = 0
  const platform = fakePlatform(
    { folder: '/home/headroom', databases },
    {
      clock,
      transport: service,
      fileTransport: service.files,
      newId: () => `id-${at}-${++ids}`,
      demonstration: async () => ({ managementUrl, metadataUrl, key: acceptedKeys.primary }),
      // On this thread, because the timing of a worker is unpredictable.
    },
  )
  for (const [account, secret] of keychain) platform.keychain.entries.set(account, secret)
  const core = await createCore(platform)
  const server = serverOver(core.handlers, (error) => {
    throw error
  })
  const requested: { channel: string; argument: unknown }[] = []
  const failures = new Map<string, Failure>()
  const held = new Map<string, Promise<void>>()
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const tell = (event: string, payload: unknown): void =>
    listeners.get(event)?.forEach((listener) => listener(payload))
  core.onEvent(tell)
  const inFlight = new Set<{ readonly channel: string; readonly answer: Promise<unknown> }>()
  let delayed = 0
  const answerTo = async (channel: string, argument: unknown): ReturnType<Transport['call']> => {
    const gate = held.get(channel)
    if (gate !== undefined) {
      delayed++
      await gate
      delayed--
    }
    const failure = failures.get(channel)
    if (failure !== undefined) return failed(failure)
    return structuredClone(await server(channel, argument))
  }

  return {
    requested,
    argumentsOf: (method) => requested.filter((one) => one.channel === method).map((one) => one.argument),
    fail: (method, failure) =>
      void (failure === null ? failures.delete(method) : failures.set(method, failure)),
    hold: (method) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(method, promise)
      return () => {
        held.delete(method)
        resolve()
      }
    },
    emit: tell,
    service,
    platform,
    clock,
    handlers: core.handlers,
    tasks: core.tasks,
    picture: (id) => core.shared.pictures.file(id),
    advance: (byInMs) => clock.advance(byInMs),
    sleep: (forInMs) => clock.sleep(forInMs),
    finish: async (work) => {
      let ended = false
      const end = (): void => void (ended = true)
      work.then(end, end)
      while (!ended) {
        await turn()
        await clock.advance(10)
      }
      return work
    },
    answered: async (method) => {
      await Promise.all([...inFlight].flatMap(({ channel, answer }) => (channel === method ? [answer] : [])))
    },
    isIdle: () => inFlight.size === delayed,
    call: async (channel, argument) => {
      requested.push({ channel, argument })
      const one = { channel, answer: answerTo(channel, argument) }
      inFlight.add(one)
      try {
        return await one.answer
      } finally {
        inFlight.delete(one)
      }
    },
    subscribe: (event, listener) => {
      const own = listeners.get(event) ?? new Set()
      listeners.set(event, own.add(listener))
      return () => own.delete(listener)
    },
    databases,
    close: () => core.close(),
  }
}

export interface Prepared {
  readonly databases: DatabaseImages | null
  readonly keychain: ReadonlyMap<string, string>
}
/** What happens to a core before the present, in addition to its options. */
export type Before = (core: TestCore) => Promise<void>
const nothing: Before = async () => undefined
/** Created once per process. */
const prepared = new WeakMap<Before, Map<string, Promise<Prepared>>>()

/** Changes to the profile of the organization in use, which is otherwise that of its preset. */
export async function changeProfile(
  { handlers: { organizations } }: TestCore,
  changes: (before: OrganizationDraft) => Partial<OrganizationDraft>,
): Promise<void> {
  const { organizations: all, presets } = await organizations.list()
  const { id, name, preset } = all.find(({ current }) => current)!
  const { draft } = presets.find((one) => one.name === preset)!
  await organizations.update({ id, draft: { ...draft, name, ...changes(draft) } })
}

/** The databases and keys of an organization with these `options`; its last sync ended at the present. */
export function preparedFor(options: CoreOptions, presentAt: number, before = nothing): Promise<Prepared> {
  const all = prepared.get(before) ?? new Map<string, Promise<Prepared>>()
  prepared.set(before, all)
  const name = JSON.stringify([options, presentAt])
  const known =
    all.get(name) ??
    (before === nothing ? prepare(options, presentAt) : prepareMore(options, presentAt, before))
  all.set(name, known)
  return known
}

async function prepareMore(options: CoreOptions, presentAt: number, before: Before): Promise<Prepared> {
  const from = await preparedFor(options, presentAt)
  const core = await openOn(options, from.databases, from.keychain, presentAt - minute)
  await before(core)
  return imagesOf(core)
}

/** Ends the core. */
async function imagesOf(core: Opened): Promise<Prepared> {
  // Contacted hosts are written after ten seconds.
  await core.clock.advance(10_000)
  const databases = core.databases.image()
  const keychain = new Map(core.platform.keychain.entries)
  await core.close()
  return { databases, keychain }
}

/** Days before the present on which the fleet was synced, in addition to the last time. */
const syncedDaysAgo = [13, 6, 2, 1]

async function prepare(options: CoreOptions, presentAt: number): Promise<Prepared> {
  if (options.organization === 'none') return { databases: null, keychain: new Map() }
  const times = [...syncedDaysAgo.map((days) => days * day), options.readAgoInMs].toSorted((a, b) => b - a)
  const [firstAgo = 0] = times
  const core = await openOn(options, null, new Map(), presentAt - firstAgo)
  const { handlers } = core
  const { presets } = await handlers.organizations.list()
  const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
  const { id } = await handlers.organizations.add({ ...draft, name: 'Nordlys A/S' })
  await handlers.organizations.setKey({ id, slot: 'primary', key: acceptedKeys.primary })
  if (options.organization === 'nordlys') {
    for (const ago of times) {
      core.clock.sleep(presentAt - ago - core.clock.now())
      await core.finish(handlers.sync.run())
    }
    await readAhead(core)
  }
  return imagesOf(core)
}

/**
 * The state after a sync of the program: the releases of the fleet's products are prefetched, and its
 * firmware is compared with them.
 */
async function readAhead({ handlers: { firmware }, finish, clock }: TestCore): Promise<void> {
  const { rows } = await finish(firmware.products({ text: '', owned: true, start: 0, count: 100 }))
  // An unpublished document fails, and is cached as unpublished.
  await finish(
    Promise.allSettled(rows.map(({ vendorId, productId }) => firmware.releases({ vendorId, productId }))),
  )
  // The fleet is compared a second later, and now: an image of the store must contain the results.
  await clock.advance(1_000)
  await finish(firmware.compareWith({ with: 'latest' }))
}
