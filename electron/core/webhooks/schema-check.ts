import type { Json, JsonObject } from '../../contract/json.ts'
import type { WebhookCheck } from '../../contract/webhook.ts'
import { readJsonText } from './json-text.ts'
import { boundedPatterns, formats } from './schema-formats.ts'
import { annotations, keywords, type Problem, type Visit } from './schema-keywords.ts'

/** Bounds of one check, so that no file keeps the program busy. Chosen. */
const bounds = {
  problems: 200,
  notChecked: 50,
  inAlternative: 20,
  nearest: 5,
  steps: 200_000,
  levels: 300,
} as const

/**
 * A payload against a JSON Schema file (draft 4 to 2020-12). What the schema asks and is not understood here is told, never silently passed;
 * nothing is fetched for a `$ref`. Never throws.
 */
export function checkPayload(given: { readonly schema: string; readonly payload: string }): WebhookCheck {
  const unusable = (of: 'schema' | 'payload', message: string): WebhookCheck => ({
    ...nothing,
    unusable: { of, message },
  })
  const schema = readJsonText(given.schema)
  if (schema.problem !== null) return unusable('schema', schema.problem)
  const payload = readJsonText(given.payload)
  if (payload.problem !== null) return unusable('payload', payload.problem)
  const root = schema.value
  if (!isObject(root)) return unusable('schema', 'A schema file is an object; this is not.')
  if (!Object.keys(root).some((name) => Object.hasOwn(keywords, name)))
    return unusable(
      'schema',
      'This is JSON, but it asks nothing that JSON Schema knows: is it the schema file?',
    )
  try {
    const survey = surveyOf(root)
    return held(root, payload.value, survey)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return unusable('schema', error.message)
  }
}

const nothing: WebhookCheck = {
  fits: false,
  checked: 'payload',
  problems: [],
  leftOut: 0,
  notChecked: [],
  unusable: null,
}

class Unusable extends Error {}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const escaped = (segment: string | number): string =>
  String(segment).replaceAll('~', '~0').replaceAll('/', '~1')

interface Survey {
  /** Pointers of what is not understood. */
  readonly notChecked: Set<string>
  /** Schemas by their own names, as `#name`. */
  readonly named: ReadonlyMap<string, Json>
  /** Where each schema object stands. */
  readonly pointers: ReadonlyMap<JsonObject, string>
}

/** Goes through the whole schema before any payload is held against it: what is damaged ends the check, what is unknown is noted. */
function surveyOf(root: JsonObject): Survey {
  const notChecked = new Set<string>()
  const named = new Map<string, Json>()
  const pointers = new Map<JsonObject, string>()
  const open: { readonly schema: Json; readonly pointer: string }[] = [{ schema: root, pointer: '' }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema, pointer } = next
    if (!isObject(schema)) continue
    pointers.set(schema, pointer)
    for (const name of [schema['$anchor'], schema['$id'], schema['id']])
      if (typeof name === 'string' && /^#?[\w.-]+$/.test(name)) named.set(`#${name.replace('#', '')}`, schema)
    for (const [name, value] of Object.entries(schema)) {
      const at = `${pointer}/${escaped(name)}`
      const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined
      if (keyword === undefined) {
        if (!annotations.has(name) && !name.startsWith('x-')) notChecked.add(at)
        continue
      }
      if (!keyword.takes(value))
        throw new Unusable(`${at} in the schema is not what JSON Schema allows there.`)
      const text = typeof value === 'string' ? value.slice(0, 200) : ''
      if (name === '$ref' && !text.startsWith('#')) notChecked.add(`${at} (${text})`)
      if (name === 'format' && !Object.hasOwn(formats, text)) notChecked.add(`${at} (${text})`)
      if (keyword.inside === 'schema' || (keyword.inside === 'schema-or-list' && !Array.isArray(value)))
        open.push({ schema: value, pointer: at })
      else if (keyword.inside !== undefined && typeof value === 'object' && value !== null)
        for (const [segment, schemaInside] of Object.entries(value) as [string, Json][])
          open.push({ schema: schemaInside, pointer: `${at}/${escaped(segment)}` })
    }
  }
  return { notChecked, named, pointers }
}

