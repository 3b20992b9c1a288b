import type { Preferences } from '../../../electron/contract/api/app.ts'
import type { Failure, KeychainProblem } from '../../../electron/contract/failure.ts'
import { notificationKinds } from '../../../electron/contract/notification.ts'
import type { MethodName } from '../../../electron/contract/rpc-client.ts'
import type { PictureFile } from '../../../electron/core/pictures/pictures.ts'
import { parseFault } from '../../../electron/demo/faults.ts'
import type { FakePolicy } from '../../fake-policy.ts'
import { answer } from '../../fake-transport.ts'
import { firmwareAddresses } from '../../reboot-room.ts'
import { changeProfile, openOn, preparedFor, type CoreOptions, type TestCore } from '../prepared-core.ts'
import { downloadInEveryState, serveFiles } from './file-host.ts'

export interface PageCore {
  readonly core: TestCore
  /** A stored picture by its id, as the app's own scheme serves it. */
  picture(id: string): Promise<PictureFile | null>
  close(): Promise<void>
}

/**
 * The parameters of the gallery's address, as in `?devices=10000&offline&theme=dark#/devices`. Besides these:
 * `devices` (how many), `organization` (`nordlys`, `unread`, `none`), `stale` (the last sync was three days
 * ago), `still` (time is stopped, so a sync or a job makes no progress), and the preferences `theme`,
 * `contrast`, `density`, `zone`, `pseudo`.
 */
const states: Record<string, (core: TestCore, value: string) => unknown> = {
  /** Neither service is reachable. */
  offline: ({ service }) => Object.assign(service, { offline: true }),
  /** Faults of the demonstration (electron/demo/faults.ts): `fault=null-members`, `fault=error-500=0.2`. */
  fault: ({ service }, value) => {
    const fault = parseFault(value)
    if (fault === null) throw new Error(`no fault of the demonstration: ${value}`)
    service.faults.set(fault)
  },
  /** A key that is refused. */
  refused: ({ service, handlers, finish }) => {
    service.keys.regenerate('primary')
    return finish(handlers.sync.run()).catch(() => undefined)
  },
  /** `keychain=locked`, `keychain=no-service` … */
  keychain: ({ platform }, value) => Object.assign(platform.keychain, { problem: value as KeychainProblem }),
  /** An administrator's policy: `policy={"lookOnly":true}`; `policy={` is a damaged one. */
  policy: ({ platform }, value) =>
    (platform.policySource as FakePolicy).become(value.endsWith('}') ? (JSON.parse(value) as object) : value),
  /** A method fails: `fail=devices.slice`, `fail=devices.slice:offline`. */
  fail: (core, value) => {
    const [method = '', kind = 'service-unavailable'] = value.split(':')
    const call = { operation: 'ListDevices', host: 'api.cloud.jabra.com' }
    const failure: Failure =
      kind === 'offline'
        ? { kind, call, message: 'ENOTFOUND' }
        : { kind: 'service-unavailable', call, status: 503, message: 'Service Unavailable' }
    core.fail(method as MethodName, failure)
  },
  /** A sync begins. With `still` it does not end. */
  syncing: ({ handlers }) => void handlers.sync.run().catch(() => undefined),
  /** Pictures of the fleet's products are stored. */
  pictures: async ({ handlers }) => {
    const { products } = await handlers.firmware.status({})
    for (const { vendorId, productId } of products) {
      await handlers.releaseNotes.get({ vendorId, productId })
      await handlers.pictures.get({ vendorId, productId })
    }
  },
  /** The profile has the addresses for reading and updating firmware. */
  addresses: (core) =>
    changeProfile(core, ({ templates }) => ({ templates: { ...templates, ...firmwareAddresses } })),
  /**
   * Firmware files can be fetched. With `files=slow` none is complete for minutes; with `files=some` those of
   * headsets are missing.
   */
  files: (core, value) =>
    serveFiles(core, (file) => {
      if (value === 'some' && /Evolve|Engage/i.test(file)) return 'missing'
      return value === 'slow' ? 'slow' : null
    }),
  /** Downloads in every state, two of them at once. */
  downloads: downloadInEveryState,
  /** A golden profile for headsets: fourteen of sixteen devices were read, and some drifted. */
  golden: async ({ handlers, finish }) => {
    const productId = 16_465
    const { rows } = await handlers.devices.slice({
      where: `pid:${productId}`,
      sort: [],
      start: 0,
      count: 14,
    })
    await finish(Promise.all(rows.map(({ id }) => handlers.devices.settings({ id, refresh: false }))))
    await handlers.goldenProfiles.save({
      id: null,
      variantType: null,
      name: 'Desks',
      productId,
      settings: [
        { name: 'soundMode', value: 'normal', locked: false },
        { name: 'sidetoneLevelEnum', value: 'minus3dB' },
        { name: 'audioAnnouncements', value: 'off' },
      ],
    })
  },
  /** All kinds of notifications are selected. */
  notified: ({ handlers }) => handlers.app.setPreferences({ notifications: notificationKinds }),
  /** Saved items of a technician: tags, and a job that restarts three rooms. */
  used: async ({ handlers, finish }) => {
    const firstDevices = await handlers.devices.slice({ where: '', sort: [], start: 0, count: 40 })
    const ids = firstDevices.rows.map(({ id }) => id)
    await handlers.tags.change({ selection: { kind: 'picked', ids }, add: ['pilot'], remove: [] })
    const firstRooms = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 3 })
    const plan = await finish(
      handlers.jobs.plan({
        work: {
          kind: 'reboot-rooms',
          of: 'rooms',
          selection: { kind: 'picked', ids: firstRooms.rows.map(({ id }) => id) },
        },
        startAt: null,
        window: null,
        keepTrying: false,
        canary: false,
      }),
    )
    await finish(handlers.jobs.start({ plan: plan.id, unlock: true, typed: null }))
  },
  /** A job that changes a setting of headsets: five writes are refused, two get no response. */
  failures: async ({ service, handlers, finish }) => {
    let writes = 0
    service.script('/settings', ({ method }) => {
      if (method !== 'PATCH' || ++writes > 7) return null
      return writes > 5
        ? { kind: 'fault', sent: 'maybe', reason: 'broken', message: 'reset' }
        : answer(409, { statusCode: 409, message: 'The device is being updated.' })
    })
    const plan = await finish(
      handlers.jobs.plan({
        work: {
          kind: 'change-settings',
          selection: { kind: 'matching', where: 'product:"Evolve2 65 Stereo"', except: [] },
          changes: [{ name: 'sidetoneEnabled', value: true }],
        },
        startAt: null,
        window: null,
        keepTrying: false,
        canary: false,
      }),
    )
    await finish(handlers.jobs.start({ plan: plan.id, unlock: true, typed: plan.typeNumber }))
  },
}

