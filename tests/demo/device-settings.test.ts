import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Asking } from './a-demonstration.ts'
import { aDemonstration, allPages, devicesPath } from './a-demonstration.ts'

interface Feature {
  readonly settingId: string
  readonly supportedValues?: readonly string[]
  readonly minimumValue?: number
  readonly maximumValue?: number
  readonly minimumLength?: number
  readonly maximumLength?: number
  readonly requiresRestart?: boolean
}
interface FeatureModel {
  readonly settings: Readonly<
    Record<'listSettings' | 'stringSettings' | 'numberSettings' | 'booleanSettings', readonly Feature[]>
  >
  readonly settingIds: Readonly<Record<string, string>>
}
interface DeviceBody {
  readonly id: string
  readonly productId: number
  readonly productName: string
  readonly variantType: string
  readonly firmwareVersion: string | null
  readonly settings: Readonly<
    Record<
      string,
      {
        readonly isOn?: boolean | null
        readonly selected?: string | null
        readonly value?: string | number | null
      }
    >
  >
}
type Known = Feature & { readonly of: keyof FeatureModel['settings'] }

let demo: Asking
/** One device of each product that has settings and a feature model. */
let examples: readonly { readonly device: DeviceBody; readonly byName: ReadonlyMap<string, Known> }[]

beforeEach(async () => {
  demo = await aDemonstration({
    devices: 1200,
    rooms: 72,
    limits: { perSecond: 5000, perWindow: 50_000, windowSeconds: 300 },
  })
  const devices = (await allPages(demo, `${devicesPath}/settings`, { pageSize: 400 })).flatMap(
    (page) => page.items,
  ) as unknown as DeviceBody[]
  const found: (typeof examples)[number][] = []
  for (const product of new Set(devices.map(({ productId }) => productId))) {
    const device = devices.find(
      (one) =>
        one.productId === product && one.firmwareVersion !== null && Object.keys(one.settings).length > 0,
    )
    if (device === undefined) continue
    const path = `/models/v/18/vendors/2830/products/${product}/variants/${device.variantType.toUpperCase()}/firmware-versions/${device.firmwareVersion}/feature-model.json`
    const model = (await demo.metadata(path)).body as FeatureModel | undefined
    if (model?.settingIds === undefined) continue
    const byId = new Map(
      (['listSettings', 'stringSettings', 'numberSettings', 'booleanSettings'] as const).flatMap((of) =>
        model.settings[of].map((feature) => [feature.settingId, { ...feature, of }] as const),
      ),
    )
    found.push({
      device,
      byName: new Map(
        Object.entries(model.settingIds).flatMap(([name, id]) =>
          byId.has(id) ? [[name, byId.get(id)!] as const] : [],
        ),
      ),
    })
  }
  examples = found
})
afterEach(() => demo.it.stop())

/**
 * A value of a setting that its feature model allows, as the member of its kind, and one that is rejected.
 */
const entries = (
  feature: Known,
): { readonly allowed: readonly object[]; readonly refused: readonly object[] } => {
  switch (feature.of) {
    case 'booleanSettings':
      return { allowed: [{ isOn: true }, { isOn: false }], refused: [{ isOn: 'on' }] }
    case 'listSettings':
      return {
        allowed: (feature.supportedValues ?? []).map((selected) => ({ selected })),
        refused: [{ selected: 'sideways' }, { selected: null }],
      }
    case 'numberSettings': {
      const { minimumValue: low, maximumValue: high } = feature
      return {
        allowed: [low, high].flatMap((value) => (value === undefined ? [] : [{ value }])),
        refused: [
          ...(low === undefined ? [] : [{ value: low - 1 }]),
          ...(high === undefined ? [] : [{ value: high + 1 }]),
          { value: 1.5 },
        ],
      }
    }
    case 'stringSettings': {
      const { minimumLength: least, maximumLength: most } = feature
      return {
        allowed: [least, most].flatMap((length) =>
          length === undefined ? [] : [{ value: 'x'.repeat(length) }],
        ),
        refused: [
          ...(most === undefined ? [] : [{ value: 'x'.repeat(most + 1) }]),
          ...(least === undefined || least === 0 ? [] : [{ value: '' }]),
          { value: 7 },
        ],
      }
    }
  }
}

