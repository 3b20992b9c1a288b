import { beforeEach, describe, expect, it } from 'vitest'
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
  it('what a device said of itself is read at once, and nothing else', async () => {
    await core.finish(useDefinitions().open(evolve, { variantType: '01-4D', firmwareVersion: '2.8.2' }))
    expect(reads()).toEqual([{ ...evolve, variantType: '01-4D', firmwareVersion: '2.8.2' }])
  })

  it('without a device, what most of the fleet runs is read', async () => {
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: null, firmwareVersion: null }))
    const [most, ...others] = definitions.fleet
    expect(others.filter(({ count }) => count > most!.count)).toEqual([])
    expect(reads()).toEqual([
      { ...evolve, variantType: most!.variantType, firmwareVersion: most!.firmwareVersion },
    ])
    expect(core.asked.map(({ channel }) => channel)).not.toContain('devices.window')
  })

  it('one variant in two spellings is listed once, in the spelling that is chosen', async () => {
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

  it('without a fleet, the latest release of the first variant is read', async () => {
    core = await openCore({ organization: 'unread' })
    await core.finish(useDefinitions().open(evolve, { variantType: null, firmwareVersion: null }))
    expect(reads()).toEqual([{ ...evolve, variantType: '01-4D', firmwareVersion: '2.9.2' }])
  })

  it('without releases and fleet nothing is asked until a version is typed', async () => {
    core = await openCore({ organization: 'unread' })
    core.service.script('/models/', () => answer(404, { statusCode: 404, message: 'Resource not found' }))
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: null, firmwareVersion: null }))
    expect([reads(), definitions.query]).toEqual([[], null])
    await core.finish(definitions.choose('01-4D', ' 2.8.2 '))
    expect(reads()).toEqual([{ ...evolve, variantType: '01-4D', firmwareVersion: '2.8.2' }])
  })

  it('every word typed must be found in name, type or values', async () => {
    const definitions = useDefinitions()
    await core.finish(definitions.open(evolve, { variantType: '01-4D', firmwareVersion: '2.8.2' }))
    definitions.words = '  _0DB sidetone '
    expect(definitions.found.map(({ name }) => name)).toEqual(['sidetoneLevelEnum'])
    definitions.words = 'no such'
    expect(definitions.found).toEqual([])
  })
})
