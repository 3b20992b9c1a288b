import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openConnectedCore, serviceKeys } from '../connected-core.ts'
import { createCore, type Core } from '../../electron/core/app.ts'
import type { Demonstration } from '../../electron/demo/demonstration.ts'
import { fakePlatform, type FakePlatform } from '../fake-platform.ts'
import { type TemporaryHome } from '../temporary-store.ts'
import { failureOf } from '../failure-of.ts'
import { pageCall } from '../page-call.ts'

const { primary: primaryKey, secondary: secondaryKey } = serviceKeys
const both = [primaryKey, secondaryKey]

let home: TemporaryHome
let platform: FakePlatform
let service: Demonstration
let core: Core
let deviceId: string
const organizationId = async (): Promise<string> =>
  (await core.handlers.organizations.list()).organizations[0]!.id

beforeEach(async () => {
  const opened = await openConnectedCore({ devices: 20, rooms: 2, onFiles: true })
  ;({ home, platform, service, core } = opened)
  const id = await opened.add()
  await core.handlers.organizations.setKey({ id, slot: 'secondary', key: secondaryKey })
  await core.handlers.sync.run()
  deviceId = (await core.handlers.devices.slice({ where: 'status:online', sort: [], start: 0, count: 1 }))
    .rows[0]!.id
  await startAgain()
})
afterEach(async () => {
  await core.close()
  await service.stop()
  await home.remove()
})

/** Restarts the program on the same home, where no key was read from the keychain yet. */
async function startAgain(): Promise<void> {
  await core.close()
  platform = Object.assign(fakePlatform(home), { keychain: platform.keychain })
  core = await createCore(platform)
}

const bytesWithKeys = (): readonly string[] =>
  readdirSync(home.folder).filter((name) =>
    both.some((key) => readFileSync(join(home.folder, name), 'latin1').includes(key)),
  )

test('a key typed into the body of a write, as the first call of a run, is in no journal entry and no history', async () => {
  const settings = JSON.stringify({ motd: primaryKey, banner: secondaryKey })
  await core.handlers.explorer.run(pageCall('UpdateDeviceSettings', { deviceId, settings }, true))
  const { lines } = await core.handlers.journal.list({ where: '', subjectId: null, start: 0, count: 10 })
  expect(lines.map(({ after }) => after)).toEqual([
    '{"settings":{"motd":"[subscription key]","banner":"[subscription key]"}}',
  ])
  const [called] = await core.handlers.explorer.history()
  expect(called?.parameters['settings']).toBe('{"motd":"[subscription key]","banner":"[subscription key]"}')
  expect(bytesWithKeys()).toEqual([])
})

test('an example saved as the first action of a run contains no key', async () => {
  const examples = await core.handlers.explorer.saveExample({
    name: `with ${secondaryKey}`,
    operation: 'GetRoom',
    parameters: { groupId: primaryKey },
  })
  expect(examples.map(({ name, parameters }) => [name, parameters])).toEqual([
    ['with [subscription key]', { groupId: '[subscription key]' }],
  ])
  expect(bytesWithKeys()).toEqual([])
})

test('with an unreadable keychain, text that looks like a key is not stored either', async () => {
  platform.keychain.problem = 'locked'
  const examples = await core.handlers.explorer.saveExample({
    name: `with ${secondaryKey}`,
    operation: 'GetRoom',
    parameters: { groupId: 'g1' },
  })
  expect(examples.map(({ name }) => name)).toEqual(['with [may be a subscription key]'])
  expect(bytesWithKeys()).toEqual([])
})

test.each([
  [
    'the metadata service',
    pageCall('GetFirmwareReleasesByProductId', { vendorId: '2830', productId: secondaryKey }),
    'productId',
  ],
  [
    'the path of a write',
    pageCall('UpdateDeviceSettings', { deviceId: primaryKey, settings: '{"a":1}' }, true),
    'deviceId',
  ],
] as const)('a key typed for %s is not sent', async (_, run, field) => {
  expect(await failureOf(() => core.handlers.explorer.run(run))).toEqual({
    kind: 'invalid',
    field,
    message: 'This contains a subscription key. Nothing was sent.',
  })
  expect(bytesWithKeys()).toEqual([])
})

const refused = {
  kind: 'invalid',
  field: 'text',
  message: 'The text contains a subscription key. Nothing was saved or sent.',
}
const draft = { startAt: null, window: null, keepTrying: false, canary: false }

