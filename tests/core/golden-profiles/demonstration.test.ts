import { beforeEach, expect, test } from 'vitest'
import type { Core } from '../../../electron/core/app.ts'
import type { Demonstration } from '../../../electron/demo/demonstration.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
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

const arrivals = (): number =>
  Object.values(service.counts().arrivals).reduce(
    (sum, statuses) => sum + Object.values(statuses).reduce((all, one) => all + one, 0),
    0,
  )

test('a golden profile of one device compares the others by cached settings, without a request, and counts unread ones', async () => {
  const { devices, goldenProfiles } = core.handlers
  const { rows } = await devices.slice({ where: '"panacast 50"', sort: [], start: 0, count: 60 })
  const [model] = rows
  const product = rows.filter(({ productId }) => productId === model?.productId)
  const view = (await devices.settings({ id: model!.id, refresh: true })).settings.find(
    ({ name }) => name === 'fieldOfView',
  )!
  const settings = [{ name: 'fieldOfView', value: view.value! }]
  const { id } = await goldenProfiles.save({
    id: null,
    name: 'As in Fjord',
    productId: model!.productId!,
    variantType: null,
    settings,
  })

  const before = await goldenProfiles.get({ id })
  expect([before.devices, before.counts]).toEqual([
    product.length,
    { drifted: 0, 'not-available': 0, 'not-read': product.length - 1, 'as-wanted': 1 },
  ])

  const { settings: reader, goldenProfiles: judging } = await core.sessions.current()
  await reader.fetchAll(unwatched)
  // While settings arrive a recent result is used on; they count as settled two seconds later, not waited for here.
  judging.changed('settled')
  const requested = arrivals()
  const after = await goldenProfiles.get({ id })
  expect(after.counts['not-read']).toBe(0)
  expect(after.counts.drifted + after.counts['as-wanted']).toBe(product.length)
  expect(after.settings[0]).toMatchObject({
    name: 'fieldOfView',
    wanted: view.value,
    drifted: after.counts.drifted,
  })
  const reported = await goldenProfiles.notAllowed({ start: 0, count: 10 })
  expect([reported.devices, reported.read]).toEqual([60, 60])
  // So far there is a model only for the product, variant and firmware of the one device that was read.
  const alike = rows.filter(
    (one) =>
      one.productId === model!.productId &&
      one.variantType === model!.variantType &&
      one.firmwareVersion === model!.firmwareVersion,
  )
  expect(reported.withoutModel).toBe(60 - alike.length)
  expect(arrivals()).toBe(requested)
})

test('a wanted value that the device does not accept is shown with the accepted values', async () => {
  const { devices, goldenProfiles } = core.handlers
  const { rows } = await devices.slice({ where: '"panacast 50"', sort: [], start: 0, count: 1 })
  const [device] = rows
  await devices.settings({ id: device!.id, refresh: true })
  const settings = [{ name: 'fieldOfView', value: '_360deg' }]
  const { id } = await goldenProfiles.save({
    id: null,
    name: 'Wide',
    productId: device!.productId!,
    variantType: null,
    settings,
  })
  expect((await goldenProfiles.get({ id })).settings[0]?.refused).toEqual({
    devices: 1,
    reason: 'The value must be one of: _90deg, _120deg, _140deg, _180deg.',
  })
})

test('reading a device again emits an event, so that pages query again', async () => {
  const { devices, goldenProfiles } = core.handlers
  const { rows } = await devices.slice({ where: '', sort: [], start: 0, count: 1 })
  await goldenProfiles.list()
  const { promise, resolve } = Promise.withResolvers<string>()
  core.onEvent((channel) => channel === 'goldenProfiles.changed' && resolve(channel))
  await devices.settings({ id: rows[0]!.id, refresh: true })
  expect(await promise).toBe('goldenProfiles.changed')
})
