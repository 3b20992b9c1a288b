import { expect, onTestFinished, test } from 'vitest'
import { openConnectedCore, serviceKeys } from '../connected-core.ts'
import { runOn } from './run-on.ts'

test('a profile without an address for settings shows "not published"', async () => {
  const { core, service, close } = await openConnectedCore({ devices: 60, rooms: 6 })
  onTestFinished(close)
  const { managementUrl, metadataUrl } = service
  const added = await runOn(core, [
    'org',
    'add',
    'Nordlys',
    '--preset',
    'custom',
    '--management-url',
    managementUrl,
    '--metadata-url',
    metadataUrl,
    '--template',
    'deviceSettings=',
  ])
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
