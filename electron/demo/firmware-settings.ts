import type { Product } from './catalogue.ts'
import { definitionsOf, type Definitions, type PropertyDefinition } from './definitions.ts'
import { mix, numberOf } from './random.ts'
import { settingsOf, snake, type SettingSpec } from './settings.ts'

/**
 * The settings of a firmware version. Between the newest version and earlier ones every product differs as
 * real products do, if it has such settings: one is added, one renamed, one now restarts the device, a value
 * is removed, a limit is narrower. Devices have the settings and values of the version they run, so some have
 * a value that the newest version does not allow. All of it is made up.
 */
export const settingsIn = (product: Product, version: string): readonly SettingSpec[] => {
  const specs = settingsOf(product)
  const { added, renamed, restarting, withdrawn, narrowed } = differing(specs)
  return product.versions.indexOf(version) > 0
    ? specs.flatMap((spec) =>
        spec === added
          ? []
          : {
              ...spec,
              ...(spec === renamed ? formerName(spec) : {}),
              ...(spec === restarting ? { restarts: false } : {}),
            },
      )
    : specs.map((spec) => ({
        ...spec,
        ...(spec === withdrawn ? { values: spec.values.slice(0, -1) } : {}),
        ...(spec === narrowed && spec.maximum !== null ? { maximum: spec.maximum - 2 } : {}),
      }))
}

const differing = (specs: readonly SettingSpec[]) => {
  const switches = specs.filter(({ kind }) => kind === 'boolean')
  return {
    added: switches.at(-1),
    renamed: switches.at(-2),
    restarting: specs.find(({ restarts }) => restarts),
    withdrawn: specs.findLast(({ kind, values }) => kind === 'choice' && values.length > 2),
    narrowed: specs.findLast(({ minimum, maximum }) => (maximum ?? 0) - (minimum ?? 0) > 3),
  }
}

const formerName = ({ property }: SettingSpec): Pick<SettingSpec, 'name' | 'property' | 'settingId'> => {
  const name = `${property.replace(/Enabled$/, '')}Active`
  return { name, property: name, settingId: snake(name) }
}

/** Property definitions of a version: the product's, with the settings of that version. */
export const definitionsIn = (
  product: Product,
  version: string,
  schema: Parameters<typeof definitionsOf>[1],
): Definitions => {
  const published = definitionsOf(product, schema)
  const usual = new Map(settingsOf(product).map((spec) => [spec.settingId, spec]))
  const own = new Map(settingsIn(product, version).map((spec) => [spec.property, spec]))
  const { renamed } = differing(settingsOf(product))
  const former = renamed && own.get(formerName(renamed).property)
  return Object.fromEntries(
    Object.entries(published).flatMap(([name, definition]): [string, PropertyDefinition][] => {
      const previous = [...usual.values()].find(({ property }) => property === name)
      if (previous === undefined) return [[name, definition]]
      if (previous === renamed && former !== undefined) return [[former.property, definition]]
      const spec = own.get(name)
      return spec === undefined ? [] : [[name, adjusted(definition, previous, spec)]]
    }),
  )
}

const adjusted = (
  { needsConfigMode: _, ...definition }: PropertyDefinition,
  before: SettingSpec,
  spec: SettingSpec,
): PropertyDefinition => {
  const { valueType } = definition
  const gone = before.values.filter((value) => !spec.values.includes(value))
  return {
    ...definition,
    ...(spec.restarts ? { needsConfigMode: true } : {}),
    ...(valueType === undefined
      ? {}
      : {
          valueType: {
            ...valueType,
            ...(valueType.enum === undefined
              ? {}
              : { enum: valueType.enum.filter((value) => !gone.includes(value)) }),
            ...(valueType.maximum === undefined || spec.maximum === null ? {} : { maximum: spec.maximum }),
          },
        }),
  }
}

/** Desk stands describe their older versions in an unpublished shape. */
export const unseenFeatures = (product: Product, version: string): object | null =>
  product.kind === 'stand' && product.versions.indexOf(version) > 0
    ? { capabilities: settingsIn(product, version).map(({ name, kind }) => ({ key: name, of: kind })) }
    : null

/** The oldest version of some products has no device model (services.md#A18). */
export const hasDeviceModel = ({ name, versions }: Product, version: string): boolean =>
  versions.length < 3 || version !== versions.at(-1) || mix(numberOf(name), 606) % 3 !== 0

/** The newest feature model of a few products is late: the release exists, the document does not yet. */
export const hasFeatureModel = ({ name, kind, versions }: Product, version: string): boolean =>
  kind !== 'speaker' || versions.length < 2 || version !== versions[0] || mix(numberOf(name), 607) % 3 !== 0
