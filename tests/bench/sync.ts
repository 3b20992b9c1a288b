import { statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import type { DeviceSortColumn } from '../../electron/contract/fields/device.ts'
import type { Json } from '../../electron/contract/json.ts'
import { deviceRows, openDevices } from '../../electron/core/devices/devices.ts'
import type { Clock } from '../../electron/core/platform.ts'
import type { Management, Page } from '../../electron/core/management/management.ts'
import { openRooms, roomRows } from '../../electron/core/rooms/rooms.ts'
import { openSync } from '../../electron/core/sync/sync.ts'
import { aDevice, aRoom } from '../a-device.ts'
import { noNotes } from '../core/rooms/no-notes.ts'
import { TemporaryHome } from '../temporary-store.ts'

/** Latency of the fake service. */
const latencyInMs = 20
const organizationId = 'bench'
const models = [
  'Jabra PanaCast 50',
  'Jabra PanaCast 20',
  'Jabra Speak2 75',
  'Jabra Evolve2 65',
  'Jabra PanaCast Control (Teams)',
]

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (afterInMs, fire) => {
    const timer = setTimeout(fire, afterInMs)
    return () => clearTimeout(timer)
  },
}

/**
 * Responses are texts that are prepared before, as if by another process, and parsed here, as if from the
 * network.
 */
function service(devices: number): Management & { readonly pages: number } {
  const half = Math.floor(devices / 2)
  const rooms = Math.ceil(devices / 16)
  const device = (number: number): Json =>
    aDevice(number, {
      groupId: number < half ? `group-${number % rooms}` : null,
      productName: models[number % models.length] ?? null,
      deviceConnectionStatus: number % 7 === 0 ? 'Offline' : 'Online',
    })
  const texts = (from: number, to: number, make: (number: number) => Json): string[] =>
    Array.from({ length: Math.ceil((to - from) / 100) }, (_, index) => {
      const start = from + index * 100
      return JSON.stringify(
        Array.from({ length: Math.min(100, to - start) }, (_one, offset) => make(start + offset)),
      )
    })
  const lists = {
    MeetingRoom: texts(0, half, device),
    Personal: texts(half, devices, device),
    all: [],
    rooms: texts(0, rooms, (number) => aRoom(number)),
  }
  const page = async (list: keyof typeof lists, token: string | null): Promise<Page> => {
    const position = Number(token ?? 0)
    await wait(latencyInMs)
    const items = JSON.parse(lists[list][position] ?? '[]') as Json[]
    return {
      items,
      nextToken: position + 1 < lists[list].length ? String(position + 1) : null,
      receivedAt: Date.now(),
      calls: 1,
    }
  }
  return {
    pages: Math.ceil(half / 100),
    devicePage: ({ stream, token }) => page(stream, token),
    roomPage: ({ token }) => page('rooms', token),
    room: () => Promise.reject(new Error('Every room is listed')),
  }
}

async function bareRoundTrips(count: number): Promise<number> {
  const startedAt = performance.now()
  for (let index = 0; index < count; index++) await wait(latencyInMs)
  return performance.now() - startedAt
}

async function measure<T>(work: () => Promise<T>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const rounded = (value: number): number => Math.round(value * 10) / 10

interface SyncFigures {
  readonly devices: number
  readonly syncs: readonly {
    readonly name: string
    readonly ms: number
    /** The minimum time: the pages of the longer stream, one round trip each, measured in the same run. */
    readonly floorMs: number
    readonly ratio: number
    readonly eventLoopP99Ms: number
    readonly processorMs: number
  }[]
  readonly windows: readonly { readonly name: string; readonly firstMs: number; readonly farMs: number }[]
  readonly facetsMs: number
  readonly roomsByNameMs: number
  readonly roomsByDeviceCountMs: number
  readonly storeMiB: number
  readonly openingMs: number
  readonly rebuildingMs: number
}

async function syncOf(devices: number, say: (line: string) => void): Promise<SyncFigures> {
  const home = new TemporaryHome()
  const store = await home.openStore(clock)
  const management = service(devices)
  const fleet = openDevices({ store, clock })
  const sync = await openSync({
    clock,
    management,
    store,
    organizationId,
    changed: (id) => fleet.changed(id),
  })
  const floor = await bareRoundTrips(management.pages)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const syncs: SyncFigures['syncs'][number][] = []
  for (const name of ['first sync', 'second sync, nothing changed']) {
    delay.reset()
    delay.enable()
    const cpu = process.cpuUsage()
    const took = await measure(() => sync.run())
    const { user, system } = process.cpuUsage(cpu)
    delay.disable()
    syncs.push({
      name,
      ms: rounded(took),
      floorMs: rounded(floor),
      ratio: Math.round((took / floor) * 100) / 100,
      eventLoopP99Ms: rounded(delay.percentile(99) / 1e6),
      processorMs: rounded((user + system) / 1000),
    })
    say(
      `${devices} devices, ${name}: ${rounded(took)} ms, ${(took / floor).toFixed(2)} of the floor (target 1.25)`,
    )
  }
  const query = (column: DeviceSortColumn, where = '', start = 0) => ({
    where,
    sort: [{ column, descending: false }],
    start,
    count: 100,
  })
  const windows: SyncFigures['windows'][number][] = []
  for (const [name, column, where] of [
    ['sorted by title', 'userOrRoom', ''],
    ['sorted by room', 'roomName', ''],
    ['sorted by firmware', 'firmwareVersion', ''],
    ['search "panacast 50"', 'userOrRoom', 'panacast 50'],
    ['search "SN0012"', 'userOrRoom', 'SN0012'],
    ['search "sn"', 'userOrRoom', 'sn'],
    ['search "room 77"', 'userOrRoom', 'room 77'],
  ] as const) {
    const first = await measure(() => fleet.slice(organizationId, query(column, where)))
    const far = await measure(() =>
      fleet.slice(organizationId, query(column, where, Math.floor(devices / 2))),
    )
    windows.push({ name, firstMs: rounded(first), farMs: rounded(far) })
  }
  const facetsMs = rounded(await measure(() => fleet.facets(organizationId, '')))
  const rooms = openRooms({ store, workbook: noNotes, clock })
  const page = { where: '', start: 0, count: 100 }
  const roomsBy = async (column: 'name' | 'deviceCount', descending: boolean): Promise<number> =>
    rounded(await measure(() => rooms.list(organizationId, { ...page, sort: [{ column, descending }] })))
  const roomsByNameMs = await roomsBy('name', false)
  const roomsByDeviceCountMs = await roomsBy('deviceCount', true)
  await sync.close()
  await store.close()
  const storeMiB = Math.round(statSync(join(home.folder, 'store.sqlite')).size / 1024 / 1024)
  const openingMs = rounded(await measure(async () => (await home.openStore(clock)).close()))
  const rebuildingMs = rounded(
    await measure(async () =>
      (await home.openStore(clock, [roomRows, { ...deviceRows, readerVersion: 1_000_000 }])).close(),
    ),
  )
  await home.remove()
  return {
    devices,
    syncs,
    windows,
    facetsMs,
    roomsByNameMs,
    roomsByDeviceCountMs,
    storeMiB,
    openingMs,
    rebuildingMs,
  }
}

/**
 * D2 and V2 without the renderer, compared with the round trips of the longer stream, measured in the same
 * run.
 */
export async function run(
  say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
): Promise<readonly SyncFigures[]> {
  const figures: SyncFigures[] = []
  for (const devices of [10_000, 100_000]) figures.push(await syncOf(devices, say))
  return figures
}
