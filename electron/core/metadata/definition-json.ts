import type { PropertyDefinition, Stage } from '../../contract/api/definitions.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import {
  booleanOf,
  documentList,
  documentRecord,
  entriesOf,
  firstOf,
  listOf,
  memberOf,
  numberOf,
  objectOf,
  saysError,
  scalarTextOf,
  textsIn,
  wordIn,
} from './json-reading.ts'

/** What a definition document states about itself, or the record of the latest one about that. */
export interface DefinitionLabel {
  /** null: not stated. */
  readonly definitionVersion: string | null
  /** As received; it should equal the requested one. */
  readonly schemaVersion: string | null
  readonly stage: Stage | null
}

export interface GnpDefinition extends DefinitionLabel {
  /** By name. */
  readonly properties: readonly PropertyDefinition[]
  /** As received. */
  readonly raw: Json
}

const versionNames = ['version', 'schemaVersion']

/**
 * Specification: array of `{ version }`. Plain texts and a dictionary by version are accepted too. null: not
 * a list, or no version in it.
 */
export function schemaVersionsOf(json: Json): readonly string[] | null {
  const list = documentList(json, 'schemaVersions', 'versions', 'items', 'value')
  const root = objectOf(json)
  const dictionary =
    root === null || saysError(root)
      ? []
      : Object.keys(objectOf(memberOf(root, 'schemaVersions', 'versions')) ?? root).filter((key) =>
          /^v?\d+(?:\.\d+)+/i.test(key),
        )
  const versions =
    list === null
      ? dictionary
      : list.flatMap(
          (item) => scalarTextOf(item) ?? firstOf(objectOf(item) ?? {}, versionNames, textVersion) ?? [],
        )
  return versions.length === 0 ? null : versions
}

/**
 * Text only: `{ "version": 3 }` is a count or an error, because every known schema version has three parts.
 */
const textVersion = (json: Json | undefined): string | null =>
  typeof json === 'string' ? scalarTextOf(json) : null

export const labelOf = (record: JsonObject): DefinitionLabel => ({
  definitionVersion: firstOf(record, ['definitionVersion', 'definitionsVersion'], scalarTextOf),
  schemaVersion: firstOf(record, ['schemaVersion'], scalarTextOf),
  stage: firstOf(record, ['stage'], wordIn),
})

/** Specification: `{ schemaVersion, definitionVersion }`. */
export function latestInfoOf(json: Json): DefinitionLabel | null {
  const versionOf = (one: JsonObject): string | null =>
    firstOf(one, ['definitionVersion', 'version'], scalarTextOf)
  const record = documentRecord(json, (one) => versionOf(one) !== null || labelOf(one).schemaVersion !== null)
  return record === null ? null : { ...labelOf(record), definitionVersion: versionOf(record) }
}

/**
 * Specification: the record with `properties`; the bare dictionary of the definitions package is accepted
 * too.
 */
export function gnpDefinitionOf(json: Json): GnpDefinition | null {
  const names = (one: JsonObject): readonly (string | null)[] => [
    labelOf(one).definitionVersion,
    labelOf(one).schemaVersion,
  ]
  const record = documentRecord(
    json,
    (one) =>
      entriesOf(memberOf(one, 'properties')) !== null ||
      names(one).some((name) => name !== null) ||
      isBare(one),
  )
  if (record === null) return null
  const stated = entriesOf(memberOf(record, 'properties')) !== null || !isBare(record)
  return {
    ...labelOf(record),
    properties: propertiesOf(stated ? memberOf(record, 'properties') : record),
    raw: json,
  }
}

const isBare = (record: JsonObject): boolean =>
  Object.values(record).some((value) => looksLikeDefinition(objectOf(value)))

const looksLikeDefinition = (record: JsonObject | null): boolean =>
  record !== null &&
  ['valueType', 'read', 'write', 'event', 'execute'].some((name) => Object.hasOwn(record, name))

/**
 * A dictionary by name (services.md#A32), or a list of definitions with names; the result is by name. One
 * without a name becomes `#1` by its position.
 */
export function propertiesOf(json: Json | undefined): readonly PropertyDefinition[] {
  const named = (entriesOf(json) ?? []).map(({ key, value }, index) => {
    const record = objectOf(value)
    const own =
      record === null ? wordIn(value) : firstOf(record, ['name', 'propertyName', 'property', 'id'], wordIn)
    return propertyOf(key ?? own ?? `#${index + 1}`, value)
  })
  return named.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * One definition (as in the published package): the name is any text, for example `24HourFormat`
 * and `gatt.batteryLevel` (services.md#A20). Its value may have any shape: one that is not an object is
 * stored as received.
 */
export function propertyOf(name: string, json: Json): PropertyDefinition {
  const record = objectOf(json)
  const parts = record ?? {}
  const valueType = objectOf(memberOf(parts, 'valueType')) ?? {}
  const limit = (...names: string[]): number | null =>
    firstOf(valueType, names, numberOf) ?? firstOf(parts, names, numberOf)
  const enumerated = wordsIn(memberOf(valueType, 'enum'))
  return {
    name,
    understood: record !== null,
    type:
      typeOf(memberOf(valueType, 'type')) ??
      typeOf(memberOf(parts, 'valueType')) ??
      typeOf(memberOf(parts, 'type')),
    allowed: enumerated.length > 0 ? enumerated : wordsIn(memberOf(parts, 'enum')),
    minimum: limit(...minimumNames),
    maximum: limit(...maximumNames),
    minLength: limit(...minimumLengthNames),
    maxLength: limit(...maximumLengthNames),
    read: present(memberOf(parts, 'read')),
    write: present(memberOf(parts, 'write')),
    event: present(memberOf(parts, 'event')),
    execute: present(memberOf(parts, 'execute')),
    // services.md#A21: never `false`. Its published default is false, but a missing member is
    // shown as "not stated".
    restarts: firstOf(parts, ['needsConfigMode', ...restartNames], booleanOf),
    raw: json,
  }
}

/** One type, or several: `["string", "null"]`. */
const typeOf = (json: Json | undefined): string | null =>
  typeof json === 'string' ? scalarTextOf(json) : textsIn(json).join(' or ') || null

/** Limits have several names in the definitions, device models and feature models (services.md#A15). */
export const minimumNames = ['minimum', 'minValue', 'minimumValue', 'min']
export const maximumNames = ['maximum', 'maxValue', 'maximumValue', 'max']
export const minimumLengthNames = ['minLength', 'minimumLength']
export const maximumLengthNames = ['maxLength', 'maximumLength']
export const restartNames = ['requiresRestart', 'mayResetDevice']

/**
 * Allowed values as texts for display: texts unchanged, numbers and booleans as JSON; objects and lists are
 * omitted.
 */
export const wordsIn = (json: Json | undefined): readonly string[] =>
  listOf(json).flatMap((item) => wordOf(item) ?? [])

export const wordOf = (json: Json | undefined): string | null =>
  json === undefined || json === null || typeof json === 'object'
    ? null
    : typeof json === 'string'
      ? json
      : JSON.stringify(json)

/** Operations are a list, an event is an object; `false`, null and an empty list mean that there is none. */
const present = (json: Json | undefined): boolean =>
  Array.isArray(json) ? json.length > 0 : json === true || objectOf(json) !== null
