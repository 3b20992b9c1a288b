import type {
  Access,
  DefinitionItem,
  DocumentKind,
  PropertyDefinition,
} from '../../contract/api/definitions.ts'
import { foldedName, type Json, type JsonObject } from '../../contract/json.ts'
import { labelFrom, type DisplayNames } from '../../contract/setting-name.ts'
import {
  maximumLengthNames,
  maximumNames,
  minimumLengthNames,
  minimumNames,
  restartNames,
} from './definition-json.ts'
import {
  booleanOf,
  entriesOf,
  firstOf,
  listOf,
  memberOf,
  numberOf,
  objectOf,
  scalarTextOf,
  jsonText,
  wordIn,
} from './json-reading.ts'
import { featureRecordsOf, isEmptyFeatureModel, isEmptyModel, modelRecordsOf } from './model-json.ts'

const labelNames = ['displayName', 'label', 'title', 'humanName', 'friendlyName']
const groupNames = ['groupName', 'group']
const unitNames = ['unit', 'units']
const defaultNames = ['default', 'defaultValue', 'factoryDefault']
const allowedNames = ['allowedValues', 'possibleValues', 'supportedValues', 'values', 'enum']
const accessNames = ['settingAccess', 'access']
const nameNames = ['name', 'settingId', 'commandId', 'attributeId', 'eventId', 'id', 'key']

/**
 * Single values of a list, as received: the text "1" and the number 1 differ. Records have theirs as `key` or
 * `value` (services.md#A14).
 */
const valuesIn = (json: Json | undefined): DefinitionItem['allowed'] =>
  listOf(json).flatMap((item) => {
    const record = objectOf(item)
    const value =
      record === null ? item : (jsonText(memberOf(record, 'key')) ?? memberOf(record, 'value', 'key'))
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [value] : []
  })

const first = (record: JsonObject, names: readonly string[]): Json | undefined =>
  names.map((name) => memberOf(record, name)).find((value) => value !== undefined)

/** Members that most records have under the same names. `label` null: the record has no display name. */
function described(
  record: JsonObject,
  name: string,
): Omit<DefinitionItem, 'label'> & { label: string | null } {
  const number = (names: readonly string[]): number | null => firstOf(record, names, numberOf)
  return {
    name,
    label: firstOf(record, labelNames, jsonText),
    aliases: [],
    group: firstOf(record, groupNames, jsonText),
    type: firstOf(record, ['type', 'valueType'], scalarTextOf),
    allowed: valuesIn(first(record, allowedNames)),
    minimum: number(minimumNames),
    maximum: number(maximumNames),
    minLength: number(minimumLengthNames),
    maxLength: number(maximumLengthNames),
    unit: firstOf(record, unitNames, scalarTextOf),
    default: first(record, defaultNames) ?? null,
    access: accessOf(firstOf(record, accessNames, jsonText)),
    restarts: firstOf(record, ['needsConfigMode', ...restartNames], booleanOf),
    members: {},
  }
}

/** `ReadWrite`, `ReadOnly`, `read, write` (observed: the first two). */
const accessOf = (word: string | null): readonly Access[] =>
  (['read', 'write', 'event', 'execute'] as const).filter((one) => word?.toLowerCase().includes(one) === true)

/**
 * Whether a document without items is empty. False: its shape is not understood. The shape of a Jose definition
 * is never unknown.
 */
export const isEmptyDocument: Readonly<Record<DocumentKind, (raw: Json) => boolean>> = {
  properties: () => true,
  'device-model': isEmptyModel,
  'feature-model': isEmptyFeatureModel,
  jose: () => true,
  'jose-v1': () => true,
  'property-map': (raw) => isWithoutEntries(memberOf(objectOf(raw) ?? {}, 'mapping')),
  'name-map': (raw) => isWithoutEntries(raw),
}
const isWithoutEntries = (json: Json | undefined): boolean => entriesOf(json)?.length === 0

const byName = (items: readonly DefinitionItem[]): readonly DefinitionItem[] =>
  items.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** Members of a value type that occur in an item's own members. */
const readOfValueType = new Set(
  ['type', 'enum', ...unitNames, ...defaultNames, ...minimumNames, ...maximumNames]
    .concat(minimumLengthNames, maximumLengthNames)
    .map(foldedName),
)

