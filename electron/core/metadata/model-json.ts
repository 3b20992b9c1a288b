import type {
  DefinitionQuery,
  FeatureSetting,
  ModelSetting,
  PropertyDefinition,
} from '../../contract/api/definitions.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import {
  labelOf,
  maximumLengthNames,
  maximumNames,
  minimumLengthNames,
  minimumNames,
  propertiesOf,
  propertyOf,
  restartNames,
  wordOf,
  wordsIn,
  type DefinitionLabel,
} from './definition-json.ts'
import {
  booleanOf,
  documentRecord,
  entriesOf,
  firstOf,
  idOf,
  listOf,
  memberOf,
  numberOf,
  objectOf,
  objectsIn,
  jsonText,
  textsIn,
} from './json-reading.ts'

export interface DeviceModel extends DefinitionLabel {
  readonly vendorId: number | null
  readonly productId: number | null
  readonly variantType: string | null
  /**
   * May be empty for a real, current firmware (services.md#A10): then no names are published, and none are
   * invented.
   */
  readonly settings: readonly ModelSetting[]
  /** The properties it defines, or names for its settings, commands, attributes and events; each once, by name. */
  readonly properties: readonly PropertyDefinition[]
  /** As received. */
  readonly raw: Json
}

export interface FeatureModel extends DefinitionLabel {
  readonly settings: readonly FeatureSetting[]
  /** As received. */
  readonly raw: Json
}

/** Groups nest (services.md#A11); this parser stops at the same depth as one client. */
const deepest = 16
const nestedIn = ['settings', 'compositeSettings', 'groups', 'children', 'items']

const modelRoot = (json: Json): JsonObject | null =>
  documentRecord(json, (one) => objectOf(memberOf(one, 'device')) !== null) ??
  documentRecord(json, (one) => Object.keys(one).length > 0)

/**
 * Everything is under `device`; any section may be missing (services.md#A11). The record is not
 * published, so an object of another shape is accepted as a model whose content is not understood. null: not
 * an object, or an error report.
 */
export function deviceModelOf(json: Json): DeviceModel | null {
  const root = modelRoot(json)
  if (root === null) return null
  const device = objectOf(memberOf(root, 'device')) ?? root
  const [own, outer] = [labelOf(device), labelOf(root)]
  return {
    definitionVersion: outer.definitionVersion ?? own.definitionVersion,
    schemaVersion: outer.schemaVersion ?? own.schemaVersion,
    stage: outer.stage ?? own.stage,
    vendorId: idOf(memberOf(device, 'vendorId')),
    productId: idOf(memberOf(device, 'productId')),
    variantType: jsonText(memberOf(device, 'variantType')),
    settings: settingSections
      .flatMap((section) => nodesIn(memberOf(device, section), null, 1))
      .map(({ node, id, group }) => modelSetting(node, id, group)),
    properties: modelProperties(root, device),
    raw: json,
  }
}

/**
 * False if the model names another product than the requested one; one public client rejects it as well.
 * Variants are compared ignoring case (services.md#A24).
 */
export function modelIsFor(model: DeviceModel, query: DefinitionQuery): boolean {
  return (
    (model.vendorId ?? query.vendorId) === query.vendorId &&
    (model.productId ?? query.productId) === query.productId &&
    (model.variantType ?? query.variantType).trim().toLowerCase() === query.variantType.trim().toLowerCase()
  )
}

/** The settings, commands, attributes and events of a device model as received. */
export function modelRecordsOf(json: Json): readonly ModelRecord[] {
  const root = modelRoot(json)
  if (root === null) return []
  const device = objectOf(memberOf(root, 'device')) ?? root
  return sections.flatMap(({ names, means }) =>
    names.flatMap((name) =>
      nodesIn(memberOf(device, name), null, 1, [...idNames, 'name']).map(({ node, id, group }) => ({
        setting: modelSetting(node, id, group),
        record: node,
        means,
      })),
    ),
  )
}

/** Whether a device model has known sections and all of them are empty (services.md#A10). */
export function isEmptyModel(json: Json): boolean {
  const root = modelRoot(json)
  const device = objectOf(memberOf(root ?? {}, 'device')) ?? root ?? {}
  return areEmpty(sections.flatMap(({ names }) => names.map((name) => memberOf(device, name))))
}

/** Whether a feature model has settings and all of their lists are empty. */
export function isEmptyFeatureModel(json: Json): boolean {
  const settings = memberOf(featureRoot(json) ?? {}, 'settings')
  return areEmpty([settings]) || areEmpty(Object.values(objectOf(settings) ?? {}))
}

