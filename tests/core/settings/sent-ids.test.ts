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
