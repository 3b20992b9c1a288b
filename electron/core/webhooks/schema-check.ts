import {
  dereference,
  escapePointer,
  format,
  ignoredKeyword,
  schemaArrayKeyword,
  schemaKeyword,
  schemaMapKeyword,
  validate,
  type OutputUnit,
  type Schema,
  type SchemaDraft,
} from '@cfworker/json-schema'
import { isJsonObject, type Json, type JsonObject } from '../../contract/json.ts'
import type { WebhookCheck, WebhookCheckRequest } from '../../contract/api/webhooks.ts'
import { parseJsonText, unusable } from './json-text.ts'
import { schemaOfSchemas } from './schema-of-schemas.ts'

/** Maximum of problems and notes shown. Raise it if people read more. */
const visibleAtMost = { problems: 200, notChecked: 50, sentence: 300, value: 60 } as const

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Keywords that the library checks although its tables do not list them. */
const furtherKeywords = words('dependencies minContains maxContains $recursiveRef $recursiveAnchor')
/** Keywords without requirements for a payload (JSON Schema's annotations; `example` is OpenAPI's). */
const annotations = words(
  '$schema $id id $anchor $comment $vocabulary default title description examples example deprecated readOnly writeOnly contentMediaType contentEncoding contentSchema',
)
/**
 * Keywords for which the library first reports that a part does not match, and then the reason: the second
 * report is enough.
 */
const carriers = words(
  '$ref $recursiveRef allOf if properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems dependentSchemas',
)
/** Keywords for which the value found is clearer than the library's sentence. */
const showsValue = words('type enum const pattern format')

class Unusable extends Error {}

/**
 * Checks a payload against a JSON Schema file (draft 4 to 2020-12). Schema keywords that are not supported
 * are reportedand never skipped silently; `$ref` never causes a request. Never throws, but may run forever:
 * run it where it can be stopped.
 */
export function checkPayload(given: WebhookCheckRequest): WebhookCheck {
  const schema = parseJsonText(given.schema)
  if (schema.problem !== null) return unusable('schema', schema.problem)
  const payload = parseJsonText(given.payload)
  if (payload.problem !== null) return unusable('payload', payload.problem)
  try {
    return checked(schemaIn(schema.value), payload.value)
  } catch (error) {
    if (error instanceof Unusable) return unusable('schema', error.message)
    if (error instanceof RangeError)
      return unusable('schema', 'The schema refers to itself without end, or finds too many problems.')
    return unusable('schema', `The schema cannot be used: ${String(error).replace(/\n.*/s, '')}`)
  }
}

const isKeyword = (name: string): boolean =>
  furtherKeywords.has(name) ||
  [ignoredKeyword, schemaKeyword, schemaArrayKeyword, schemaMapKeyword].some((table) =>
    Object.hasOwn(table, name),
  )

/** Throws Unusable if it is not a schema. */
function schemaIn(value: Json): Schema {
  if (!isJsonObject(value)) throw new Unusable('A schema must be a JSON object.')
  if (!Object.keys(value).some((name) => isKeyword(name) && !annotations.has(name)))
    throw new Unusable('This JSON contains no keywords of JSON Schema. Check that it is the schema file.')
  const [wrong] = leaves(validate(value, schemaOfSchemas, '2020-12', undefined, false).errors)
  if (wrong) throw new Unusable(`${pointerOf(wrong)} in the schema is not allowed by JSON Schema.`)
  return value
}

function checked(root: Schema, payload: Json): WebhookCheck {
  const { notChecked, lookup, draft } = surveyOf(root)
  const each = Array.isArray(payload) && isForOneObject(root, lookup)
  const values: readonly (readonly [string, Json])[] = each
    ? (payload as readonly Json[]).map((event, index) => [`#/${index}`, event])
    : [['#', payload]]
  const found = values.flatMap(([at, value]) =>
    leaves(validate(value, root, draft, lookup, false, null, at).errors),
  )
  return {
    fits: found.length === 0,
    checked: each ? 'each-event' : 'payload',
    problems: found.slice(0, visibleAtMost.problems).map((unit) => ({
      place: pointerOf(unit),
      message: sentenceOf(unit, payload, expectedBy(unit, root, lookup)),
    })),
    leftOut: Math.max(0, found.length - visibleAtMost.problems),
    notChecked: notChecked.slice(0, visibleAtMost.notChecked),
    unusable: null,
  }
}

