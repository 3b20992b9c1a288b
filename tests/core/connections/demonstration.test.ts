import { expect, onTestFinished, test } from 'vitest'
import { openConsole } from '../../../electron/core/console.ts'
import { startDemonstration } from '../../../electron/demo/demonstration.ts'
import { fromMorning } from '../../demo/a-demonstration.ts'
import { aHost } from '../../a-host.ts'
import { TemporaryHome } from '../../temporary-store.ts'

test('the demonstration is on this computer, and contacts nobody else', async () => {
  const home = new TemporaryHome()
  const service = await startDemonstration({ now: fromMorning(), devices: 50, rooms: 3 })
  const console = await openConsole(aHost(home, { demonstration: async () => service }))
  onTestFinished(async () => {
    await console.close()
    await service.stop()
    await home.remove()
  })
  const preset = (await console.answers.organizations.list()).presets.find(
    ({ name }) => name === 'demonstration',
  )
  await console.answers.organizations.add({ ...preset!.draft, name: 'Demonstration' })
  await console.answers.sync.run()
  await console.answers.firmware.products({ text: '', owned: false, start: 0, count: 1 })
  const hosts = await console.answers.connections.list()
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
  // Two streams of devices and the rooms, each by pages: what the service itself counted.
  const arrived = Object.values(service.counts().arrivals).reduce(
    (sum, byStatus) => sum + Object.values(byStatus).reduce((more, count) => more + count, 0),
    0,
  )
  expect(hosts.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(arrived)
})
