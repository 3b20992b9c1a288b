import type { DefinitionQuery, FeatureSetting, ModelSetting } from '../../contract/definition.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { maximumLengthNames, maximumNames, minimumLengthNames, minimumNames, restartNames, wordOf, wordsIn } from './definition-json.ts'
import { booleanOf, firstOf, listOf, memberOf, numberOf, objectOf, objectsIn, textOf, textsIn } from './json-reading.ts'

export interface DeviceModel {
  readonly vendorId: number | null
  readonly productId: number | null
  readonly variantType: string | null
  /** May be empty for a real, current firmware (A10): then nothing is published, and nothing is made up. */
  readonly settings: readonly ModelSetting[]
  readonly raw: JsonObject
}

export interface FeatureModel {
  readonly settings: readonly FeatureSetting[]
  readonly raw: JsonObject
}

/** Observed: groups nest; the reader stops where the known client does. */
const deepest = 16
const nestedIn = ['settings', 'compositeSettings', 'groups', 'children', 'items']

/** Observed (2.8): everything stands under `device`; any section may be missing (A11). null: there is no such object. */
export function deviceModelOf(json: Json): DeviceModel | null {
  const root = objectOf(json)
  const device = root === null ? null : objectOf(memberOf(root, 'device'))
  if (root === null || device === null) return null
  return {
    vendorId: numberOf(memberOf(device, 'vendorId')),
    productId: numberOf(memberOf(device, 'productId')),
    variantType: textOf(memberOf(device, 'variantType')),
    settings: ['settings', 'compositeSettings'].flatMap((section) => settingsIn(memberOf(device, section), null, 1)),
    raw: root,
  }
}

/** False when the model names another product than the one asked for; the known client refuses it as well. Variants compare without regard to case (A24). */
export function modelIsFor(model: DeviceModel, query: DefinitionQuery): boolean {
  return (
    (model.vendorId ?? query.vendorId) === query.vendorId &&
    (model.productId ?? query.productId) === query.productId &&
    (model.variantType ?? query.variantType).toLowerCase() === query.variantType.toLowerCase()
  )
}

function settingsIn(json: Json | undefined, group: string | null, depth: number): readonly ModelSetting[] {
  if (depth > deepest) return []
  return objectsIn(json).flatMap((node) => {
    const id = firstOf(node, ['settingId', 'id'], textOf)
    const own = id === null ? [] : [modelSetting(node, id, group)]
    const groupName = firstOf(node, ['groupName'], textOf) ?? group
    return [...own, ...nestedIn.flatMap((name) => settingsIn(memberOf(node, name), groupName, depth + 1))]
  })
}

function modelSetting(node: JsonObject, id: string, group: string | null): ModelSetting {
  const single = firstOf(node, ['sdkProperty', 'property'], textOf)
  const several = textsIn(memberOf(node, 'sdkProperties'))
  return {
    id,
    type: textOf(memberOf(node, 'type')),
    // A13: an array on settings, a single name on others.
    properties: several.length > 0 ? several : single === null ? textsOrNone(memberOf(node, 'sdkProperties')) : [single],
    possibleValues: listOf(memberOf(node, 'possibleValues')).flatMap((item) => possibleValue(item) ?? []),
    access: textOf(memberOf(node, 'settingAccess')),
    // A12: missing is "not said", never "does not restart".
    restarts: firstOf(node, restartNames, booleanOf),
    group: textOf(memberOf(node, 'groupName')) ?? group,
  }
}

const textsOrNone = (json: Json | undefined): readonly string[] => (typeof json === 'string' && json !== '' ? [json] : [])

/** A14: items carry `key` or `value`, which may be text, boolean or number; their order has no meaning. */
function possibleValue(item: Json): string | null {
  const record = objectOf(item)
  return record === null ? wordOf(item) : (textOf(memberOf(record, 'key')) ?? wordOf(memberOf(record, 'value')) ?? wordOf(memberOf(record, 'key')))
}

const kinds: Readonly<Record<string, FeatureSetting['kind']>> = { listsettings: 'choice', stringsettings: 'text', numbersettings: 'number' }

/** Observed (2.9): lists of descriptors under `settings`, names of the management interface in `settingIds`. null: neither is there. */
export function featureModelOf(json: Json): FeatureModel | null {
  const root = objectOf(json)
  if (root === null) return null
  const lists = objectOf(memberOf(root, 'settings'))
  const ids = objectOf(memberOf(root, 'settingIds'))
  if (lists === null && ids === null) return null
  const names = new Map<string, string>()
  for (const [name, id] of Object.entries(ids ?? {})) {
    if (typeof id === 'string' && !names.has(id)) names.set(id, name)
  }
  // The list of on/off settings is not known by name: any list is read, an unknown one as `other`.
  const settings = Object.entries(lists ?? {}).flatMap(([list, items]) =>
    objectsIn(items).flatMap((item) => featureSetting(item, kinds[list.toLowerCase()] ?? 'other', names) ?? []),
  )
  return { settings, raw: root }
}

function featureSetting(item: JsonObject, kind: FeatureSetting['kind'], names: ReadonlyMap<string, string>): FeatureSetting | null {
  const id = firstOf(item, ['settingId', 'id'], textOf)
  if (id === null) return null // A16: an empty id names nothing
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
