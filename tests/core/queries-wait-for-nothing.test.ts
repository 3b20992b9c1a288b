import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Core } from '../../electron/core/app.ts'
import { openConnectedCore, type ConnectedCore } from '../connected-core.ts'

/**
 * In an earlier version, every query for the current organization took a write transaction of the workbook
 * and read the keychain.
 */
const page = { where: '', sort: [], start: 0, count: 10 }

const released = Promise.withResolvers<void>()
let opened: ConnectedCore
let core: Core
let deviceId: string
let roomId: string

beforeAll(async () => {
  opened = await openConnectedCore({ devices: 40, rooms: 6 })
  ;({ core } = opened)
  const { platform } = opened
  const { handlers } = core
  await opened.add()
  await handlers.sync.run()
  deviceId = (await handlers.devices.slice(page)).rows[0]!.id
  roomId = (await handlers.rooms.list(page)).rows[0]!.id
  // From here on the keychain prompts for a password, and no change of the workbook ends.
  platform.keychain.get = () => new Promise(() => undefined)
  platform.keychain.state = () => new Promise(() => undefined)
  const { workbook } = core.shared
  const write = workbook.write.bind(workbook)
  vi.spyOn(workbook, 'write').mockImplementation(async (work) => {
    await released.promise
    return write(work)
  })
})
afterAll(async () => {
  released.resolve()
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
  ['firmware.comparing', ({ handlers }) => handlers.firmware.comparing()],
  [
    'exports.open',
    ({ handlers }) =>
      handlers.exports.open({
        subject: { of: 'rooms', where: '', sort: [] },
        format: 'records',
        columns: null,
        delimiter: ',',
        timeZone: 'UTC',
        viewName: null,
      }),
  ],
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
  ['explorer.operations', ({ handlers }) => handlers.explorer.operations()],
  ['explorer.examples', ({ handlers }) => handlers.explorer.examples()],
  ['metadata.cacheSize', ({ handlers }) => handlers.metadata.cacheSize()],
])(
  '%s returns while a change is being stored and the keychain waits for a password',
  async (_channel, ask) => {
    expect(await ask(core)).toBeDefined()
  },
)