describe('settings of devices follow the feature models of the service', () => {
  test('nearly every setting of every product is in its feature model, with an allowed value', () => {
    const values = examples.flatMap(({ device, byName }) =>
      Object.entries(device.settings).map(([name, entry]) => {
        const feature = byName.get(name)
        if (feature === undefined) return 'unnamed'
        const [member = ''] = Object.keys(entry).filter((one) => one !== 'isLocked')
        const value = Object.values(entry).find((_, at) => Object.keys(entry)[at] === member)
        if (value === null) return 'not available'
        const {
          supportedValues,
          minimumValue = -Infinity,
          maximumValue = Infinity,
          minimumLength = 0,
          maximumLength = Infinity,
        } = feature
        if (feature.of === 'booleanSettings')
          return typeof value === 'boolean' ? 'fits' : `${name} is no boolean`
        if (feature.of === 'listSettings')
          return supportedValues?.includes(String(value)) ? 'fits' : `${name} may not be ${String(value)}`
        if (feature.of === 'numberSettings')
          return Number(value) >= minimumValue && Number(value) <= maximumValue
            ? 'fits'
            : `${name} is ${String(value)}`
        return String(value).length >= minimumLength && String(value).length <= maximumLength
          ? 'fits'
          : `${name} is ${String(value).length} long`
      }),
    )
    expect(examples.length).toBeGreaterThan(15)
    expect([...new Set(values)].filter((one) => !['fits', 'not available', 'unnamed'].includes(one))).toEqual(
      [],
    )
    expect(values.filter((one) => one === 'fits').length).toBeGreaterThan(values.length * 0.9)
  })

  test('accepts what a feature model allows, to its limits; rejects anything else by name without a change', async () => {
    const wrong: string[] = []
    let [writes, taken, refused] = [0, 0, 0]
    for (const { device, byName } of examples) {
      const write = (settings: object) => {
        demo.it.advance(60_000)
        return demo.manage('PATCH', `${devicesPath}/${device.id}/settings`, { settings })
      }
      const known = [...byName].map(([name, feature], at) => ({ name, at, ...entries(feature) }))
      // The settings of a device are written together: each value once.
      for (const round of [0, 1, 2]) {
        const settings = known.flatMap(({ name, allowed: { [round]: entry } }) =>
          entry === undefined ? [] : [[name, entry] as const],
        )
        if (settings.length === 0) continue
        const { status } = await write(Object.fromEntries(settings))
        writes += 1
        if (status === 200) taken += settings.length
        else wrong.push(`${device.productName} ${JSON.stringify(settings)}: ${status}`)
      }
      // Those of every other setting, beside an allowed value of the rest.
      for (const [half, round] of [0, 1].flatMap((one) => [0, 1, 2].map((other) => [one, other] as const))) {
        const isRefused = (one: (typeof known)[number]) =>
          one.at % 2 === half && one.refused[round] !== undefined
        const names = known.filter(isRefused).map(({ name }) => name)
        if (names.length === 0) continue
        const settings = known.flatMap((one) => {
          const entry = isRefused(one) ? one.refused[round] : one.allowed[0]
          return entry === undefined ? [] : [[one.name, entry] as const]
        })
        const { status, body } = await write(Object.fromEntries(settings))
        const { title, errors = {} } = body as { title?: string; errors?: object }
        refused += names.length
        expect([device.productName, status, title, Object.keys(errors).sort()]).toEqual([
          device.productName,
          400,
          'One or more validation errors occurred.',
          names.map((name) => `settings.${name}`).sort(),
        ])
      }
    }
    expect([wrong, taken > 100, refused > 100]).toEqual([[], true, true])
    expect(Object.values(demo.it.counts().writes).reduce((sum, count) => sum + count, 0)).toBe(writes)
  })
})
