import type { Preferences } from '../../electron/contract/api/app.ts'
import type { Standing, Trouble } from '../../electron/contract/api/app.ts'
import { done, Failed, failed, type Failure } from '../../electron/contract/failure.ts'
import type { SyncState } from '../../electron/contract/api/sync.ts'
import type { AllHandlers, Transport } from '../../electron/contract/rpc-client.ts'
import type { Announce } from '../../electron/core/announcer.ts'
import { changeAnswers, madeChanges } from './double/change-answers.ts'
import { deviceAnswers } from './double/device-answers.ts'
import { aFleet } from './double/fleet.ts'
import { jobAnswers } from './double/job-answers.ts'
import { organizationAnswers } from './double/organization-answers.ts'
import { roomAnswers } from './double/room-answers.ts'
import { tagAnswers } from './double/tag-answers.ts'
import { writeAnswers, type WriteDoubleOptions } from './double/write-answers.ts'

export interface DoubleOptions {
  readonly devices: number
  readonly nowAt: number
  /** The network is gone: everything comes from what was read a day ago. */
  readonly offline: boolean
  /** Nothing was ever read. */
  readonly empty: boolean
  /** The first sync runs and stands still at some pages. */
  readonly syncing: boolean
  /** No organization: the first run. */
  readonly none: boolean
  readonly demonstration: boolean
  /** The key was refused. */
  readonly refused: boolean
  readonly keychain: boolean
  /** Which keys there are, and what became of them; `swapped` and `refused`: the secondary one is in use, the primary one was left so. */
  readonly keys: 'one' | 'two' | 'swapped' | 'refused'
  /** The primary key is for another host than the organization's, or was never bound to one. */
  readonly notBound: { readonly boundTo: string | null } | null
  /** The organization that HEADROOM_KEY is for. */
  readonly environmentKeyOf: string | null
  /** The metadata interface publishes nothing for the product. */
  readonly unpublished: boolean
  /** Writes are unlocked already. */
  readonly unlocked: boolean
  /** How a write ends; `waiting`: every device was written to 19 seconds ago. */
  readonly reboot: WriteDoubleOptions['reboot']
  /** No write was ever made. */
  readonly unwritten: boolean
  /** The service lists the first device of a room no more. */
  readonly unlisted: boolean
  /** No settings of any device were ever read. */
  readonly settingsUnread: boolean
  /** No job was ever made. */
  readonly jobless: boolean
  /** Another program works for the organization: jobs are read, not run. */
  readonly otherProgram: boolean
  /** Paused by the service for so long. */
  readonly pausedForInMs: number
  /** How many changes the syncs of the last two weeks found. */
  readonly changes: number
  /** Changes were never marked as seen. */
  readonly unlooked: boolean
  /** Two of three records are more than a day old. */
  readonly stale: boolean
  readonly troubles: readonly Trouble[]
  /** Channels that fail, and how. */
  readonly failures: Readonly<Record<string, Failure>>
}

/** All but the present: files of one worker share this module, and the first of them may be minutes ago. */
const defaults: Omit<DoubleOptions, 'nowAt'> = {
  devices: 10_000,
  offline: false,
  empty: false,
  syncing: false,
  none: false,
  demonstration: false,
  refused: false,
  keychain: true,
  keys: 'one',
  notBound: null,
  environmentKeyOf: null,
  unpublished: false,
  unlocked: false,
  reboot: 'accepted',
  unwritten: false,
  unlisted: false,
  settingsUnread: false,
  jobless: false,
  otherProgram: false,
  pausedForInMs: 0,
  changes: 3_000,
  unlooked: false,
  stale: false,
  troubles: [],
  failures: {},
}

/**
 * A core of the view's tests: what the tests of rooms ask for, over a fleet in memory. `fail` and `announce` change its mind later; running
 * jobs go a step further each time `jobs.changed` is announced.
 */
export interface DoubleLink extends Transport {
  readonly asked: readonly { readonly channel: string; readonly argument: unknown }[]
  fail(channel: string, failure: Failure | null): void
  announce(channel: string, payload: unknown): void
  /** Answers of this channel wait until the returned function is called. */
  hold(channel: string): () => void
}

