import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConsole, type Console } from '../../electron/core/console.ts'
import { startDemonstration, type Demonstration } from '../../electron/demo/demonstration.ts'
import { aHost, type AHost } from '../a-host.ts'
import { fromMorning } from '../demo/a-demonstration.ts'
import { TemporaryHome } from '../temporary-store.ts'

/** To learn the current organization, every query once took a write transaction of the workbook and asked the keychain. */
const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
const page = { where: '', sort: [], start: 0, count: 10 }

let home: TemporaryHome
let service: Demonstration
let console: Console
let other: DatabaseSync
let deviceId: string
let roomId: string

beforeAll(async () => {
  home = new TemporaryHome()
  const host: AHost = aHost(home)
  service = await startDemonstration({ now: fromMorning(), devices: 40, rooms: 6, key })
  console = await openConsole(host)
  const { answers } = console
  const custom = (await answers.organizations.list()).presets.find(({ name }) => name === 'custom')!.draft
  const { managementUrl, metadataUrl } = service
  const { id } = await answers.organizations.add({ ...custom, name: 'North', managementUrl, metadataUrl })
  await answers.organizations.setKey({ id, slot: 'primary', key })
  await answers.sync.run()
  deviceId = (await answers.devices.window(page)).rows[0]!.id
  roomId = (await answers.rooms.list(page)).rows[0]!.id
  // From here on the keychain asks its owner for a password, and another program holds the workbook.
  host.keychain.get = () => new Promise(() => undefined)
  host.keychain.state = () => new Promise(() => undefined)
  other = new DatabaseSync(join(home.folder, 'workbook.sqlite'))
  other.exec('BEGIN IMMEDIATE')
})
afterAll(async () => {
  other.exec('ROLLBACK')
  other.close()
  await console.close()
  await service.stop()
  await home.remove()
})

test.each<[string, (console: Console) => Promise<unknown>]>([
  ['app.standing', ({ answers }) => answers.app.standing()],
  ['app.preferences', ({ answers }) => answers.app.preferences()],
  ['organizations.list', ({ answers }) => answers.organizations.list()],
  ['devices.window', ({ answers }) => answers.devices.window(page)],
  ['devices.facets', ({ answers }) => answers.devices.facets({ where: '' })],
  ['devices.position', ({ answers }) => answers.devices.position({ where: '', sort: [], id: deviceId })],
  ['devices.suggest', ({ answers }) => answers.devices.suggest({ key: 'product', typed: 'e' })],
  ['devices.get', ({ answers }) => answers.devices.get({ id: deviceId })],
  ['devices.history', ({ answers }) => answers.devices.history({ id: deviceId })],
  ['rooms.list', ({ answers }) => answers.rooms.list(page)],
  ['rooms.get', ({ answers }) => answers.rooms.get({ id: roomId })],
  ['rooms.position', ({ answers }) => answers.rooms.position({ where: '', sort: [], id: roomId })],
  ['changes.groups', ({ answers }) => answers.changes.groups({ where: '', since: null })],
  ['overview.get', ({ answers }) => answers.overview.get()],
  ['tags.list', ({ answers }) => answers.tags.list()],
  ['lists.list', ({ answers }) => answers.lists.list()],
  ['views.list', ({ answers }) => answers.views.list({ list: 'devices' })],
  ['exports.list', ({ answers }) => answers.exports.list()],
  ['connections.list', ({ answers }) => answers.connections.list()],
  ['goldenProfiles.list', ({ answers }) => answers.goldenProfiles.list()],
  ['writes.lock', ({ answers }) => answers.writes.lock()],
  ['jobs.list', ({ answers }) => answers.jobs.list({ start: 0, count: 10 })],
  [
    'journal.list',
    ({ answers }) => answers.journal.list({ where: '', subjectId: null, start: 0, count: 10 }),
  ],
  [
    'firmware.products',
    ({ answers }) => answers.firmware.products({ text: '', owned: true, start: 0, count: 10 }),
  ],
  ['webhooks.steps', ({ answers }) => answers.webhooks.steps({ done: null })],
  ['explorer.operations', ({ answers }) => answers.explorer.operations()],
  ['explorer.examples', ({ answers }) => answers.explorer.examples()],
  ['metadata.cacheSize', ({ answers }) => answers.metadata.cacheSize()],
])(
  '%s answers while another program writes and the keychain waits for a password',
  { timeout: 8_000 },
  async (_channel, ask) => {
    expect(await ask(console)).toBeDefined()
  },
)