/** At least one list or dictionary, and none with an entry. */
const areEmpty = (lists: readonly (Json | undefined)[]): boolean => {
  const there = lists.filter((one) => one !== undefined)
  return there.length > 0 && there.every((one) => entriesOf(one)?.length === 0)
}

export interface ModelRecord {
  readonly setting: ModelSetting
  readonly record: JsonObject
  /** The operations that its section implies; `access`: those that it states itself. */
  readonly means: 'access' | 'execute' | 'event'
}

const settingSections = ['settings', 'compositeSettings']
const idNames = ['settingId', 'commandId', 'attributeId', 'id']

interface ModelNode {
  readonly node: JsonObject
  readonly id: string
  readonly group: string | null
}

/** The entries of a section and of its groups; a dictionary's keys are the ids that its records omit. */
function nodesIn(
  json: Json | undefined,
  group: string | null,
  depth: number,
  names: readonly string[] = idNames,
): readonly ModelNode[] {
  if (depth > deepest) return []
  return (entriesOf(json) ?? []).flatMap(({ key, value }) => {
    const node = objectOf(value)
    if (node === null) return []
    const id = firstOf(node, names, jsonText) ?? key
    const groupName = firstOf(node, ['groupName'], jsonText) ?? group
    return [
      ...(id === null ? [] : [{ node, id, group }]),
      ...nestedIn.flatMap((name) => nodesIn(memberOf(node, name), groupName, depth + 1, names)),
    ]
  })
}

/** services.md#A13 */
function propertyNamesOf(node: JsonObject): readonly string[] {
  const single = firstOf(node, ['sdkProperty', 'property'], jsonText)
  const several = textsIn(memberOf(node, 'sdkProperties'))
  // A13: an array on settings, a single name on other entries.
  return several.length > 0
    ? several
    : single === null
      ? textsOrNone(memberOf(node, 'sdkProperties'))
      : [single]
}

function modelSetting(node: JsonObject, id: string, group: string | null): ModelSetting {
  return {
    id,
    type: jsonText(memberOf(node, 'type')),
    properties: propertyNamesOf(node),
    possibleValues: listOf(memberOf(node, 'possibleValues')).flatMap((item) => possibleValue(item) ?? []),
    access: jsonText(memberOf(node, 'settingAccess')),
    // A12: missing is "not stated", never "does not restart".
    restarts: firstOf(node, restartNames, booleanOf),
    group: jsonText(memberOf(node, 'groupName')) ?? group,
  }
}

const textsOrNone = (json: Json | undefined): readonly string[] =>
  typeof json === 'string' && json !== '' ? [json] : []

/** A14: items have `key` or `value`, which may be text, boolean or number; their order has no meaning. */
function possibleValue(item: Json): string | null {
  const record = objectOf(item)
  return record === null
    ? wordOf(item)
    : (jsonText(memberOf(record, 'key')) ??
        wordOf(memberOf(record, 'value')) ??
        wordOf(memberOf(record, 'key')))
}

/** Sections of a model (services.md#A11) and the operations that an entry of them allows for its property. */
const sections: readonly {
  readonly names: readonly string[]
  readonly means: 'access' | 'execute' | 'event'
}[] = [
  { names: [...settingSections, 'attributes'], means: 'access' },
  { names: ['commands', 'compositeCommands'], means: 'execute' },
  { names: ['deviceEvents', 'telemetry'], means: 'event' },
]

