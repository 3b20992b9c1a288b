import { beforeEach, expect, test } from 'vitest'
import type { Core } from '../../../electron/core/app.ts'
import type { Demonstration } from '../../../electron/demo/demonstration.ts'
import { demonstrationTemplates, openSyncedCore } from '../../connected-core.ts'

let service: Demonstration
let core: Core
beforeEach(async () => {
  const opened = await openSyncedCore(
    { devices: 60, rooms: 8 },
    { family: 'Jabra SDK V4', templates: demonstrationTemplates },
  )
  ;({ service, core } = opened)
  return opened.close
})

const arrivals = (): string => JSON.stringify(service.counts().arrivals)

test('two rooms are compared from stored data without a request, each with its devices and without raw records', async () => {
  const { rooms, comparison } = core.handlers
  const { rows } = await rooms.list({ where: '', sort: [], start: 0, count: 10 })
  const [a, b] = rows.filter(({ deviceCount }) => (deviceCount ?? 0) > 0)
  const before = arrivals()
  const found = await comparison.rooms({ a: a!.id, b: b!.id })
  const devicesOf = async (id: string) => (await rooms.get({ id })).devices?.map((one) => one.id)
  expect([found.a, found.b].map(({ devices }) => devices?.map(({ id }) => id))).toEqual([
    await devicesOf(a!.id),
    await devicesOf(b!.id),
  ])
  expect(JSON.stringify(found)).not.toContain('"raw"')
  expect(arrivals()).toBe(before)
})

test('two devices are compared by what was read of them, and one that is not known is not found', async () => {
  const { devices, comparison } = core.handlers
  const { rows } = await devices.slice({ where: '"panacast 50"', sort: [], start: 0, count: 60 })
  const [a] = rows
  const b = rows.find(({ id, productId }) => id !== a!.id && productId === a!.productId)
  const ids = { a: a!.id, b: b!.id }
  const settingLines = async () =>
    (await comparison.devices(ids)).pairs[0]!.rows.filter(({ what }) => what.startsWith('setting'))
  expect((await settingLines()).map(({ what }) => what)).toEqual(['settings'])
  for (const id of Object.values(ids)) await devices.settings({ id, refresh: true })
  const lines = await settingLines()
  const read = await devices.settings({ id: b!.id, refresh: false })
  expect(lines.map(({ name }) => name)).toEqual(expect.arrayContaining(read.settings.map(({ name }) => name)))
  await expect(comparison.devices({ a: a!.id, b: 'none' })).rejects.toMatchObject({
    failure: { kind: 'not-found' },
  })
})
