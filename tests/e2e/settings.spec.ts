import { expect, test } from '@playwright/test'
import { addOrganization, document, headroom } from './headroom.ts'
import { newHome, startService, type Home, type Service } from './program.ts'

let home: Home
let service: Service
let device: string

interface ReadSettings {
  readonly deviceId: string
  readonly settings: readonly {
    readonly name: string
    readonly kind: string
    readonly value: unknown
    readonly feature: { readonly supported: readonly string[] } | null
  }[]
  readonly fromCache: boolean
  readonly source: string
}

test.beforeEach(async () => {
  home = newHome()
  service = await startService('--devices', '120', '--rooms', '10')
  const devicesWithSettings = 'POST /devices/api/devices/settings'
  const added = await addOrganization(home, service, { templates: { devicesWithSettings } })
  expect(added.code).toBe(0)
  await document(home, ['sync'], service.key)
  const { devices } = await document<{ devices: readonly { id: string; productName: string | null }[] }>(
    home,
    ['devices', '--where', 'status:online'],
    service.key,
  )
  device = devices.find((one) => one.productName?.includes('PanaCast 50') === true)!.id
})
test.afterEach(async () => {
  await service.end()
  home.remove()
})

// Profiles without an address: tests/cli/settings.test.ts.
test('settings on the command line are read, changed only with confirmation, and shown again without the service', async () => {
  const { key } = service
  const read = await document<ReadSettings>(home, ['settings', 'get', device, 'fieldOfView'], key)
  expect(read).toMatchObject({ deviceId: device, fromCache: false, source: 'observed' })
  expect(read.settings.map(({ name, kind, feature }) => [name, kind, feature?.supported])).toEqual([
    ['fieldOfView', 'choice', ['_90deg', '_120deg', '_140deg', '_180deg']],
  ])
  const wanted = read.settings[0]?.value === '_90deg' ? '_120deg' : '_90deg'
  const set = ['settings', 'set', device, `fieldOfView=${wanted}`, '--json']

  expect((await headroom(home, set, { key })).code).toBe(2)
  const locked = await headroom(home, [...set, '--yes'], { key })
  expect([locked.code, JSON.parse(locked.output), JSON.parse(locked.errors)]).toEqual([
    3,
    { device, outcome: 'refused', reason: 'writes-locked', earliestAt: null },
    { kind: 'writes-locked' },
  ])
  const wrong = await headroom(
    home,
    ['settings', 'set', device, 'fieldOfView=_95deg', '--yes', '--unlock', '--json'],
    { key },
  )
  expect([wrong.code, wrong.output, JSON.parse(wrong.errors)]).toMatchObject([
    2,
    '',
    { kind: 'invalid', field: 'settings.fieldOfView' },
  ])

  expect(await document(home, [...set.slice(0, -1), '--yes', '--unlock'], key)).toEqual({
    device,
    outcome: 'accepted',
    reason: null,
    earliestAt: null,
  })
  const again = await headroom(home, [...set, '--yes', '--unlock', '--no-wait'], { key })
  expect([again.code, JSON.parse(again.output)]).toEqual([
    4,
    { device, outcome: 'waiting', reason: null, earliestAt: expect.any(Number) },
  ])

  expect(await document(home, ['settings', 'read-all'], key)).toEqual({
    devices: 120,
    withoutSettings: 0,
    missed: 0,
    notInInventory: 0,
    calls: 2,
  })
  await service.end()
  const kept = await document<ReadSettings>(home, ['settings', 'get', device, 'fieldOfView', '--kept'], key)
  expect({ fromCache: kept.fromCache, values: kept.settings.map(({ value }) => value) }).toEqual({
    fromCache: true,
    values: [wanted],
  })
  const offline = await headroom(home, ['settings', 'get', device, '--json'], { key })
  expect([offline.code, JSON.parse(offline.errors)]).toMatchObject([3, { kind: 'offline' }])
})
