import type { Json } from '../../contract/json.ts'
import { objectOf } from './json-reading.ts'

/**
 * The records that the specification describes (services.md#A32), as data, only for `--strict` and the
 * Explorer: parsing itself is tolerant. All fields are required and no others are allowed; enumerations, open
 * elsewhere, are compared here.
 */
type Shape =
  | { readonly of: 'text' | 'int32' | 'boolean' | 'anything' }
  | { readonly of: 'words'; readonly words: readonly string[] }
  | { readonly of: 'list'; readonly item: Shape }
  | { readonly of: 'dictionary'; readonly value: Shape }
  | { readonly of: 'record'; readonly fields: Readonly<Record<string, Shape>> }

const text: Shape = { of: 'text' }
const int32: Shape = { of: 'int32' }
const flag: Shape = { of: 'boolean' }
const anything: Shape = { of: 'anything' }
const words = (...known: readonly string[]): Shape => ({ of: 'words', words: known })
const list = (item: Shape): Shape => ({ of: 'list', item })
const record = (fields: Readonly<Record<string, Shape>>): Shape => ({ of: 'record', fields })

const stages = ['Candidate', 'Test', 'Beta', 'Public'] as const
const stage = words(...stages)

const records: Readonly<Record<string, Shape>> = {
  TelemetrySettings: record({
    thresholdEvents: list(record({ name: text, defaultMinimum: int32, defaultMaximum: int32 })),
    integerStateChangedEvents: list(
      record({ name: text, isAscending: flag, defaultWarningThreshold: int32, defaultErrorThreshold: int32 }),
    ),
    booleanStateChangedEvents: list(record({ name: text, desiredValue: flag })),
    callSummary: record({
      aggregations: list(
        record({
          name: text,
          deviceEventType: text,
          aggregationMethod: words('Min', 'Max', 'Average', 'CountTrue', 'CountFalse'),
        }),
      ),
    }),
  }),
  SchemaVersion: record({ version: text }),
  GnpMapping: record({ mapping: { of: 'dictionary', value: text } }),
  GnpDefinition: record({
    definitionVersion: text,
    schemaVersion: text,
    stage,
    properties: { of: 'dictionary', value: anything },
  }),
  ProtocolVersion: record({ schemaVersion: text, definitionVersion: text }),
  JoseDefinition: record({
    schemaVersion: text,
    definitionVersion: text,
    stage,
    settings: list(anything),
    commands: list(anything),
  }),
}

export interface StrictFindings {
  /** Members, and enumeration values, that the specification does not name: `stage = "Draft"`. */
  readonly unknown: readonly string[]
  /** Specified members that are missing or of another type: `version (text)`. */
  readonly missing: readonly string[]
}

/** Whether the specification describes the record that an operation returns. */
export const isExample = (answer: string | null): boolean =>
  answer !== null && Object.hasOwn(records, nameIn(answer))

const nameIn = (answer: string): string => answer.replace(/^array of /, '')

/**
 * Maximum length of a list in the report, so that a wrong document does not give a long one. Raise it if
 * reports are cut too early.
 */
const findingsAtMost = 200

/**
 * How a response differs from the record in the specification; empty if the record is not described. List
 * indexes are replaced by `[]`.
 */
export function strictFindings(answer: string | null, json: Json): StrictFindings {
  const shape = answer !== null && isExample(answer) ? records[nameIn(answer)] : undefined
  if (answer === null || shape === undefined) return { unknown: [], missing: [] }
  const unknown = new Set<string>()
  const missing = new Set<string>()
  compare(answer.startsWith('array of ') ? list(shape) : shape, json, '', unknown, missing)
  return { unknown: [...unknown], missing: [...missing] }
}

const note = (into: Set<string>, finding: string): void => {
  if (into.size < findingsAtMost) into.add(finding)
}

function compare(
  shape: Shape,
  json: Json | undefined,
  place: string,
  unknown: Set<string>,
  missing: Set<string>,
): void {
  const wrong = (kind: string): void => note(missing, `${place === '' ? 'the document' : place} (${kind})`)
  const within = (name: string): string => (place === '' ? name : `${place}.${name}`)
  switch (shape.of) {
    case 'anything':
      return
    case 'text':
      if (typeof json !== 'string') wrong('text')
      return
    case 'boolean':
      if (typeof json !== 'boolean') wrong('boolean')
      return
    case 'int32':
      if (typeof json !== 'number' || !Number.isInteger(json) || json < -(2 ** 31) || json >= 2 ** 31)
        wrong('int32')
      return
    case 'words':
      if (typeof json !== 'string') wrong('text')
      else if (!shape.words.includes(json)) note(unknown, `${place} = ${JSON.stringify(json.slice(0, 60))}`)
      return
    case 'list':
      if (!Array.isArray(json)) return wrong('list')
      for (const item of json as readonly Json[]) compare(shape.item, item, `${place}[]`, unknown, missing)
      return
    case 'dictionary':
    case 'record': {
      const members = objectOf(json)
      if (members === null) return wrong('object')
      if (shape.of === 'dictionary') {
        for (const value of Object.values(members))
          compare(shape.value, value, `${place}.*`, unknown, missing)
        return
      }
      for (const [name, field] of Object.entries(shape.fields)) {
        if (Object.hasOwn(members, name)) compare(field, members[name], within(name), unknown, missing)
        else note(missing, within(name))
      }
      for (const name of Object.keys(members))
        if (!Object.hasOwn(shape.fields, name)) note(unknown, within(name))
    }
  }
}
