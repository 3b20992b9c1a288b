import { beforeEach, describe, expect, it } from 'vitest'
import { useDefinitions } from '../../../renderer/definitions/definitions-store.ts'
import type { DoubleLink } from '../double-link.ts'
import { aCore } from '../open-page.ts'

let core: DoubleLink
beforeEach(() => {
  core = aCore({ devices: 2_000 })
})
const evolve = { vendorId: 2830, productId: 9395 }
const reads = (): readonly unknown[] =>
  core.asked.filter((one) => one.channel === 'definitions.read').map((one) => one.argument)

describe('the definitions of a product', () => {
  it('what a device said of itself is read at once, and nothing else', async () => {
    await useDefinitions().open(evolve, { variantType: '01-64', firmwareVersion: '2.7.0' })
    expect(reads()).toEqual([{ ...evolve, variantType: '01-64', firmwareVersion: '2.7.0' }])
  })

  it('without a device, what most of the fleet runs is read', async () => {
    const definitions = useDefinitions()
    await definitions.open(evolve, { variantType: null, firmwareVersion: null })
    const [most] = definitions.fleet
    expect(reads()).toEqual([
      { ...evolve, variantType: most?.variantType, firmwareVersion: most?.firmwareVersion },
    ])
    expect(core.asked.map(({ channel }) => channel)).not.toContain('devices.window')
  })

  it('one variant in two spellings is listed once, in the spelling that is chosen', async () => {
    const ask: DoubleLink['call'] = async (channel, argument) => {
      const outcome = await core.call(channel, argument)
      if (channel !== 'definitions.defaults') return outcome
      const fleet = ['12-aa-02', '12-AA-02'].map((variantType) => ({
        variantType,
        firmwareVersion: '2.7.0',
        count: 3,
      }))
      return { ok: true, value: { variantType: '12-aa-02', firmwareVersion: '2.7.0', fleet } }
    }
    Object.assign(globalThis, { headroom: { ...core, call: ask } })
    const definitions = useDefinitions()
    await definitions.open(evolve, { variantType: null, firmwareVersion: null })
    const spelled = (): readonly string[] =>
      definitions.variants.map(({ variantType }) => variantType).filter((one) => one.startsWith('12'))
    const first = spelled()
    await definitions.choose('12-AA-02', '2.7.0')
    expect([first, spelled()]).toEqual([['12-aa-02'], ['12-AA-02']])
  })

  it('without a fleet, the latest release of the first variant is read', async () => {
    core = aCore({ empty: true })
    await useDefinitions().open(evolve, { variantType: null, firmwareVersion: null })
    expect(reads()).toEqual([{ ...evolve, variantType: '01-64', firmwareVersion: '2.9.2' }])
  })

  it('without releases and fleet nothing is asked until a version is typed', async () => {
    core = aCore({ empty: true, unpublished: true })
    const definitions = useDefinitions()
    await definitions.open(evolve, { variantType: null, firmwareVersion: null })
    expect([reads(), definitions.query]).toEqual([[], null])
    await definitions.choose('01-64', ' 2.7.0 ')
    expect(reads()).toEqual([{ ...evolve, variantType: '01-64', firmwareVersion: '2.7.0' }])
  })

  it('every word typed must be found in name, type or values', async () => {
    const definitions = useDefinitions()
    await definitions.open(evolve, { variantType: '01-64', firmwareVersion: '2.7.0' })
    definitions.words = '  _120DEG field '
    expect(definitions.found.length).toBeGreaterThan(0)
    expect(
      definitions.found.every((one) => one.name.startsWith('fieldOfView') && one.allowed.includes('_120deg')),
    ).toBe(true)
    definitions.words = 'no such'
    expect(definitions.found).toEqual([])
  })
})
