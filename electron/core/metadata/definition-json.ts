import type { PropertyDefinition, Stage } from '../../contract/definition.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { booleanOf, documentList, firstOf, listOf, memberOf, numberOf, objectOf, textOf } from './json-reading.ts'

export interface LatestInfo {
  readonly schemaVersion: string | null
  readonly definitionVersion: string
  readonly stage: Stage | null
}

export interface GnpDefinition {
  readonly definitionVersion: string | null
  readonly schemaVersion: string | null
  readonly stage: Stage | null
  /** By name. */
  readonly properties: readonly PropertyDefinition[]
}

/** Specification: array of `{ version }`. Plain texts are read too. null: not a list, or no version in it. */
export function schemaVersionsOf(json: Json): readonly string[] | null {
  const items = documentList(json, 'schemaVersions', 'versions', 'items', 'value')
  const versions = items?.flatMap((item) => textOf(item) ?? firstOf(objectOf(item) ?? {}, ['version', 'schemaVersion'], textOf) ?? [])
  return versions === undefined || versions.length === 0 ? null : versions.map((version) => version.trim())
}

/** Specification: `{ schemaVersion, definitionVersion }`. */
export function latestInfoOf(json: Json): LatestInfo | null {
  const record = objectOf(json)
  const definitionVersion = record === null ? null : firstOf(record, ['definitionVersion', 'version'], textOf)
  if (record === null || definitionVersion === null) return null
  return { schemaVersion: textOf(memberOf(record, 'schemaVersion')), definitionVersion: definitionVersion.trim(), stage: textOf(memberOf(record, 'stage')) }
}

/** Specification: the record with `properties`; the definitions package is the bare dictionary, which is read too. */
export function gnpDefinitionOf(json: Json): GnpDefinition | null {
  const root = objectOf(json)
  if (root === null) return null
  const inside = objectOf(memberOf(root, 'properties'))
  const bare = inside === null && Object.values(root).some((value) => looksLikeDefinition(objectOf(value)))
  if (inside === null && !bare) return null
  return {
    definitionVersion: textOf(memberOf(root, 'definitionVersion')),
    schemaVersion: textOf(memberOf(root, 'schemaVersion')),
    stage: textOf(memberOf(root, 'stage')),
    properties: Object.entries(inside ?? root)
      .flatMap(([name, definition]) => propertyOf(name, definition) ?? [])
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

const looksLikeDefinition = (record: JsonObject | null): boolean =>
  record !== null && ['valueType', 'read', 'write', 'event', 'execute'].some((name) => Object.hasOwn(record, name))

/** One definition (observed in the published package, 2.4): the name is any text, `24HourFormat` and `gatt.batteryLevel` among them (A20). */
export function propertyOf(name: string, json: Json): PropertyDefinition | null {
  const record = objectOf(json)
  if (record === null) return null
  const valueType = objectOf(memberOf(record, 'valueType')) ?? {}
  const limit = (...names: string[]): number | null => firstOf(valueType, names, numberOf) ?? firstOf(record, names, numberOf)
  return {
    name,
    type: textOf(memberOf(valueType, 'type')) ?? textOf(memberOf(record, 'valueType')),
    allowed: wordsIn(memberOf(valueType, 'enum')),
    minimum: limit(...minimumNames),
    maximum: limit(...maximumNames),
    minLength: limit(...minimumLengthNames),
    maxLength: limit(...maximumLengthNames),
    read: present(memberOf(record, 'read')),
    write: present(memberOf(record, 'write')),
    event: present(memberOf(record, 'event')),
    execute: present(memberOf(record, 'execute')),
    // Observed: `true` on 43 of 427, never `false`. Its default is published as false, but a missing word is shown as "not said".
    restarts: firstOf(record, ['needsConfigMode', ...restartNames], booleanOf),
    raw: record,
  }
}

/** Limits go by several names in the definitions, device models and feature models (A15). */
export const minimumNames = ['minimum', 'minValue', 'minimumValue', 'min']
export const maximumNames = ['maximum', 'maxValue', 'maximumValue', 'max']
export const minimumLengthNames = ['minLength', 'minimumLength']
export const maximumLengthNames = ['maxLength', 'maximumLength']
export const restartNames = ['requiresRestart', 'mayResetDevice']

/** Allowed values as words on screen: texts as they are, numbers and booleans as JSON; a value with an inside is no word. */
export const wordsIn = (json: Json | undefined): readonly string[] => listOf(json).flatMap((item) => wordOf(item) ?? [])

export const wordOf = (json: Json | undefined): string | null =>
  json === undefined || json === null || typeof json === 'object' ? null : typeof json === 'string' ? json : JSON.stringify(json)

/** Operations come as a list, an event as an object; `false`, null and an empty list mean there is none. */
const present = (json: Json | undefined): boolean => (Array.isArray(json) ? json.length > 0 : json === true || objectOf(json) !== null)
