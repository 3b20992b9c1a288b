import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useDefinitions } from '../../../renderer/definitions/definitions-store.ts'
import { answer } from '../../fake-transport.ts'
import { openCore, type TestCore } from '../core.ts'

let core: TestCore
beforeEach(async () => {
  core = await openCore()
})
const evolve = { vendorId: 2830, productId: 9379 }
interface DeviceList {
  readonly items: readonly { readonly productId: number }[]
}
const reads = (): readonly unknown[] => core.argumentsOf('definitions.read')

describe('the definitions of a product', () => {
  it('are read at once for the version of a device, without other requests', async () => {
    await core.finish(useDefinitions().open(evolve, { variantType: '01-4D', firmwareVersion: '2.8.2' }))
    expect(reads()).toEqual([{ ...evolve, variantType: '01-4D', firmwareVersion: '2.8.2' }])
  })

  it('are read for the most common firmware of the fleet without a device', async () => {
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: null, firmwareVersion: null }))
    const [most, ...others] = definitions.fleet
    expect(others.filter(({ count }) => count > most!.count)).toEqual([])
    expect(reads()).toEqual([
      { ...evolve, variantType: most!.variantType, firmwareVersion: most!.firmwareVersion },
    ])
    expect(core.requested.map(({ channel }) => channel)).not.toContain('devices.slice')
  })

  it('list a variant in two spellings once, in the selected spelling', async () => {
    let place = 0
    core.service.alter('/devices/api/devices', ({ items, ...others }: DeviceList) => ({
      ...others,
      items: items.map((item) =>
        item.productId === evolve.productId
          ? { ...item, variantType: place++ % 2 === 0 ? '12-aa-02' : '12-AA-02' }
          : item,
      ),
    }))
    await core.finish(core.handlers.sync.run())
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: '12-aa-02', firmwareVersion: '2.8.2' }))
    const spelled = (): readonly string[] =>
      definitions.variants.map(({ variantType }) => variantType).filter((one) => one.startsWith('12'))
    const first = spelled()
    await core.finish(definitions.choose('12-AA-02', '2.8.2'))
    expect(new Set(definitions.fleet.map(({ variantType }) => variantType))).toEqual(
      new Set(['12-aa-02', '12-AA-02']),
    )
    expect([first, spelled()]).toEqual([['12-aa-02'], ['12-AA-02']])
  })

  it('are read for the latest release of the first variant without a fleet', async () => {
    core = await openCore({ organization: 'unread' })
    await core.finish(useDefinitions().open(evolve, { variantType: null, firmwareVersion: null }))
    expect(reads()).toEqual([{ ...evolve, variantType: '01-4D', firmwareVersion: '2.9.2' }])
  })

  it('are not requested without releases and fleet until a version is typed', async () => {
    core = await openCore({ organization: 'unread' })
    core.service.script('/models/', () => answer(404, { statusCode: 404, message: 'Resource not found' }))
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: null, firmwareVersion: null }))
    expect([reads(), definitions.query]).toEqual([[], null])
    await core.finish(definitions.choose('01-4D', ' 2.8.2 '))
    expect(reads()).toEqual([{ ...evolve, variantType: '01-4D', firmwareVersion: '2.8.2' }])
  })

  it('are found by every typed word in name, type or values', async () => {
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: '01-4D', firmwareVersion: '2.8.2' }))
    definitions.words = '  _0DB sidetone '
    expect(definitions.found.map(({ name }) => name)).toEqual(['sidetoneLevelEnum'])
    definitions.words = 'no such'
    expect(definitions.found).toEqual([])
  })

  it('are put into words once, not at each typed letter', async () => {
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: '01-4D', firmwareVersion: '2.8.2' }))
    const [first] = definitions.document!.properties
    const named = vi.fn().mockReturnValue(first!.name)
    Object.defineProperty(first, 'name', { get: named })
    const counts = ['s', 'si', 'sidetone'].map((typed) => {
      definitions.words = typed
      return definitions.found.length > 0 && named.mock.calls.length
    })
    expect(new Set(counts).size).toBe(1)
  })
})
