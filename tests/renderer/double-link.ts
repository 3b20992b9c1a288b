import type { Preferences, Standing, Trouble } from '../../electron/contract/app.ts'
import type { Change } from '../../electron/contract/change.ts'
import type { Device, DeviceColumn, DeviceFilter } from '../../electron/contract/device.ts'
import { done, Failed, failed, type Failure } from '../../electron/contract/failure.ts'
import type { SyncState } from '../../electron/contract/sync.ts'
import { answerOf, type Announce, type Answers, type Channel, type Transport } from '../../electron/contract/wire.ts'
import { explorerAnswers } from './double/explorer-answers.ts'
import { aFleet } from './double/fleet.ts'
import { lookupAnswers } from './double/lookup-answers.ts'
import { metadataAnswers } from './double/metadata-answers.ts'
import { organizationAnswers } from './double/organization-answers.ts'
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
  /** The metadata interface publishes nothing for the product. */
  readonly unpublished: boolean
  /** Writes are unlocked already. */
  readonly unlocked: boolean
  /** How a write ends; `waiting`: every device was written to 19 seconds ago. */
  readonly reboot: WriteDoubleOptions['reboot']
  /** No write was ever made. */
  readonly unwritten: boolean
  /** Paused by the service for so long. */
  readonly pausedForInMs: number
  readonly troubles: readonly Trouble[]
  /** Channels that fail, and how. */
  readonly failures: Readonly<Record<string, Failure>>
}

const defaults: DoubleOptions = {
  devices: 10_000,
  nowAt: Date.now(),
  offline: false,
  empty: false,
  syncing: false,
  none: false,
  demonstration: false,
  refused: false,
  keychain: true,
  unpublished: false,
  unlocked: false,
  reboot: 'accepted',
  unwritten: false,
  pausedForInMs: 0,
  troubles: [],
  failures: {},
}

/** A core of the view's tests: every call of the table, over a fleet in memory. `fail` and `announce` change its mind later. */
export interface DoubleLink extends Transport {
  readonly asked: readonly { readonly channel: Channel; readonly argument: unknown }[]
  fail(channel: string, failure: Failure | null): void
  announce(channel: Channel, payload: unknown): void
  /** Answers of this channel wait until the returned function is called. */
  hold(channel: string): () => void
}

const DAY = 86_400_000
const has = (text: string | null | undefined, word: string): boolean => text?.toLowerCase().includes(word) ?? false

function wordMatches(device: Device, word: string): boolean {
  return [device.name, device.serialNumber, device.productName, device.room?.name, device.computer?.userName, device.computer?.macAddress, device.id].some(
    (text) => has(text, word),
  )
}
function deviceMatches(device: Device, filter: DeviceFilter): boolean {
  if (filter.gone === 'hide' && device.gone) return false
  if (filter.gone === 'only' && !device.gone) return false
  if (filter.statuses.length && !filter.statuses.includes(device.status)) return false
  if (filter.productNames.length && !filter.productNames.includes(device.productName ?? '')) return false
  return filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => wordMatches(device, word))
}
const sortValue = (device: Device, column: DeviceColumn): string | number | null =>
  column === 'roomName' ? (device.room?.name ?? null) : column === 'userName' ? (device.computer?.userName ?? null) : device[column]

function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true })
}
function count<T>(list: readonly T[], of: (item: T) => string): { readonly word: string; readonly count: number }[] {
  const counts = new Map<string, number>()
  for (const item of list) counts.set(of(item), (counts.get(of(item)) ?? 0) + 1)
  return [...counts].map(([word, n]) => ({ word, count: n })).sort((a, b) => b.count - a.count)
}

