import { describe, expect, it, vi } from 'vitest'
import { openFirmware } from '../../../electron/core/firmware/firmware.ts'
import { failureOf } from '../metadata/fake-metadata-service.ts'
import { all, rig, variant } from './firmware-rig.ts'

describe('products', () => {
  it.each<[string, readonly string[]]>([
    ['9395', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['0x24B3', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['24b3', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['VID_0B0E&PID_24B3', ['Jabra Evolve2 65 Mono 2830']],
    ['USB\\VID_0B0E&PID_24B3&MI_03\\7&1A', ['Jabra Evolve2 65 Mono 2830']],
    ['pid_24b3', ['Jabra Evolve2 65 Mono 2830', 'Partner headset 1130']],
    ['0b0e:24b3', ['Jabra Evolve2 65 Mono 2830']],
    ['2830/9395', ['Jabra Evolve2 65 Mono 2830']],
    ['2475', ['Speak 710 2830']],
    ['01-64', ['Jabra Evolve2 65 Mono 2830']],
    ['04-0b', ['Jabra Link 380a 2830', 'Jabra Link 380a / Jabra Link 380c 2830']],
    ['evolve 65', ['Jabra Evolve2 65 2830', 'Jabra Evolve2 65 Mono 2830']],
    ['  LINK  380c ', ['Jabra Link 380a / Jabra Link 380c 2830']],
    ['video', ['Jabra PanaCast 50 2830']],
    ['no similar name', []],
    ['%_', []],
  ])('finds %s', async (text, expected) => {
    const page = await rig().firmware.products({ ...all, text })
    expect([page.rows.map((row) => `${row.name} ${row.vendorId}`), page.total]).toEqual([
      expected,
      expected.length,
    ])
  })

  it('finds by the name of a bundle, and by the entity id of a product missing from the catalogue', async () => {
    const entityId = '3f1c2a90-5b7d-4e21-8c3a-0123456789ab'
    const { firmware, service } = rig([[4711, 2]])
    service
      .set('/vendors/products/firmware-bundles', [
        { name: 'Room kit', firmwares: [{ vendorId: 2830, productId: 9379, version: '2.9.2' }] },
      ])
      .set(`/product-group-bundles/vendors/products/variants/${entityId}`, {
        productName: 'Jabra Unlisted',
        entityId,
        variants: [variant(4711, '09-01')],
      })
    const found = async (text: string, owned = false) =>
      (await firmware.products({ ...all, text, owned })).rows.map(({ name, deviceCount }) => [
        name,
        deviceCount,
      ])
    expect([await found('room kit'), await found('room kit', true), await found(entityId)]).toEqual([
      [['Jabra Evolve2 65', 0]],
      [],
      [['Jabra Unlisted', 2]],
    ])
  })

  it('have the catalogue’s latest until their own list was asked for, and none if it cannot be read', async () => {
    const { firmware, service } = rig()
    service.set('/vendors/2830/products/9416/firmware-releases', 'nonsense')
    const latest = async () => (await firmware.products({ ...all, text: '2830/9416' })).rows[0]?.latestVersion
    const before = await latest()
    await failureOf(firmware.releases({ vendorId: 2830, productId: 9416 }))
    expect([before, await latest()]).toEqual(['1.16.0', null])
  })

  it('come from the stored catalogue while a person types: no call is made, however old it is', async () => {
    const { firmware, service, clock } = rig()
    const typed = (text: string) => firmware.products({ ...all, text, cachedOnly: true })
    expect((await failureOf(typed('9416'))).kind).toBe('offline')
    await firmware.products({ ...all, text: '9416' })
    await clock.advance(40 * 24 * 3_600_000)
    const before = service.requests.length
    expect([(await typed('9416')).total, service.requests.length]).toEqual([1, before])
  })

  it('lists a product id once, with every variant and the names that share it', async () => {
    const { firmware, clock } = rig([[9416, 3]])
    expect(await firmware.products({ ...all, text: '9416' })).toEqual({
      rows: [
        {
          vendorId: 2830,
          productId: 9416,
          name: 'Jabra Link 380a / Jabra Link 380c',
          groupName: null,
          deviceType: null,
          supportedProtocols: [],
          variants: [variant(9416, '04-0B', 'Jabra Link 380a'), variant(9416, '04-0C', 'Jabra Link 380c')],
          latestVersion: '1.16.0',
          deviceCount: 3,
        },
      ],
      total: 1,
      unreadable: { count: 0, records: [] },
      observedAt: clock.now(),
      fromCache: false,
    })
  })

  it('lists the products of the fleet, including those not in the catalogue', async () => {
    const { firmware } = rig([
      [9395, 7],
      [777, 1],
      [9379, 0],
    ])
    const page = await firmware.products({ ...all, owned: true })
    expect(
      page.rows.map((row) => `${row.vendorId}/${row.productId} ${row.name}: ${row.deviceCount}`),
    ).toEqual(['2830/9395 Jabra Evolve2 65 Mono: 7', '2830/777 2830/777: 1'])
  })

  it('returns one slice of many', async () => {
    const page = await rig().firmware.products({ ...all, start: 1, count: 2 })
    expect([page.rows.map((row) => row.name), page.total]).toEqual([
      ['Jabra Evolve2 65 Mono', 'Jabra Link 380a'],
      7,
    ])
  })

  it('shows the latest version more accurately once the releases were read', async () => {
    const { firmware } = rig()
    const latest = async () => (await firmware.products({ ...all, text: '2830/9395' })).rows[0]?.latestVersion
    const before = await latest()
    await firmware.releases({ vendorId: 2830, productId: 9395 })
    expect([before, await latest()]).toEqual([null, '2.10.0'])
  })
})

describe('many products by their ids', () => {
  it('are returned after a single count of the devices', async () => {
    const { clock, start } = rig()
    const deviceCounts = vi.fn(async () => new Map([[9395, 3]]))
    const firmware = openFirmware({
      clock,
      metadata: start(),
      deviceCounts,
      vendorId: 2830,
      assumedBuildTypes: ['Release'],
    })
    const product = await firmware.byIds()
    const reported = await Promise.all(
      [9395, 9379, 4711].map((productId) => product({ vendorId: 2830, productId })),
    )
    expect([
      reported.map(({ name, deviceCount }) => [name, deviceCount]),
      deviceCounts.mock.calls.length,
    ]).toEqual([
      [
        ['Jabra Evolve2 65 Mono', 3],
        ['Jabra Evolve2 65', 0],
        ['2830/4711', 0],
      ],
      1,
    ])
  })
})

describe('finding a product on the command line', () => {
  it.each([
    ['2830/9395', '2830/9395'],
    ['0x0B0E/0x24B3', '2830/9395'],
    ['1130/9395', '1130/9395'],
    ['9379', '2830/9379'],
    ['0x24C8', '2830/9416'],
    ['jabra evolve2 65', '2830/9379'],
    ['Evolve2 65 Mono', '2830/9395'],
    ['panacast', '2830/12306'],
    ['link 380c', '2830/9416'],
    ['2830/4711', '2830/4711'],
  ])('%s is %s', async (text, expected) => {
    const product = await rig().firmware.find(text)
    expect(`${product.vendorId}/${product.productId}`).toBe(expected)
  })

  it('lists the candidates for an ambiguous name', async () => {
    expect(await failureOf(rig().firmware.find('link'))).toEqual({
      kind: 'invalid',
      field: 'product',
      message: 'link may be Jabra Link 380a (2830/9415) or Jabra Link 380a / Jabra Link 380c (2830/9416)',
    })
  })

  it.each([
    ['toaster', 'a product called toaster'],
    ['Lnik 380a', 'a product called Lnik 380a (did you mean Jabra Link 380a?)'],
  ])('reports that there is no %s', async (typed, what) => {
    expect(await failureOf(rig().firmware.find(typed))).toEqual({ kind: 'not-found', call: null, what })
  })

  it('accepts an id without a network', async () => {
    const { firmware, service } = rig()
    service.offline = true
    expect((await firmware.find('2830/9395')).name).toBe('2830/9395')
    expect((await failureOf(firmware.find('evolve'))).kind).toBe('offline')
  })
})
