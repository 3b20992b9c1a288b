import { afterEach, beforeEach, expect, it } from 'vitest'
import { aDevice } from '../../a-device.ts'
import { anOddService, type OddService } from '../../an-odd-service.ts'
import { answer } from '../../fake-transport.ts'

let service: OddService
beforeEach(async () => (service = await anOddService()))
afterEach(() => service.close())

it('a device is asked for its settings by the id that the service last sent, and keeps its note', async () => {
  const { handlers } = service.core
  service.devices = { MeetingRoom: [aDevice(1, { id: 'd-1a' })], Personal: [] }
  await handlers.sync.run()
  await handlers.devices.setNote({ id: 'd-1a', note: 'Mine' })
  service.devices = { MeetingRoom: [aDevice(1, { id: 'D-1A' })], Personal: [] }
  await handlers.sync.run()
  service.instead = ({ url }) =>
    url.includes('settings') ? answer(200, { settings: { volume: 3 } }) : undefined
  await handlers.devices.settings({ id: 'd-1a', refresh: true })
  const { note } = await handlers.devices.get({ id: 'd-1a' })
  const asked = service.requests.filter(({ url }) => url.includes('settings')).map(({ url }) => url)
  expect([note, asked]).toEqual(['Mine', [expect.stringContaining('D-1A')]])
})

it('settings are found and, after a write, forgotten in any spelling of the id', async () => {
  const { handlers } = service.core
  service.devices = { MeetingRoom: [aDevice(1, { id: 'd-1a' })], Personal: [] }
  await handlers.sync.run()
  let volume = 3
  service.instead = ({ url }) =>
    url.includes('settings') ? answer(200, { settings: { volume: { value: volume } } }) : undefined
  const read = async (id: string) => {
    const { settings, fromCache } = await handlers.devices.settings({ id, refresh: false })
    return [settings[0]?.value, fromCache]
  }
  const first = [await read('d-1a'), await read('D-1A')]
  await handlers.explorer.run({
    operation: 'UpdateDeviceSettings',
    parameters: { deviceId: 'D-1A', settings: '{"volume":{"value":7}}' },
    unlock: true,
    whole: false,
    wait: false,
    copies: null,
    reference: null,
  })
  volume = 7
  expect([...first, await read('d-1a')]).toEqual([
    [3, false],
    [3, true],
    [7, false],
  ])
})