export function doubleLink(given: Partial<DoubleOptions> = {}): DoubleLink {
  const options: DoubleOptions = { ...defaults, ...given }
  const { nowAt } = options
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  const asked: { channel: Channel; argument: unknown }[] = []
  const failures = new Map(Object.entries(options.failures))
  const held = new Map<string, Promise<void>>()
  const announce = (channel: Channel, payload: unknown): void => listeners.get(channel)?.forEach((listener) => listener(payload))

  const whole = aFleet(options.empty ? 0 : options.devices, options.offline ? nowAt - 26 * 3_600_000 : nowAt)
  const readUpTo = options.syncing ? Math.floor(options.devices * 0.3) : whole.devices.length
  const devices = whole.devices.slice(0, readUpTo)
  const rooms = options.empty ? [] : whole.rooms
  const asOf = options.empty || options.none ? null : (devices[0]?.observedAt ?? null)
  const present = devices.filter((d) => !d.gone).length
  const organizations = organizationAnswers(options, (ids) => {
    announce('organizations.changed', { ids })
    announce('app.changed', { what: 'standing' })
  })
  const told: Announce = (room, name, payload) => announce(`${room}.${String(name)}`, payload)
  const writes = writeAnswers(options, devices, rooms, told)
  let preferences: Preferences = { theme: 'light', lastPage: null }
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
    asOf,
    connection: options.offline ? 'offline' : options.empty && !options.syncing ? 'unknown' : 'online',
    connectionAt: options.offline ? nowAt - 25 * 3_600_000 : nowAt - 60_000,
    sync,
    budget: {
      second: { used: options.syncing ? 18 : 0, limit: 95 },
      fiveMinutes: { used: options.empty ? 0 : 2_214, limit: 9_500 },
      waiting: 0,
      pausedUntil: options.pausedForInMs ? nowAt + options.pausedForInMs : null,
      waitReason: options.pausedForInMs ? 'paused' : null,
    },
    writeLock: writes.lock(),
    troubles: options.refused
      ? [
          ...options.troubles,
          {
            id: 'key',
            failure: { kind: 'key-refused', slot: 'primary', message: 'Access denied due to invalid subscription key.' },
            since: nowAt - 60_000,
            done: null,
          },
        ]
      : options.troubles,
  })
  const history = (device: Device): Change[] => [
    {
      id: 3,
      of: 'device',
      subjectId: device.id,
      subjectName: device.name,
      kind: 'back-online',
      before: 'offline',
      after: 'online',
      observedAt: nowAt - 2 * 3_600_000,
    },
    {
      id: 2,
      of: 'device',
      subjectId: device.id,
      subjectName: device.name,
      kind: 'went-offline',
      before: 'online',
      after: 'offline',
      observedAt: nowAt - 5 * 3_600_000,
    },
    {
      id: 1,
      of: 'device',
      subjectId: device.id,
      subjectName: device.name,
      kind: 'firmware-changed',
      before: '2.3.11',
      after: device.firmwareVersion,
      observedAt: nowAt - 34 * DAY,
    },
  ]
  const found = <T>(value: T | undefined, what: string): T => {
    if (value === undefined) throw new Failed({ kind: 'not-found', call: null, what })
    return value
  }

  const answers: Answers = {
    app: {
      about: async () => ({ version: '0.1.0', platform: 'linux', home: '/home/headroom', shell: 'none' }),
      standing: async () => standing(),
      preferences: async () => preferences,
      setPreferences: async (change) => (preferences = { ...preferences, ...change }),
      openOutside: async () => undefined,
      copy: async () => undefined,
    },
    organizations: organizations.answers,
    sync: {
      run: async () => {
        if (options.offline) throw new Failed({ kind: 'offline', call: { operation: 'ListDevices', host: 'api.cloud.jabra.com' }, message: 'ENOTFOUND' })
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
      unreadable: async () => [{ of: 'device', why: 'no usable id', raw: '{"name":"?"}', observedAt: nowAt }],
    },
    devices: {
      window: async ({ filter, sort, start, count: rowCount }) => {
        const matching = devices.filter((device) => deviceMatches(device, filter))
        const sorted = matching.sort((a, b) => {
          const [x, y] = [sortValue(a, sort.column), sortValue(b, sort.column)]
          return x === null || y === null ? compare(x, y) : compare(x, y) * (sort.descending ? -1 : 1)
        })
        return {
          rows: sorted.slice(start, start + rowCount).map((device) => ({ ...device, userName: device.computer?.userName ?? null })),
          total: sorted.length,
          all: present,
          asOf,
        }
      },
      facets: async ({ filter }) => ({
        statuses: count(
          devices.filter((d) => deviceMatches(d, { ...filter, statuses: [] })),
          (d) => d.status,
        ).map(({ word, count: n }) => ({ status: word, count: n })),
        products: count(
          devices.filter((d) => deviceMatches(d, { ...filter, productNames: [] })),
          (d) => d.productName ?? '',
        ).map(({ word, count: n }) => ({ productName: word, count: n })),
      }),
      get: async ({ id }) =>
        found(
          devices.find((d) => d.id === id),
          'device',
        ),
      history: async ({ id }) =>
        history(
          found(
            devices.find((d) => d.id === id),
            'device',
          ),
        ),
      ...writes.devices,
    },
    rooms: {
      list: async ({ text, statuses, sort, start, count: rowCount }) => {
        const named = rooms.filter((room) =>
          text
            .toLowerCase()
            .split(/\s+/)
            .filter(Boolean)
            .every((word) => has(room.name, word) || has(room.location, word) || has(room.type, word)),
        )
        const matching = named.filter((room) => !statuses.length || statuses.includes(room.status))
        const sorted = matching.toSorted((a, b) => {
          const [x, y] = [a[sort.column], b[sort.column]]
          return x === null || y === null ? compare(x, y) : compare(x, y) * (sort.descending ? -1 : 1)
        })
        return {
          rows: sorted.slice(start, start + rowCount),
          total: sorted.length,
          all: rooms.length,
          statuses: count(named, (room) => room.status).map(({ word, count: n }) => ({ status: word, count: n })),
          asOf,
        }
      },
      get: async ({ id }) =>
        found(
          rooms.find((room) => room.id === id),
          'room',
        ),
      ...writes.rooms,
    },
    ...writes.answers,
    ...metadataAnswers(options, devices),
    ...explorerAnswers(options),
    ...lookupAnswers(options),
  }

  return {
    asked,
    announce,
    fail: (channel, failure) => void (failure ? failures.set(channel, failure) : failures.delete(channel)),
    hold: (channel) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(channel, promise)
      return () => {
        held.delete(channel)
        resolve()
      }
    },
    ask: async (channel, argument) => {
      asked.push({ channel, argument })
      await held.get(channel)
      const failure = failures.get(channel)
      if (failure) return failed(failure)
      const answer = answerOf(answers, channel)
      if (!answer) return failed({ kind: 'bug', reference: channel })
      try {
        return done(structuredClone(await answer(argument)))
      } catch (wrong) {
        return failed(wrong instanceof Failed ? wrong.failure : { kind: 'bug', reference: channel })
      }
    },
    listen: (channel, listener) => {
      const own = listeners.get(channel) ?? new Set()
      listeners.set(channel, own.add(listener))
      return () => own.delete(listener)
    },
  }
}