/** The schema that a local `$ref` names; undefined: none. */
function referred(root: JsonObject, reference: string, named: ReadonlyMap<string, Json>): Json | undefined {
  if (named.has(reference)) return named.get(reference)
  if (reference !== '#' && !reference.startsWith('#/')) return undefined
  let here: Json | undefined = root
  for (const segment of reference
    .slice(2)
    .split('/')
    .slice(reference === '#' ? 1 : 0)) {
    const name: string = decoded(segment).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined
    here = (here as Readonly<Record<string, Json>>)[name]
  }
  return here
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function held(root: JsonObject, payload: Json, { notChecked, named, pointers }: Survey): WebhookCheck {
  const matches = boundedPatterns()
  // Up to draft 7 everything beside a $ref is ignored.
  const dialect = root['$schema']
  const refAlone = typeof dialect === 'string' && /draft-0[3-7]/.test(dialect)
  let steps = 0
  const spend = (more: number): void => {
    steps += more
    if (steps > bounds.steps)
      throw new Unusable('Holding this payload against this schema would take too long.')
  }

  const hold = (
    schema: Json,
    value: Json,
    place: string,
    level: number,
    tell: (problem: Problem) => void,
  ): void => {
    spend(1)
    if (level > bounds.levels) throw new Unusable('The schema leads back to itself without end.')
    if (schema === false) return tell({ place, message: 'is not allowed here' })
    if (!isObject(schema)) return
    const at = (segment?: string | number): string =>
      segment === undefined ? place : `${place}/${escaped(segment)}`
    const reference = schema['$ref']
    if (typeof reference === 'string' && reference.startsWith('#')) {
      const target = referred(root, reference, named)
      if (target === undefined)
        throw new Unusable(`The schema refers to ${reference.slice(0, 200)}, which it does not have.`)
      hold(target, value, place, level + 1, tell)
    }
    if (reference !== undefined && refAlone) return
    const visit: Visit = {
      schema,
      say: (message, segment) => tell({ place: at(segment), message }),
      check: (inner, member, segment) => hold(inner, member, at(segment), level + 1, tell),
      problems: (inner, member, segment) => {
        const found: Problem[] = []
        hold(
          inner,
          member,
          at(segment),
          level + 1,
          (problem) => found.length < bounds.inAlternative && found.push(problem),
        )
        return found
      },
      pass: (problems) => problems.slice(0, bounds.nearest).forEach(tell),
      pattern: (pattern, text, keyword) => {
        const matching = matches(pattern, text)
        if (matching === null) notChecked.add(`${pointers.get(schema) ?? ''}/${keyword} (takes too long)`)
        return matching
      },
      spend,
    }
    for (const [name, asked] of Object.entries(schema)) {
      const check = Object.hasOwn(keywords, name) ? keywords[name]?.check : undefined
      check?.(asked, value, visit)
    }
  }

  const problems: Problem[] = []
  let count = 0
  const tell = (problem: Problem): void => {
    count += 1
    if (problems.length < bounds.problems) problems.push(problem)
  }
  const each = Array.isArray(payload) && isForOneObject(root, named)
  if (each) (payload as readonly Json[]).forEach((event, index) => hold(root, event, `/${index}`, 0, tell))
  else hold(root, payload, '', 0, tell)
  return {
    fits: count === 0,
    checked: each ? 'each-event' : 'payload',
    problems,
    leftOut: count - problems.length,
    notChecked: [...notChecked].slice(0, bounds.notChecked),
    unusable: null,
  }
}

/** Events come in lists and a schema may describe one of them (neither is published). */
function isForOneObject(root: JsonObject, named: ReadonlyMap<string, Json>): boolean {
  let schema: Json | undefined = root
  for (
    let turn = 0;
    turn < 10 && isObject(schema) && typeof schema['$ref'] === 'string' && schema['type'] === undefined;
    turn += 1
  )
    schema = referred(root, schema['$ref'], named)
  if (!isObject(schema)) return false
  const { type } = schema
  if (type !== undefined)
    return type === 'object' || (Array.isArray(type) && type.includes('object') && !type.includes('array'))
  return isObject(schema['properties']) || Array.isArray(schema['required'])
}
