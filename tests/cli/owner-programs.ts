import { expect, onTestFinished } from 'vitest'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { aHomeWith, homeFiles, type HomeFiles } from './prepared-home.ts'
import { aFront, Programs, type Front, type RunningApp, type Said } from './programs.ts'

export const reboot = /POST .*[Rr]eboot/
export let service: Demonstration
export let front: Front
export let programs: Programs
/** Rooms with at least one device that is online. */
export let rooms: readonly string[]
/** A device with settings that is online. */
export let camera: string
/** A data folder with the fleet, made once per worker: every test gets a copy. */
let synced: HomeFiles | null = null

const startFleet = (): Promise<Demonstration> =>
  startDemonstration({ now: fromMorning(), devices: 160, rooms: 40 })

/** For `beforeEach`: a new data folder with the fleet, and a service whose requests a test can hold. */
export async function beginSynced(): Promise<void> {
  synced ??= await syncedFiles()
  const home = aHomeWith(synced)
  service = await startFleet()
  onTestFinished(() => service.stop())
  front = await aFront(new URL(service.managementUrl).origin)
  const at = (url: string): string => url.replace(new URL(url).origin, front.url)
  const { managementUrl, metadataUrl, key } = service
  programs = new Programs(home, { managementUrl: at(managementUrl), metadataUrl: at(metadataUrl), key })
}

async function syncedFiles(): Promise<HomeFiles> {
  const fleet = await startFleet()
  const files = await homeFiles(fleet, async ({ handlers }) => {
    expect((await handlers.sync.run()).complete).toBe(true)
    const { rows } = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 100 })
    rooms = rows
      .filter(({ members }) => members?.some(({ status }) => status === 'online'))
      .map(({ id }) => id)
    const where = 'product:"PanaCast 50" status:online'
    camera = (await handlers.devices.slice({ where, sort: [], start: 0, count: 1 })).rows[0]!.id
  })
  await fleet.stop()
  return files
}

export const anApp = async (options: { key?: string; waits?: object } = {}): Promise<RunningApp> => {
  const app = programs.app(options)
  await app.tells('owns')
  return app
}
/** An app repeats that it waits after each request for the folder, the first time perhaps before it. */
export const hasAsked = (app: RunningApp): Promise<void> =>
  expect.poll(() => app.reported.filter((line) => 'waits' in line).length).toBeGreaterThan(1)
export const writesTo = (): readonly string[] => front.arrived.filter((request) => reboot.test(request))
export const completed = ({ output }: Said): boolean | undefined =>
  (JSON.parse(output) as { complete?: boolean }).complete
export const once = (requests: readonly string[]): boolean => new Set(requests).size === requests.length
export const rebootAll = (count: number): readonly string[] => [
  'reboot',
  ...rooms.slice(0, count),
  '--yes',
  '--unlock',
  '--no-watch',
  '--json',
  '--count',
  String(count),
]