export const propertyItems = (
  properties: readonly PropertyDefinition[],
  names: DisplayNames,
): readonly DefinitionItem[] =>
  byName(
    properties.map((one): DefinitionItem => {
      const record = objectOf(one.raw) ?? {}
      const valueType = objectOf(memberOf(record, 'valueType')) ?? {}
      const own = described(record, one.name)
      const typed = described(valueType, one.name)
      const inside = Object.entries(valueType).filter(([name]) => !readOfValueType.has(foldedName(name)))
      return {
        ...own,
        label: own.label ?? typed.label ?? labelFrom(names, one.name),
        type: one.type,
        allowed: typed.allowed.length > 0 ? typed.allowed : own.allowed,
        minimum: one.minimum,
        maximum: one.maximum,
        minLength: one.minLength,
        maxLength: one.maxLength,
        unit: typed.unit ?? own.unit,
        default: typed.default ?? own.default,
        access: (['read', 'write', 'event', 'execute'] as const).filter((access) => one[access]),
        restarts: one.restarts,
        members: {
          ...(inside.length > 0 ? { structure: Object.fromEntries(inside) } : {}),
          ...(one.understood ? {} : { value: one.raw }),
        },
      }
    }),
  )

export const deviceModelItems = (raw: Json, names: DisplayNames): readonly DefinitionItem[] =>
  byName(
    modelRecordsOf(raw).map(({ setting, record, means }) => {
      const own = described(record, setting.id)
      return {
        ...own,
        label: own.label ?? labelFrom(names, setting.id, ...setting.properties),
        aliases: setting.properties,
        group: setting.group,
        type: setting.type,
        access: means === 'access' ? own.access : [means],
      }
    }),
  )

/**
 * A setting has the name of the management interface if the model maps one to it. Limits of a text refer to
 * its length.
 */
export const featureModelItems = (raw: Json, names: DisplayNames): readonly DefinitionItem[] =>
  byName(
    featureRecordsOf(raw).map(({ setting, record }) => {
      const own = described(record, setting.name ?? setting.id)
      return {
        ...own,
        label: own.label ?? labelFrom(names, setting.name ?? setting.id, setting.id),
        aliases: [setting.id],
        type: own.type ?? (setting.kind === 'other' ? null : setting.kind),
      }
    }),
  )

/**
 * Every list or dictionary of the document by its name: the fields of the items are not published, so all
 * their members are compared.
 */
export const joseItems = (raw: JsonObject, names: DisplayNames): readonly DefinitionItem[] =>
  byName(
    Object.entries(raw).flatMap(([group, json]) =>
      (entriesOf(json) ?? []).map(({ key, value }, index): DefinitionItem => {
        const record = objectOf(value)
        const stated = record === null ? wordIn(value) : firstOf(record, nameNames, wordIn)
        const name = key ?? stated ?? `#${index + 1}`
        const own = described(record ?? {}, name)
        const others = Object.entries(record ?? (key === null ? {} : { value }))
        return {
          ...own,
          label: own.label ?? labelFrom(names, name),
          group,
          members: Object.fromEntries(
            others.filter(([member, one]) => !(nameNames.includes(member) && one === name)),
          ),
        }
      }),
    ),
  )

export interface SettingTitle {
  readonly name: string
  readonly label: string | null
  readonly group: string | null
}
type Said = Omit<SettingTitle, 'name'>

/**
 * The labels and groups of settings in a product's documents, by every name a setting has. The feature model
 * takes precedence, then the device model, then its properties.
 */
