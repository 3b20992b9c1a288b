import { expect, onTestFinished, test } from 'vitest'
import { settingsCommands } from '../../electron/cli/commands/settings.ts'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { observedTemplates } from '../../electron/contract/template.ts'
import { aDevice } from '../a-device.ts'
import { anOddService } from '../an-odd-service.ts'
import { openConnectedCore, serviceKeys } from '../connected-core.ts'
import { answer } from '../fake-transport.ts'
import { runOn } from './run-on.ts'

test('a profile without an address for settings shows "not published"', async () => {
  const { core, service, close } = await openConnectedCore({ devices: 60, rooms: 6 })
  onTestFinished(close)
  const { managementUrl, metadataUrl } = service
  const addresses = ['--management-url', managementUrl, '--metadata-url', metadataUrl]
  const added = await runOn(core, ['org', 'add', 'Nordlys', ...addresses, '--advanced', '-'], {
    input: '{"templates": {"deviceSettings": null}}',
  })
  expect(added.code).toBe(0)
  const { id } = (await core.handlers.organizations.list()).organizations[0]!
  await core.handlers.organizations.setKey({ id, slot: 'primary', key: serviceKeys.primary })
  await core.handlers.sync.run()
  const query = { where: 'product:"PanaCast 50"', sort: [], start: 0, count: 1 }
  const [device] = (await core.handlers.devices.slice(query)).rows
  const { code, errors } = await runOn(core, ['settings', 'get', device!.id, '--json'])
  expect([code, JSON.parse(errors)]).toMatchObject([
    3,
    { kind: 'not-found', call: { operation: 'GetDeviceSettings' } },
  ])
})

test.each<[string, readonly string[], number, string]>([
  ['all devices', [' d00000001 ', 'D00000002', 'D00000003'], 0, ''],
  [
    'all and another one',
    ['D00000001', 'D00000002', 'D00000003', 'D9'],
    0,
    '1 device of the answer is not in the inventory. Sync to read it.\n',
  ],
  ['one of them', ['D00000002'], 4, '2 of 3 devices of the organization were not in the answer.\n'],
  [
    'only another one',
    ['D9'],
    4,
    '3 of 3 devices of the organization were not in the answer.\n1 device of the answer is not in the inventory. Sync to read it.\n',
  ],
])('settings read-all says whom an answer of %s does not contain', async (_, ids, code, errors) => {
  const service = await anOddService({
    templates: { ...observedTemplates, devicesWithSettings: 'POST /with-settings' },
  })
  onTestFinished(() => service.close())
  service.devices = { MeetingRoom: [], Personal: [aDevice(1), aDevice(2), aDevice(3)] }
  await service.run(inventoryCommands, 'sync')
  service.instead = ({ url }) =>
    url.endsWith('/with-settings')
      ? answer(200, { items: ids.map((one) => ({ id: one, settings: {} })), continuationToken: null })
      : undefined
  const said = await service.run(settingsCommands, 'settings', 'read-all')
  expect([said.code, said.errors]).toEqual([code, errors])
})

test('settings get --kept makes no call, also where nothing is stored', async () => {
  const service = await anOddService()
  onTestFinished(() => service.close())
  service.devices = { MeetingRoom: [], Personal: [aDevice(1)] }
  await service.run(inventoryCommands, 'sync')
  const asked: string[] = []
  service.instead = ({ url }) => {
    asked.push(url)
    return undefined
  }
  await expect(service.run(settingsCommands, 'settings', 'get', 'D00000001', '--kept')).rejects.toMatchObject(
    {
      failure: { kind: 'not-found', call: null, what: 'stored settings of this device' },
    },
  )
  expect(asked).toEqual([])
})

test('settings get --kept makes no call for a feature model that was never read', async () => {
  const service = await anOddService({
    templates: { ...observedTemplates, devicesWithSettings: 'POST /with-settings' },
  })
  onTestFinished(() => service.close())
  service.devices = { MeetingRoom: [], Personal: [aDevice(1)] }
  await service.run(inventoryCommands, 'sync')
  service.instead = ({ url }) =>
    url.endsWith('/with-settings')
      ? answer(200, { items: [{ id: 'D00000001', settings: { zoom: 2 } }], continuationToken: null })
      : undefined
  await service.run(settingsCommands, 'settings', 'read-all')
  const asked: string[] = []
  service.instead = ({ url }) => {
    asked.push(url)
    return undefined
  }
  const { code, output } = await service.run(settingsCommands, 'settings', 'get', 'D00000001', '--kept')
  expect([code, output.includes('zoom'), asked]).toEqual([0, true, []])
})