/** A separate core for one page, in the state of its address. Rejects an address with an unknown state. */
export async function openPageCore(query: URLSearchParams): Promise<PageCore> {
  const options: CoreOptions = {
    organization: oneOf(query.get('organization'), ['nordlys', 'unread', 'none']) ?? 'nordlys',
    devices: Number(query.get('devices') ?? 1_200),
    readAgoInMs: query.has('stale') ? 3 * 86_400_000 : 180_000,
  }
  const { databases, keychain } = await preparedFor(options, startedAt)
  const core = await openOn(options, databases, keychain, startedAt)
  // Prepared when the gallery started, so time advances as if the computer had slept since.
  core.sleep(Date.now() - startedAt)
  await core.handlers.app.setPreferences(preferencesOf(query))
  for (const [name, value] of query) await states[name]?.(core, value)
  let at = performance.now()
  const ticking = setInterval(() => {
    const now = performance.now()
    void core.advance(now - at)
    at = now
  }, 50)
  if (query.has('still')) clearInterval(ticking)
  return {
    core,
    picture: core.picture,
    close: () => {
      clearInterval(ticking)
      return core.close()
    },
  }
}
const startedAt = Date.now()

const oneOf = <T extends string>(word: string | null, words: readonly T[]): T | undefined =>
  words.find((one) => one === word)

function preferencesOf(query: URLSearchParams): Partial<Preferences> {
  const zone = query.get('zone')
  const theme = oneOf(query.get('theme'), ['light', 'dark', 'system'])
  const contrast = oneOf(query.get('contrast'), ['regular', 'high'])
  const density = oneOf(query.get('density'), ['regular', 'compact'])
  return {
    ...(theme && { theme }),
    ...(contrast && { contrast }),
    ...(density && { density }),
    ...(zone !== null && { timeZone: zone }),
    ...(query.has('pseudo') && { language: 'pseudo' }),
  }
}
