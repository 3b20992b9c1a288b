import type {
  FeatureSetting,
  PropertyDefinition,
  ProductDefinitions,
} from '../../electron/contract/api/definitions.ts'
import { words } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { typeWords } from '../settings/difference-lines.ts'
import { anyOf, limitsInCell, limitsOf, restartWord } from '../settings/property-text.ts'
import { valueWords } from '../settings/setting-text.ts'

type Restarts = { readonly restarts: boolean | null }
export const restarts = words<Restarts>(
  (row) =>
    row.restarts === true
      ? text('definitions.properties.restart')
      : row.restarts === false
        ? restartWord(false)
        : null,
  { isQuiet: (row) => row.restarts !== true },
)
const titled = <Row>(of: (row: Row) => string | null) => words<Row>(of, { title: of })
type LabelOf = (name: string) => string
const listed = (values: readonly string[]): string | null => values.join(', ') || null

export type PropertyColumn = 'label' | 'name' | 'type' | 'allowed' | 'access' | 'restarts'
const typeOf = ({ understood, type, allowed, execute }: PropertyDefinition): string => {
  if (!understood) return text('definitions.properties.asReceived')
  return type === null
    ? text(`definitions.properties.${execute ? 'command' : 'notSaid'}`)
    : typeWords(type, allowed)
}
const accessOf = (property: PropertyDefinition): string | null =>
  (['read', 'write', 'event', 'execute'] as const)
    .filter((mark) => property[mark])
    .map((mark) => text(`definitions.properties.${mark}`))
    .join(', ') || null
const allowedBy =
  (limits: typeof limitsOf) =>
  (property: PropertyDefinition): string | null => {
    if (!property.understood) return JSON.stringify(property.raw)
    return (
      limits({ ...property, allowed: property.allowed.map(valueWords) }) ??
      (property.type === null ? null : anyOf(property.type))
    )
  }
const allowedOf = allowedBy(limitsOf)
const allowed = words<PropertyDefinition>(allowedBy(limitsInCell), {
  title: (property) => (property.understood ? listed(property.allowed) : JSON.stringify(property.raw)),
  isQuiet: (property) => property.understood && limitsOf(property) === null,
})
export const propertyWords = (property: PropertyDefinition): string =>
  `${typeOf(property)} ${allowedOf(property) ?? ''}`
const propertyColumn = columnsOf<PropertyDefinition, PropertyColumn>('definitions.properties')
export const propertyColumns = (
  labelOf: LabelOf,
): readonly GridColumn<PropertyDefinition, PropertyColumn>[] => [
  propertyColumn(
    'label',
    204,
    1,
    titled(({ name }) => labelOf(name)),
    { grow: 3, look: 'strong' },
  ),
  propertyColumn(
    'name',
    200,
    2,
    titled(({ name }) => name),
    { grow: 3, look: 'mono dim' },
  ),
  propertyColumn('type', 104, 4, words(typeOf, { title: ({ type }) => type }), { look: 'dim' }),
  propertyColumn('allowed', 150, 3, allowed, { grow: 3 }),
  propertyColumn('access', 136, 5, words(accessOf), { look: 'dim' }),
  propertyColumn('restarts', 90, 6, restarts),
]
const restartsOf = (row: Restarts): string => restartWord(row.restarts)
/** For files as the service spells it, and in full. */
export const propertyValues = (labelOf: LabelOf) => ({
  label: ({ name }: PropertyDefinition) => labelOf(name),
  name: (row: PropertyDefinition) => row.name,
  type: (row: PropertyDefinition) => row.type ?? typeOf(row),
  allowed: (row: PropertyDefinition) => listed(row.allowed) ?? allowedOf(row),
  access: accessOf,
  restarts: restartsOf,
})

export type FeatureColumn = 'label' | 'id' | 'name' | 'kind' | 'supported' | 'restarts'
const supportedBy =
  (limits: typeof limitsOf) =>
  (setting: FeatureSetting): string | null =>
    limits({
      allowed: setting.supported.map(valueWords),
      minimum: setting.minimum,
      maximum: setting.maximum,
      minLength: null,
      maxLength: null,
    })