export function settingTitlesOf(
  deviceModel: Json | null,
  featureModel: Json | null,
  properties: readonly PropertyDefinition[],
): readonly SettingTitle[] {
  const ofProperty = new Map(
    properties.map((one) => {
      const record = objectOf(one.raw) ?? {}
      return [
        foldedName(one.name),
        firstSaid(saidIn(record), saidIn(objectOf(memberOf(record, 'valueType')) ?? {})),
      ]
    }),
  )
  const models = (deviceModel === null ? [] : modelRecordsOf(deviceModel)).map(({ setting, record }) => ({
    setting,
    said: firstSaid(
      { ...saidIn(record), group: setting.group ?? saidIn(record).group },
      ...setting.properties.map((name) => ofProperty.get(foldedName(name))),
    ),
  }))
  const ofModel = new Map(models.toReversed().map(({ setting, said }) => [foldedName(setting.id), said]))
  const features = featureModel === null ? [] : featureRecordsOf(featureModel)
  return [
    ...features.map(({ setting, record }) => ({
      name: setting.name ?? setting.id,
      ...firstSaid(
        saidIn(record),
        ofModel.get(foldedName(setting.id)),
        ofProperty.get(foldedName(setting.name ?? setting.id)),
      ),
    })),
    ...models.flatMap(({ setting, said }) =>
      [setting.id, ...setting.properties].map((name) => ({ name, ...said })),
    ),
    ...[...ofProperty].map(([name, said]) => ({ name, ...said })),
  ].filter(({ label, group }) => label !== null || group !== null)
}

const saidIn = (record: JsonObject): Said => ({
  label: firstOf(record, labelNames, jsonText),
  group: firstOf(record, groupNames, jsonText),
})
const firstSaid = (...said: readonly (Said | undefined)[]): Said => ({
  label: said.map((one) => one?.label ?? null).find((label) => label !== null) ?? null,
  group: said.map((one) => one?.group ?? null).find((group) => group !== null) ?? null,
})

const mapped = (name: string, label: string, value: Json): DefinitionItem => ({
  ...described({}, name),
  label,
  members: { value },
})

export const propertyMapItems = (
  map: ReadonlyMap<string, string>,
  names: DisplayNames,
): readonly DefinitionItem[] =>
  byName([...map].map(([name, protocolName]) => mapped(name, labelFrom(names, name), protocolName)))

/**
 * The name map's record is not published: taken are every name that is mapped to a text, and every record
 * with a name.
 */
export function nameMapItems(raw: Json): readonly DefinitionItem[] {
  const names = displayNamesOf(raw)
  return byName(nameEntries(raw).map(({ name, value }) => mapped(name, labelFrom(names, name), value)))
}

/** Display names in the name map: from its own records, and texts that look like display names. */
export function displayNamesOf(raw: Json): DisplayNames {
  const found = new Map<string, string>()
  for (const { name, value } of nameEntries(raw)) {
    const record = objectOf(value)
    const label =
      record === null
        ? typeof value === 'string' && isWritten(value)
          ? value
          : null
        : firstOf(record, labelNames, jsonText)
    const ids = record === null ? [] : [firstOf(record, ['settingId', 'id'], jsonText)]
    for (const one of [name, ...ids])
      if (label !== null && one !== null && !found.has(foldedName(one))) found.set(foldedName(one), label)
  }
  // A name that is mapped to an id gets the id's display name.
  for (const { name, value } of nameEntries(raw)) {
    const label = typeof value === 'string' ? found.get(foldedName(value)) : undefined
    if (label !== undefined && !found.has(foldedName(name))) found.set(foldedName(name), label)
  }
  return found
}

/** Several words, or one capitalized word; `SOUND_MODE` and `soundMode` are ids. */
const isWritten = (text: string): boolean => /\s/.test(text.trim()) || /^\p{Lu}\p{Ll}+$/u.test(text.trim())

/** Depth to which nested maps are read. Raise it if real maps are deeper. */
const deepestMap = 4

function nameEntries(json: Json, depth = 1): readonly { readonly name: string; readonly value: Json }[] {
  if (depth > deepestMap) return []
  return (entriesOf(json) ?? []).flatMap(({ key, value }) => {
    const record = objectOf(value)
    if (key !== null && (typeof value === 'string' || typeof value === 'number'))
      return [{ name: key, value }]
    if (record === null) return Array.isArray(value) ? nameEntries(value as Json, depth + 1) : []
    const labelled = labelNames.some((name) => memberOf(record, name) !== undefined)
    const own = firstOf(record, nameNames, jsonText)
    if (labelled && (key ?? own) !== null) return [{ name: key ?? own ?? '', value }]
    return key === null && own !== null ? [{ name: own, value }] : nameEntries(value, depth + 1)
  })
}