/** Definitions in the document itself first, then names from its entries. */
function modelProperties(root: JsonObject, device: JsonObject): readonly PropertyDefinition[] {
  const found = new Map<string, PropertyDefinition>()
  for (const { names, means } of sections) {
    for (const { node } of names.flatMap((name) =>
      nodesIn(memberOf(device, name), null, 1, [...idNames, 'name', 'groupName']),
    )) {
      for (const name of propertyNamesOf(node))
        found.set(name, together(found.get(name), named(name, node, means)))
    }
  }
  for (const place of [device, root]) {
    for (const one of propertiesOf(memberOf(place, 'properties', 'propertyDefinitions', 'definitions')))
      found.set(one.name, one)
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function named(name: string, node: JsonObject, means: 'access' | 'execute' | 'event'): PropertyDefinition {
  const access =
    means === 'access' ? (jsonText(memberOf(node, 'settingAccess', 'access')) ?? '').toLowerCase() : ''
  const { possibleValues, restarts } = modelSetting(node, name, null)
  return {
    ...propertyOf(name, node),
    allowed: possibleValues,
    restarts,
    // A12: without an access member neither is stated.
    read: access.includes('read'),
    write: access.includes('write'),
    event: means === 'event',
    execute: means === 'execute',
  }
}

/** A setting and an event may name the same property. */
function together(before: PropertyDefinition | undefined, one: PropertyDefinition): PropertyDefinition {
  if (before === undefined) return one
  return {
    ...before,
    type: before.type ?? one.type,
    allowed: before.allowed.length > 0 ? before.allowed : one.allowed,
    restarts: before.restarts ?? one.restarts,
    read: before.read || one.read,
    write: before.write || one.write,
    event: before.event || one.event,
    execute: before.execute || one.execute,
  }
}

const kinds: Readonly<Record<string, FeatureSetting['kind']>> = {
  listsettings: 'choice',
  stringsettings: 'text',
  numbersettings: 'number',
}

/**
 * services.md#A16: lists of descriptors under `settings`, names of the management interface in `settingIds`.
 * The record is not published, so an object of another shape is accepted as a feature model whose content is
 * not understood. null: not an object, or an error report.
 */
export function featureModelOf(json: Json): FeatureModel | null {
  const root = featureRoot(json)
  return root === null
    ? null
    : { ...labelOf(root), settings: featureEntries(root).map(({ setting }) => setting), raw: json }
}

function featureRoot(json: Json): JsonObject | null {
  const isKnown = (one: JsonObject): boolean =>
    ['settings', 'settingIds'].some((name) => memberOf(one, name) !== undefined)
  return documentRecord(json, isKnown) ?? documentRecord(json, (one) => Object.keys(one).length > 0)
}

/** The settings of a feature model, each with its record as received. */
export const featureRecordsOf = (
  json: Json,
): readonly { readonly setting: FeatureSetting; readonly record: JsonObject }[] => {
  const root = featureRoot(json)
  return root === null ? [] : featureEntries(root)
}

function featureEntries(
  root: JsonObject,
): readonly { readonly setting: FeatureSetting; readonly record: JsonObject }[] {
  const names = settingNames(memberOf(root, 'settingIds'))
  const settings = memberOf(root, 'settings')
  // The name of the list of on/off settings is not known: every list is read, an unknown one as `other`.
  const lists: readonly (readonly [string, Json])[] = Array.isArray(settings)
    ? [['', settings]]
    : Object.entries(objectOf(settings) ?? {})
  return lists.flatMap(([list, items]) => {
    const kind = kinds[list.toLowerCase()] ?? 'other'
    const record = objectOf(items)
    const single = record !== null && descriptorNames.some((name) => memberOf(record, name) !== undefined)
    const entries = single ? [{ key: list, value: items }] : (entriesOf(items) ?? [])
    return entries.flatMap(({ key, value }) => {
      const item = objectOf(value)
      const setting = featureSetting(item, key, kind, names)
      return item === null || setting === null ? [] : [{ setting, record: item }]
    })
  })
}

const descriptorNames = [
  'settingId',
  'supportedValues',
  ...minimumNames,
  ...maximumNames,
  ...minimumLengthNames,
  ...maximumLengthNames,
  ...restartNames,
]

/** Names by setting id: from a dictionary of name to id (services.md#A16), or a list of records with both. */
function settingNames(json: Json | undefined): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const add = (id: Json | undefined, name: string | null): void => {
    if (typeof id === 'string' && name !== null && !names.has(id)) names.set(id, name)
  }
  for (const [name, id] of Object.entries(objectOf(json) ?? {})) add(id, name)
  for (const one of objectsIn(json))
    add(memberOf(one, 'settingId', 'id'), firstOf(one, ['name', 'settingName', 'key'], jsonText))
  return names
}

function featureSetting(
  item: JsonObject | null,
  key: string | null,
  kind: FeatureSetting['kind'],
  names: ReadonlyMap<string, string>,
): FeatureSetting | null {
  const id = item === null ? null : (firstOf(item, ['settingId', 'id'], jsonText) ?? key)
  if (item === null || id === null) return null // A16: an empty id names no setting
  return {
    id,
    name: names.get(id) ?? null,
    kind,
    supported: wordsIn(memberOf(item, 'supportedValues')),
    minimum: firstOf(item, [...minimumNames, ...minimumLengthNames], numberOf),
    maximum: firstOf(item, [...maximumNames, ...maximumLengthNames], numberOf),
    restarts: firstOf(item, restartNames, booleanOf),
  }
}