const kindOf = (setting: FeatureSetting): string => text(`definitions.featureModel.kinds.${setting.kind}`)
const nameOf = words<FeatureSetting>((row) => row.name ?? text('definitions.featureModel.noName'), {
  isQuiet: (row) => row.name === null,
})
const featureColumn = columnsOf<FeatureSetting, FeatureColumn>('definitions.featureModel')
export const featureColumns = (labelOf: LabelOf): readonly GridColumn<FeatureSetting, FeatureColumn>[] => [
  featureColumn(
    'label',
    170,
    1,
    titled(({ id }) => labelOf(id)),
    { grow: 2, look: 'strong' },
  ),
  featureColumn(
    'id',
    170,
    2,
    titled(({ id }) => id),
    { grow: 2, look: 'mono dim' },
  ),
  featureColumn('name', 150, 4, nameOf, { grow: 2 }),
  featureColumn('kind', 84, 5, words(kindOf), { look: 'dim' }),
  featureColumn(
    'supported',
    150,
    3,
    words(supportedBy(limitsInCell), { title: (row) => listed(row.supported) }),
    {
      grow: 2,
    },
  ),
  featureColumn('restarts', 90, 6, restarts),
]
export const featureValues = (labelOf: LabelOf) => ({
  label: ({ id }: FeatureSetting) => labelOf(id),
  id: (row: FeatureSetting) => row.id,
  name: (row: FeatureSetting) => row.name,
  kind: kindOf,
  supported: (row: FeatureSetting) => listed(row.supported) ?? supportedBy(limitsOf)(row),
  restarts: restartsOf,
})

export type ModelColumn =
  | 'label'
  | 'id'
  | 'group'
  | 'type'
  | 'possibleValues'
  | 'properties'
  | 'access'
  | 'restarts'
type ModelSetting = NonNullable<ProductDefinitions['deviceModel']>['settings'][number]
const modelColumn = columnsOf<ModelSetting, ModelColumn>('definitions.deviceModel')
export const modelColumns = (labelOf: LabelOf): readonly GridColumn<ModelSetting, ModelColumn>[] => [
  modelColumn(
    'label',
    170,
    1,
    titled(({ id }) => labelOf(id)),
    { grow: 2, look: 'strong' },
  ),
  modelColumn(
    'id',
    170,
    2,
    titled(({ id }) => id),
    { grow: 2, look: 'mono dim' },
  ),
  modelColumn(
    'group',
    110,
    6,
    words((row) => row.group),
    { look: 'dim' },
  ),
  modelColumn(
    'type',
    104,
    4,
    words((row) => row.type && typeWords(row.type, row.possibleValues), { title: (row) => row.type }),
    { look: 'dim' },
  ),
  modelColumn(
    'possibleValues',
    150,
    3,
    words((row) => listed(row.possibleValues.map(valueWords)), {
      title: (row) => listed(row.possibleValues),
    }),
    { grow: 2 },
  ),
  modelColumn(
    'properties',
    140,
    5,
    titled((row) => listed(row.properties)),
    { grow: 2, look: 'dim' },
  ),
  modelColumn(
    'access',
    96,
    7,
    words((row) => row.access),
    { look: 'dim' },
  ),
  modelColumn('restarts', 90, 8, restarts),
]
export const modelValues = (labelOf: LabelOf) => ({
  label: ({ id }: ModelSetting) => labelOf(id),
  id: (row: ModelSetting) => row.id,
  group: (row: ModelSetting) => row.group,
  type: (row: ModelSetting) => row.type,
  possibleValues: (row: ModelSetting) => listed(row.possibleValues),
  properties: (row: ModelSetting) => listed(row.properties),
  access: (row: ModelSetting) => row.access,
  restarts: restartsOf,
})
