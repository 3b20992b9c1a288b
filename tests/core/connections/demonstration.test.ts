import { expect, onTestFinished, test } from 'vitest'
import { createCore } from '../../../electron/core/app.ts'
import { startDemonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { fakePlatform } from '../../fake-platform.ts'
import { TemporaryHome } from '../../temporary-store.ts'

test('uses only this computer for the demonstration', async () => {
  const home = new TemporaryHome()
  const service = await startDemonstration({ now: fromMorning(), devices: 50, rooms: 3 })
  const core = await createCore(fakePlatform(home, { demonstration: async () => service }))
  onTestFinished(async () => {
    await core.close()
    await service.stop()
    await home.remove()
  })
  const preset = (await core.handlers.organizations.list()).presets.find(
    ({ name }) => name === 'demonstration',
  )
  await core.handlers.organizations.add({ ...preset!.draft, name: 'Demonstration' })
  await core.handlers.sync.run()
  await core.handlers.firmware.products({ text: '', owned: false, start: 0, count: 1 })
  const hosts = await core.handlers.connections.list()
  expect(
    hosts
      .map(({ host, purpose, organizations, local, failed }) => ({
        host,
        purpose,
        organizations,
        local,
        failed,
      }))
      .toSorted((a, b) => a.purpose.localeCompare(b.purpose)),
  ).toEqual([
    { host: '127.0.0.1', purpose: 'management', organizations: ['Demonstration'], local: true, failed: 0 },
    { host: '127.0.0.1', purpose: 'metadata', organizations: ['Demonstration'], local: true, failed: 0 },
  ])
  // Two streams of devices and the rooms, each by pages, from the service's own counts.
  const arrived = Object.values(service.counts().arrivals).reduce(
    (sum, byStatus) => sum + Object.values(byStatus).reduce((more, count) => more + count, 0),
    0,
  )
  expect(hosts.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(arrived)
})