type Lookup = Record<string, Schema | boolean>

/**
 * Examines the whole schema before the payload is checked: unknown keywords are noted, invalid ones end the
 * check.
 */
function surveyOf(root: Schema): {
  readonly notChecked: readonly string[]
  readonly lookup: Lookup
  readonly draft: SchemaDraft
} {
  const lookup = dereference(root)
  const notChecked: string[] = []
  let draft = draftOf(root.$schema)
  const open: (readonly [pointer: string, schema: unknown])[] = [['', root]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [pointer, schema] = next
    if (!isJsonObject(schema)) continue
    for (const [name, value] of Object.entries(schema)) {
      const at = `${pointer}/${escapePointer(name)}`
      if (!isKeyword(name)) {
        if (!annotations.has(name) && !name.startsWith('x-')) notChecked.push(at)
      } else if (Array.isArray(value)) {
        if (Object.hasOwn(schemaArrayKeyword, name))
          open.push(...value.map((inner, index) => [`${at}/${index}`, inner] as const))
      } else if (Object.hasOwn(schemaMapKeyword, name) || name === 'dependencies') {
        for (const [segment, inner] of Object.entries(value as JsonObject)) {
          if (name === 'patternProperties' && !isPattern(segment, 'u')) throw new Unusable(unreadable(at))
          open.push([`${at}/${escapePointer(segment)}`, inner])
        }
      } else if (Object.hasOwn(schemaKeyword, name)) open.push([at, value])
      // Only draft 4 has `exclusiveMinimum: true` beside `minimum`.
      else if (name.startsWith('exclusive') && typeof value === 'boolean') draft = '4'
      if (name === 'format' && !Object.hasOwn(format, value as string))
        notChecked.push(`${at} (${shortened(value as string)})`)
      if (name === 'pattern' && !isPattern(value as string, 'u')) {
        if (!isPattern(value as string, '')) throw new Unusable(unreadable(at))
        // The library reads patterns only in Unicode mode, which accepts fewer of them.
        notChecked.push(at)
        Reflect.deleteProperty(schema, name)
      }
      const target = name === '$ref' ? (schema as Schema).__absolute_ref__ : undefined
      if (target === undefined || target in lookup) continue
      const reference = shortened(value as string)
      if (reference.startsWith('#'))
        throw new Unusable(`The schema refers to ${reference}, which it does not contain.`)
      notChecked.push(`${at} (${reference})`)
      lookup[target] = true
    }
  }
  return { notChecked, lookup, draft }
}

const unreadable = (at: string): string => `${at} in the schema is not allowed by JSON Schema.`
const shortened = (text: string): string => text.slice(0, visibleAtMost.sentence)

function isPattern(text: string, flags: 'u' | ''): boolean {
  try {
    return new RegExp(text, flags) instanceof RegExp
  } catch {
    return false
  }
}

/**
 * A schema without a stated draft is read as the newest. Up to draft 7 all members beside a `$ref` are
 * ignored.
 */
function draftOf(dialect: unknown): SchemaDraft {
  if (typeof dialect !== 'string') return '2020-12'
  if (/draft-0[34]/.test(dialect)) return '4'
  if (/draft-0[67]/.test(dialect)) return '7'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}

/** Events come in lists and a schema may describe a single one (neither is published). */
function isForOneObject(root: Schema, lookup: Lookup): boolean {
  let schema: Schema | boolean | undefined = root
  for (let turn = 0; turn < 10 && typeof schema === 'object'; turn += 1) {
    if (schema.$ref === undefined || schema.type !== undefined) break
    schema = lookup[schema.__absolute_ref__ ?? '']
  }
  if (typeof schema !== 'object') return false
  const { type, properties, required } = schema
  if (type === undefined) return properties !== undefined || Array.isArray(required)
  return type === 'object' || (Array.isArray(type) && type.includes('object') && !type.includes('array'))
}