test('a job that would write a key to a device is not planned, also as the first action of a run', async () => {
  const work = {
    kind: 'change-settings',
    selection: { kind: 'picked', ids: [deviceId] },
    changes: [{ name: 'motd', value: secondaryKey }],
  } as const
  expect(await failureOf(() => core.handlers.jobs.plan({ ...draft, work }))).toEqual(refused)
  expect(bytesWithKeys()).toEqual([])
})

test('a job of a room that is named by a key is not planned, also as the first action of a run', async () => {
  const work = {
    kind: 'reboot-rooms',
    of: 'rooms',
    selection: { kind: 'picked', ids: [primaryKey] },
  } as const
  expect(await failureOf(() => core.handlers.jobs.plan({ ...draft, work }))).toEqual(refused)
  expect(bytesWithKeys()).toEqual([])
})

test('a key is not written to a setting of one device, also as the first action of a run', async () => {
  const changes = [{ name: 'motd', value: secondaryKey }]
  const request = { id: deviceId, changes, unlock: true, wait: false, reference: null }
  expect(await failureOf(() => core.handlers.devices.setSettings(request))).toEqual(refused)
  expect(bytesWithKeys()).toEqual([])
})

test.each<[string, (core: Core) => Promise<unknown>]>([
  [
    'a tag',
    ({ handlers }) =>
      handlers.tags.change({ selection: { kind: 'picked', ids: [deviceId] }, add: [primaryKey], remove: [] }),
  ],
  ['the new name of a tag', ({ handlers }) => handlers.tags.rename({ from: 'hall', to: secondaryKey })],
  [
    'the note of a device',
    ({ handlers }) => handlers.devices.setNote({ id: deviceId, note: `with ${primaryKey}` }),
  ],
  [
    'the note of a room',
    async ({ handlers }) => {
      const { rows } = await handlers.rooms.list({ where: '', sort: [], start: 0, count: 1 })
      return handlers.rooms.setNote({ id: rows[0]!.id, note: secondaryKey })
    },
  ],
  [
    'the reason of an approval',
    ({ handlers }) =>
      handlers.firmware.approve({
        vendorId: 2830,
        productId: 12306,
        variant: null,
        version: '1.0.0',
        reason: primaryKey,
        expires: null,
      }),
  ],
  [
    'a saved view',
    ({ handlers }) =>
      handlers.views.save({
        list: 'devices',
        name: 'v',
        where: primaryKey,
        sort: [],
        columns: null,
      } as never),
  ],
  [
    'a pasted list',
    ({ handlers }) =>
      handlers.lists.paste({ text: `S1\n${primaryKey.toUpperCase()}`, keep: true, name: null }),
  ],
  [
    'an organization',
    async ({ handlers }) =>
      handlers.organizations.update({
        id: await organizationId(),
        draft: { name: primaryKey } as never,
      }),
  ],
])('a key pasted into %s is rejected, also as the first action of a run', async (_, paste) => {
  expect(await failureOf(() => paste(core))).toEqual(refused)
  expect(bytesWithKeys()).toEqual([])
})

test('a key that is to be copied is rejected', async () => {
  await core.handlers.sync.run()
  expect(await failureOf(() => core.handlers.app.copy({ text: `x ${primaryKey}` }))).toEqual(refused)
})

const note = (text: string) => core.handlers.devices.setNote({ id: deviceId, note: text })

test('while the keychain cannot be read, a text that may be a key is not stored', async () => {
  platform.keychain.problem = 'locked'
  expect(await failureOf(() => note(`with ${secondaryKey}`))).toEqual({
    kind: 'invalid',
    field: 'text',
    message:
      'The text may contain a subscription key, and the keychain cannot be read to tell. Nothing was saved or sent.',
  })
  expect(bytesWithKeys()).toEqual([])
})

test.each([
  ['another text is stored', 'a new lens was ordered on Monday'],
  ['a text that says where a key was removed is stored', 'call of GetRoom: [may be a subscription key]'],
])('while the keychain cannot be read, %s', async (_, text) => {
  platform.keychain.problem = 'locked'
  expect((await note(text)).note).toBe(text)
})

test.each([
  ['a text that is too short for a key', () => note('spare')],
  ['ids alone', async () => core.handlers.organizations.use({ id: await organizationId() })],
])('%s does not ask the keychain', async (_, act) => {
  const asked = vi.spyOn(platform.keychain, 'get')
  await act()
  expect(asked).not.toHaveBeenCalled()
})
