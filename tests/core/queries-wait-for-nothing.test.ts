import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Core } from '../../electron/core/app.ts'
import { openConnectedCore, type ConnectedCore } from '../connected-core.ts'

/**
 * In an earlier version, every query for the current organization took a write transaction of the workbook
 * and read the keychain.
 */
const page = { where: '', sort: [], start: 0, count: 10 }

let opened: ConnectedCore
let core: Core
let other: DatabaseSync
let deviceId: string
let roomId: string

beforeAll(async () => {
  opened = await openConnectedCore({ devices: 40, rooms: 6 })
  ;({ core } = opened)
  const { home, platform } = opened
  const { handlers } = core
  await opened.add()
  await handlers.sync.run()
  deviceId = (await handlers.devices.slice(page)).rows[0]!.id
  roomId = (await handlers.rooms.list(page)).rows[0]!.id
  // From here on the keychain prompts for a password, and another program locks the workbook.
  platform.keychain.get = () => new Promise(() => undefined)
  platform.keychain.state = () => new Promise(() => undefined)
  other = new DatabaseSync(join(home.folder, 'workbook.sqlite'))
  other.exec('BEGIN IMMEDIATE')
})
afterAll(async () => {
  other.exec('ROLLBACK')
  other.close()
  await opened.close()
})

test.each<[string, (core: Core) => Promise<unknown>]>([
  ['app.status', ({ handlers }) => handlers.app.status()],
  ['app.preferences', ({ handlers }) => handlers.app.preferences()],
  ['organizations.list', ({ handlers }) => handlers.organizations.list()],
  ['devices.slice', ({ handlers }) => handlers.devices.slice(page)],
  ['devices.groups', ({ handlers }) => handlers.devices.groups({ where: '', by: 'roomName' })],
  ['devices.facets', ({ handlers }) => handlers.devices.facets({ where: '' })],
  ['devices.position', ({ handlers }) => handlers.devices.position({ where: '', sort: [], id: deviceId })],
  ['devices.suggest', ({ handlers }) => handlers.devices.suggest({ key: 'product', typed: 'e' })],
  ['devices.get', ({ handlers }) => handlers.devices.get({ id: deviceId })],
  ['devices.history', ({ handlers }) => handlers.devices.history({ id: deviceId })],
  ['rooms.list', ({ handlers }) => handlers.rooms.list(page)],
  ['rooms.get', ({ handlers }) => handlers.rooms.get({ id: roomId })],
  ['rooms.position', ({ handlers }) => handlers.rooms.position({ where: '', sort: [], id: roomId })],
  ['changes.groups', ({ handlers }) => handlers.changes.groups({ where: '', since: null })],
  ['overview.get', ({ handlers }) => handlers.overview.get()],
  ['tags.list', ({ handlers }) => handlers.tags.list()],
  ['lists.list', ({ handlers }) => handlers.lists.list()],
  ['views.list', ({ handlers }) => handlers.views.list({ list: 'devices' })],
  ['downloads.list', ({ handlers }) => handlers.downloads.list()],
  ['exports.list', ({ handlers }) => handlers.exports.list()],
  ['connections.list', ({ handlers }) => handlers.connections.list()],
  ['goldenProfiles.list', ({ handlers }) => handlers.goldenProfiles.list()],
  ['writes.lock', ({ handlers }) => handlers.writes.lock()],
  ['jobs.list', ({ handlers }) => handlers.jobs.list({ start: 0, count: 10 })],
  [
    'journal.list',
    ({ handlers }) => handlers.journal.list({ where: '', subjectId: null, start: 0, count: 10 }),
  ],
  [
    'firmware.products',
    ({ handlers }) => handlers.firmware.products({ text: '', owned: true, start: 0, count: 10 }),
  ],
  ['webhooks.steps', ({ handlers }) => handlers.webhooks.steps({ done: null })],
  ['explorer.operations', ({ handlers }) => handlers.explorer.operations()],
  ['explorer.examples', ({ handlers }) => handlers.explorer.examples()],
  ['metadata.cacheSize', ({ handlers }) => handlers.metadata.cacheSize()],
])('%s returns while another program writes and the keychain waits for a password', async (_channel, ask) => {
  expect(await ask(core)).toBeDefined()
})