/** The innermost problems; for alternatives, those of the closest one. */
function leaves(units: readonly OutputUnit[]): OutputUnit[] {
  const selected: OutputUnit[] = []
  for (let index = 0; index < units.length;) {
    const unit = units[index++]!
    const { keyword, keywordLocation } = unit
    if (carriers.has(keyword) || (keyword === 'dependencies' && unit.error.endsWith('schema.'))) continue
    if (keyword === 'minContains' || keyword === 'maxContains')
      // The missing members of each element, before the sentence that counts them.
      while (selected.at(-1)?.keywordLocation.startsWith(keywordLocation.replace(/\w+$/, 'contains/')))
        selected.pop()
    selected.push(unit)
    if (!['anyOf', 'oneOf', 'contains', 'propertyNames'].includes(keyword)) continue
    const inside = `${keywordLocation}/`
    const alternatives = new Map<string, OutputUnit[]>()
    let current: OutputUnit[] = []
    for (; index < units.length; index += 1) {
      const inner = units[index]!
      // For a schema that is `false` the library reports the payload's location as its own.
      if (inner.keyword === 'false') current.push(inner)
      else if (inner.keywordLocation.startsWith(inside)) {
        const name = inner.keywordLocation.slice(inside.length).split('/', 1)[0] ?? ''
        current = alternatives.get(name) ?? []
        alternatives.set(name, current)
        current.push(inner)
      } else break
    }
    if (keyword !== 'anyOf' && !unit.error.includes('(0 matches)')) continue
    const nearest = [...alternatives.values()]
      .map(leaves)
      // An alternative of another type never counts as close.
      .filter(([first]) => first?.keyword !== 'type' || first.instanceLocation !== unit.instanceLocation)
      .sort((one, other) => one.length - other.length)[0]
    selected.push(...(nearest ?? []))
  }
  return selected
}

/** As a JSON pointer; the library gives it as part of an address. */
const pointerOf = ({ instanceLocation }: OutputUnit): string => decodeURIComponent(instanceLocation.slice(1))

/** The schema at the place of a problem: the library gives the path, through every `$ref`. */
function expectedBy({ keywordLocation }: OutputUnit, root: Schema, lookup: Lookup): unknown {
  let here: unknown = root
  for (const segment of keywordLocation.split('/').slice(1)) {
    const name = decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isJsonObject(here)) return undefined
    here = name === '$ref' ? lookup[(here as Schema).__absolute_ref__ ?? ''] : here[name]
  }
  return here
}

function sentenceOf(unit: OutputUnit, payload: Json, expected: unknown): string {
  const sentence = shortened(corrected(unit, expected))
  if (!showsValue.has(unit.keyword)) return sentence
  const found = JSON.stringify(
    pointerOf(unit)
      .split('/')
      .slice(1)
      .reduce<unknown>(
        (value, segment) => (value as JsonObject)[segment.replaceAll('~1', '/').replaceAll('~0', '~')],
        payload,
      ),
  )
  return `${sentence} Found: ${found.length > visibleAtMost.value ? `${found.slice(0, visibleAtMost.value)}…` : found}`
}

/** The library's sentence in plain words, if it is accurate. */
function corrected({ keyword, error }: OutputUnit, expected: unknown): string {
  if (keyword === 'pattern') return `String does not match ${JSON.stringify(expected)}.`
  if (keyword === 'false') return 'Not allowed here.'
  if (keyword === 'maxProperties')
    return error.replace('Instance does not have at least', 'The value has more than')
  if (keyword === 'exclusiveMinimum') return error.replace('less than', 'less than or equal to')
  return error.replace(/^Instance (type )?/, (_, type) => (type ? 'Type ' : 'The value ')).replace('  ', ' ')
}