export function doubleLink(given: Partial<DoubleOptions> = {}): DoubleLink {
  const options: DoubleOptions = { ...defaults, nowAt: Date.now(), ...given }
  const { nowAt } = options
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const asked: { channel: string; argument: unknown }[] = []
  const failures = new Map(Object.entries(options.failures))
  const held = new Map<string, Promise<void>>()
  const announce = (channel: string, payload: unknown): void =>
    listeners.get(channel)?.forEach((listener) => listener(payload))

  const whole = aFleet(
    options.empty ? 0 : options.devices,
    options.offline ? nowAt - 26 * 3_600_000 : nowAt,
    options.stale,
  )
  const readUpTo = options.syncing ? Math.floor(options.devices * 0.3) : whole.devices.length
  const devices = whole.devices.slice(0, readUpTo)
  const rooms = options.empty ? [] : whole.rooms
  const asOf =
    options.empty || options.none
      ? null
      : devices.reduce<number | null>(
          (oldest, { observedAt }) => Math.min(oldest ?? observedAt, observedAt),
          null,
        )
  const present = devices.filter((d) => !d.gone).length
  const organizations = organizationAnswers(options, (ids) => {
    announce('organizations.changed', { ids })
    announce('app.changed', { what: 'standing' })
  })
  const told: Announce = announce
  const writes = writeAnswers(options, devices, rooms, told)
  const made = madeChanges(options.syncing ? 0 : options.changes, nowAt, devices, rooms)
  const tags = tagAnswers(options, devices, told)
  const ofDevices = deviceAnswers({ nowAt, asOf }, devices, tags, made)
  const ofRooms = roomAnswers({ nowAt, offline: options.offline, asOf }, rooms, made)
  const changes = changeAnswers(options, made, tags.tagsOf, told)
  const jobs = jobAnswers(
    options,
    {
      devices,
      rooms,
      selectedRooms: ofRooms.selected,
      selectedDevices: ofDevices.selected,
      settings: (id) => writes.devices.settings({ id, refresh: false }),
      earliest: writes.earliest,
      lock: writes.lock,
    },
    writes.unlock,
    told,
  )
  let preferences: Preferences = {
    theme: 'light',
    contrast: 'regular',
    density: 'regular',
    language: 'en',
    timeZone: null,
    syncEveryInMinutes: 15,
    staleAfterInHours: 24,
    exportFormat: 'csv',
    exportDelimiter: ',',
    layouts: {},
    lastPage: null,
  }
  const sync: SyncState = {
    running: options.syncing,
    startedAt: options.syncing ? nowAt - 4_000 : null,
    devicesRead: options.syncing ? devices.length : 0,
    roomsRead: options.syncing ? rooms.length : 0,
    pages: options.syncing ? Math.ceil(devices.length / 100) : 0,
    waitingFor: null,
    last: null,
    lastFailure: null,
    completeAt: options.syncing || options.empty ? null : asOf,
    notes: [],
    nextAt: null,
  }
  const standing = (): Standing => ({
    organizationId: organizations.organizations().find((o) => o.current)?.id ?? null,
    deviceCount: present,
    roomCount: rooms.length,
    unreadableCount: options.empty ? 0 : 2,
    newChangeCount: changes.newCount(),
    asOf,
    connection: options.offline ? 'offline' : options.empty && !options.syncing ? 'unknown' : 'online',
    connectionAt: options.offline ? nowAt - 25 * 3_600_000 : nowAt - 60_000,
    sync,
    budget: {
      second: { used: options.syncing ? 18 : 0, limit: 95 },
      fiveMinutes: { used: options.empty ? 0 : 2_214, limit: 9_500 },
      waiting: 0,
      pausedUntil: options.pausedForInMs ? nowAt + options.pausedForInMs : null,
      heldUntilAt: null,
      waitReason: options.pausedForInMs ? 'paused' : null,
      history: null,
    },
    writeLock: writes.lock(),
    troubles: options.refused
      ? [
          ...options.troubles,
          {
            id: 'key',
            failure: {
              kind: 'key-refused',
              slot: 'primary',
              message: 'Access denied due to invalid subscription key.',
            },
            since: nowAt - 60_000,
            done: null,
          },
        ]
      : options.troubles,
  })
  const answers: Partial<AllHandlers> = {
    app: {
      about: async () => ({
        version: '0.1.0',
        platform: 'linux',
        architecture: 'x64',
        home: '/home/headroom',
        shell: 'none',
      }),
      standing: async () => standing(),
      preferences: async () => preferences,
      setPreferences: async (change) => (preferences = { ...preferences, ...change }),
      openOutside: async () => undefined,
      copy: async () => undefined,
    },
    budget: {
      tryNow: async () => ({ outcome: 'not-held', failure: null, heldUntilAt: null, journalId: null }),
    },
    organizations: organizations.answers,
    sync: {
      run: async () => {
        if (options.offline)
          throw new Failed({
            kind: 'offline',
            call: { operation: 'ListDevices', host: 'api.cloud.jabra.com' },
            message: 'ENOTFOUND',
          })
        const zero = { read: 0, unreadable: 0, gone: 0 }
        return {
          complete: true,
          devices: { ...zero, read: devices.length },
          rooms: { ...zero, read: rooms.length },
          calls: 104,
          startedAt: nowAt,
          finishedAt: nowAt,
        }
      },
      cancel: async () => undefined,
      unreadable: async () => [
        { of: 'device', why: 'no usable id', raw: '{"name":"?"}', observedAt: nowAt, times: 2 },
      ],
    },
    devices: { ...ofDevices.answers, ...writes.devices } as AllHandlers['devices'],
    rooms: { ...ofRooms.answers, ...writes.rooms },
    changes: changes.answers,
    ...tags.answers(ofDevices.selected),
    ...writes.answers,
    ...jobs.answers,
  }

  return {
    asked,
    announce: (channel, payload) => {
      if (channel === 'jobs.changed') jobs.step()
      announce(channel, payload)
    },
    fail: (channel, failure) => void (failure ? failures.set(channel, failure) : failures.delete(channel)),
    hold: (channel) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(channel, promise)
      return () => {
        held.delete(channel)
        resolve()
      }
    },
    call: async (channel, argument) => {
      asked.push({ channel, argument })
      await held.get(channel)
      const failure = failures.get(channel)
      if (failure) return failed(failure)
      const [feature, key] = channel.split('.') as [keyof AllHandlers, string]
      const ofFeature = answers[feature] as
        Record<string, (argument: unknown) => Promise<unknown>> | undefined
      const answer = ofFeature?.[key]
      if (!answer) return failed({ kind: 'bug', reference: channel })
      try {
        return done(structuredClone(await answer(argument)))
      } catch (wrong) {
        return failed(wrong instanceof Failed ? wrong.failure : { kind: 'bug', reference: channel })
      }
    },
    subscribe: (channel, listener) => {
      const own = listeners.get(channel) ?? new Set()
      listeners.set(channel, own.add(listener))
      return () => own.delete(listener)
    },
  }
}
