import type { Json, JsonObject } from '../../contract/json.ts'
import { formats, patternOf } from './schema-formats.ts'

/** One schema being held against one value. */
export interface Visit {
  readonly schema: JsonObject
  /** Says a problem here, or at a member of this value. */
  say(message: string, segment?: string | number): void
  /** Holds a schema against this value, or a member of it. Whether it fits is answered, its problems are said. */
  check(schema: Json, value: Json, segment?: string | number): void
  /** As `check`, without saying anything. */
  problems(schema: Json, value: Json, segment?: string | number): readonly Problem[]
  /** Says problems found by `problems`. */
  pass(problems: readonly Problem[]): void
  pattern(pattern: string, text: string, keyword: string): boolean | null
  /** Work that grows with the value. */
  spend(steps: number): void
}
export interface Problem {
  readonly place: string
  readonly message: string
}

interface Keyword {
  /** Whether what is given can be understood. */
  readonly takes: (given: Json) => boolean
  /** Where schemas stand inside it. */
  readonly inside?: 'schema' | 'list' | 'map' | 'schema-or-list'
  readonly check?: (given: Json, value: Json, visit: Visit) => void
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
const isSchema = (given: Json | undefined): boolean => typeof given === 'boolean' || isObject(given)
const isSchemas = (given: Json): boolean => isList(given) && given.length > 0 && given.every(isSchema)
const isMap = (given: Json): given is JsonObject => isObject(given) && Object.values(given).every(isSchema)
const isNames = (given: Json): given is readonly string[] =>
  isList(given) && given.every((name) => typeof name === 'string')
const isCount = (given: Json): boolean => typeof given === 'number' && Number.isInteger(given) && given >= 0
const isNumber = (given: Json): boolean => typeof given === 'number'
const isText = (given: Json): boolean => typeof given === 'string'
const anything = (): boolean => true
const numberIn = (given: Json): number => (typeof given === 'number' ? given : 0)
const textIn = (given: Json): string => (typeof given === 'string' ? given : '')

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}
const typeOf = (value: Json): string => (value === null ? 'null' : isList(value) ? 'array' : typeof value)
const hasType = (value: Json, type: Json): boolean =>
  type === 'integer' ? typeof value === 'number' && Number.isInteger(value) : typeOf(value) === type

/** The same text for equal values, whatever the order of members. */
function canonical(value: Json): string {
  if (isList(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`)
    .join()}}`
}
/** Short enough for a sentence. */
const shown = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}
const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`

/** A rule about texts, numbers, lists or objects says nothing of other values. */
const ofText = (check: (given: Json, value: string, visit: Visit) => void): NonNullable<Keyword['check']> => {
  return (given, value, visit) => {
    if (typeof value !== 'string') return
    visit.spend(value.length / 100)
    check(given, value, visit)
  }
}
const ofNumber = (
  check: (given: number, value: number, visit: Visit) => void,
): NonNullable<Keyword['check']> => {
  return (given, value, visit) => {
    if (typeof value === 'number' && typeof given === 'number') check(given, value, visit)
  }
}
const ofList = (
  check: (given: Json, value: readonly Json[], visit: Visit) => void,
): NonNullable<Keyword['check']> => {
  return (given, value, visit) => {
    if (isList(value)) check(given, value, visit)
  }
}
const ofObject = (
  check: (given: Json, value: JsonObject, visit: Visit) => void,
): NonNullable<Keyword['check']> => {
  return (given, value, visit) => {
    if (isObject(value)) check(given, value, visit)
  }
}
const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** How many leading elements have schemas of their own: `prefixItems`, or `items` as a list (draft 7). */
const tupleOf = (schema: JsonObject): readonly Json[] => {
  const { prefixItems, items } = schema
  return isList(prefixItems) ? prefixItems : isList(items) ? items : []
}
const rest = ofList((given, value, visit) => {
  if (isList(given))
    return given.forEach(
      (schema, index) => index < value.length && visit.check(schema, value[index] ?? null, index),
    )
  for (let index = tupleOf(visit.schema).length; index < value.length; index += 1)
    visit.check(given, value[index] ?? null, index)
})

const needs = ofObject((given, value, visit) => {
  for (const [name, needed] of Object.entries(isObject(given) ? given : {})) {
    if (!Object.hasOwn(value, name)) continue
    if (!isNames(needed)) visit.check(needed, value)
    else
      for (const other of needed)
        if (!Object.hasOwn(value, other)) visit.say(`has "${name}", so "${other}" must be there too`)
  }
})

/** Which of some alternatives fit; with the problems of the one that comes nearest. */
function alternatives(
  given: Json,
  value: Json,
  visit: Visit,
): { readonly fitting: number; readonly nearest: readonly Problem[] } {
  let nearest: readonly Problem[] | null = null
  let fitting = 0
  for (const schema of isList(given) ? given : []) {
    const problems = visit.problems(schema, value)
    if (problems.length === 0) fitting += 1
    // One that asks for another type altogether is no near miss.
    else if (
      !problems[0]?.message.startsWith('should be') &&
      (nearest === null || problems.length < nearest.length)
    )
      nearest = problems
  }
  return { fitting, nearest: nearest ?? [] }
}

/** Draft 4 says `exclusiveMinimum: true` beside `minimum`. */
const exclusiveBeside = (visit: Visit, name: string): boolean => visit.schema[name] === true

export const keywords: Readonly<Record<string, Keyword>> = {
  type: {
    takes: (given) =>
      (isList(given) ? given : [given]).every(
        (one) => typeof one === 'string' && Object.hasOwn(typeWords, one),
      ),
    check: (given, value, visit) => {
      const types = isList(given) ? given : [given]
      if (types.some((type) => hasType(value, type))) return
      const is = isList(value) ? 'a list' : isObject(value) ? 'an object' : shown(value)
      visit.say(`should be ${types.map((type) => typeWords[textIn(type)]).join(' or ')}, is ${is}`)
    },
  },
  enum: {
    takes: isList,
    check: (given, value, visit) => {
      const allowed = isList(given) ? given : []
      visit.spend(allowed.length)
      const wanted = canonical(value)
      visit.spend(wanted.length / 100)
      if (allowed.some((one) => canonical(one) === wanted)) return
      visit.say(
        `is ${shown(value)}, allowed: ${allowed.slice(0, 8).map(shown).join(', ')}${allowed.length > 8 ? ', …' : ''}`,
      )
    },
  },
  const: {
    takes: anything,
    check: (given, value, visit) => {
      if (canonical(given) !== canonical(value)) visit.say(`is ${shown(value)}, must be ${shown(given)}`)
    },
  },
  multipleOf: {
    takes: (given) => typeof given === 'number' && given > 0,
    check: ofNumber((given, value, visit) => {
      const times = value / given
      if (Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times)))
        visit.say(`is ${value}, must be a multiple of ${given}`)
    }),
  },
  minimum: {
    takes: isNumber,
    check: ofNumber((given, value, visit) => {
      const beside = exclusiveBeside(visit, 'exclusiveMinimum')
      if (beside && value <= given) visit.say(`is ${value}, must be more than ${given}`)
      else if (value < given) visit.say(`is ${value}, must be at least ${given}`)
    }),
  },
  maximum: {
    takes: isNumber,
    check: ofNumber((given, value, visit) => {
      const beside = exclusiveBeside(visit, 'exclusiveMaximum')
      if (beside && value >= given) visit.say(`is ${value}, must be less than ${given}`)
      else if (value > given) visit.say(`is ${value}, must be at most ${given}`)
    }),
  },
  exclusiveMinimum: {
    takes: (given) => typeof given === 'number' || typeof given === 'boolean',
    check: ofNumber(
      (given, value, visit) => value <= given && visit.say(`is ${value}, must be more than ${given}`),
    ),
  },
  exclusiveMaximum: {
    takes: (given) => typeof given === 'number' || typeof given === 'boolean',
    check: ofNumber(
      (given, value, visit) => value >= given && visit.say(`is ${value}, must be less than ${given}`),
    ),
  },
  minLength: {
    takes: isCount,
    check: ofText((given, value, visit) => {
      const length = lengthOf(value)
      if (length < numberIn(given))
        visit.say(`has ${many(length, 'character', 'characters')}, must have at least ${numberIn(given)}`)
    }),
  },
  maxLength: {
    takes: isCount,
    check: ofText((given, value, visit) => {
      const length = lengthOf(value)
      if (length > numberIn(given))
        visit.say(`has ${many(length, 'character', 'characters')}, may have at most ${numberIn(given)}`)
    }),
  },
  pattern: {
    takes: (given) => typeof given === 'string' && patternOf(given) !== null,
    check: ofText((given, value, visit) => {
      if (visit.pattern(textIn(given), value, 'pattern') === false)
        visit.say(`is ${shown(value)}, which does not match ${shown(given)}`)
    }),
  },
  format: {
    takes: isText,
    check: ofText((given, value, visit) => {
      const format = Object.hasOwn(formats, textIn(given)) ? formats[textIn(given)] : undefined
      if (format && !format.fits(value)) visit.say(`is ${shown(value)}, must be ${format.name}`)
    }),
  },
  items: {
    takes: (given) => isSchema(given) || (isList(given) && given.every(isSchema)),
    inside: 'schema-or-list',
    check: rest,
  },
  prefixItems: { takes: isSchemas, inside: 'list', check: rest },
  additionalItems: {
    takes: isSchema,
    inside: 'schema',
    // Without a list of `items` it means nothing (draft 7).
    check: (given, value, visit) => isList(visit.schema['items']) && rest(given, value, visit),
  },
  minItems: {
    takes: isCount,
    check: ofList(
      (given, value, visit) =>
        value.length < numberIn(given) &&
        visit.say(`has ${many(value.length, 'element', 'elements')}, must have at least ${numberIn(given)}`),
    ),
  },
  maxItems: {
    takes: isCount,
    check: ofList(
      (given, value, visit) =>
        value.length > numberIn(given) &&
        visit.say(`has ${many(value.length, 'element', 'elements')}, may have at most ${numberIn(given)}`),
    ),
  },
  uniqueItems: {
    takes: (given) => typeof given === 'boolean',
    check: ofList((given, value, visit) => {
      if (given !== true) return
      const seen = new Set<string>()
      for (const [index, element] of value.entries()) {
        const text = canonical(element)
        visit.spend(text.length / 100)
        if (seen.has(text)) visit.say('stands in the list before', index)
        seen.add(text)
      }
    }),
  },
  contains: {
    takes: isSchema,
    inside: 'schema',
    check: ofList((given, value, visit) => {
      const { minContains, maxContains } = visit.schema
      const least = typeof minContains === 'number' ? minContains : 1
      const found = value.filter(
        (element, index) => visit.problems(given, element, index).length === 0,
      ).length
      if (found < least)
        visit.say(
          `has ${many(found, 'element', 'elements')} of the kind of which at least ${least} must be there`,
        )
      if (typeof maxContains === 'number' && found > maxContains)
        visit.say(
          `has ${many(found, 'element', 'elements')} of the kind of which at most ${maxContains} may be there`,
        )
    }),
  },
  minContains: { takes: isCount },
  maxContains: { takes: isCount },
  properties: {
    takes: isMap,
    inside: 'map',
    check: ofObject((given, value, visit) => {
      for (const [name, schema] of Object.entries(isObject(given) ? given : {})) {
        const member = own(value, name)
        if (member !== undefined) visit.check(schema, member, name)
      }
    }),
  },
  patternProperties: {
    takes: (given) => isMap(given) && Object.keys(given).every((pattern) => patternOf(pattern) !== null),
    inside: 'map',
    check: ofObject((given, value, visit) => {
      for (const [pattern, schema] of Object.entries(isObject(given) ? given : {}))
        for (const [name, member] of Object.entries(value))
          if (visit.pattern(pattern, name, 'patternProperties') === true) visit.check(schema, member, name)
    }),
  },
  additionalProperties: {
    takes: isSchema,
    inside: 'schema',
    check: ofObject((given, value, visit) => {
      const { properties, patternProperties } = visit.schema
      const patterns = Object.keys(isObject(patternProperties) ? patternProperties : {})
      for (const [name, member] of Object.entries(value)) {
        if (isObject(properties) && Object.hasOwn(properties, name)) continue
        // What cannot be told in time is not held against the member.
        if (patterns.some((pattern) => visit.pattern(pattern, name, 'patternProperties') !== false)) continue
        if (given === false) visit.say('is not allowed here', name)
        else visit.check(given, member, name)
      }
    }),
  },
  propertyNames: {
    takes: isSchema,
    inside: 'schema',
    check: ofObject((given, value, visit) => {
      for (const name of Object.keys(value)) {
        const [first] = visit.problems(given, name)
        if (first) visit.say(`has a name that does not fit: ${first.message}`, name)
      }
    }),
  },
  required: {
    takes: isNames,
    check: ofObject((given, value, visit) => {
      for (const name of isNames(given) ? given : [])
        if (!Object.hasOwn(value, name)) visit.say(`the member "${name}" is missing`)
    }),
  },
  minProperties: {
    takes: isCount,
    check: ofObject((given, value, visit) => {
      const count = Object.keys(value).length
      if (count < numberIn(given))
        visit.say(`has ${many(count, 'member', 'members')}, must have at least ${numberIn(given)}`)
    }),
  },
  maxProperties: {
    takes: isCount,
    check: ofObject((given, value, visit) => {
      const count = Object.keys(value).length
      if (count > numberIn(given))
        visit.say(`has ${many(count, 'member', 'members')}, may have at most ${numberIn(given)}`)
    }),
  },
  dependentRequired: {
    takes: (given) => isObject(given) && Object.values(given).every(isNames),
    check: needs,
  },
  dependentSchemas: { takes: isMap, inside: 'map', check: needs },
  dependencies: {
    takes: (given) => isObject(given) && Object.values(given).every((one) => isSchema(one) || isNames(one)),
    inside: 'map',
    check: needs,
  },
  allOf: {
    takes: isSchemas,
    inside: 'list',
    check: (given, value, visit) => {
      for (const schema of isList(given) ? given : []) visit.check(schema, value)
    },
  },
  anyOf: {
    takes: isSchemas,
    inside: 'list',
    check: (given, value, visit) => {
      const { fitting, nearest } = alternatives(given, value, visit)
      if (fitting > 0) return
      visit.say(`fits none of ${isList(given) ? given.length : 0} alternatives`)
      visit.pass(nearest)
    },
  },
  oneOf: {
    takes: isSchemas,
    inside: 'list',
    check: (given, value, visit) => {
      const { fitting, nearest } = alternatives(given, value, visit)
      if (fitting === 1) return
      visit.say(
        fitting === 0
          ? `fits none of ${isList(given) ? given.length : 0} alternatives`
          : `fits ${fitting} alternatives, must fit exactly one`,
      )
      if (fitting === 0) visit.pass(nearest)
    },
  },
  not: {
    takes: isSchema,
    inside: 'schema',
    check: (given, value, visit) =>
      visit.problems(given, value).length === 0 && visit.say('is what the schema rules out'),
  },
  if: {
    takes: isSchema,
    inside: 'schema',
    check: (given, value, visit) => {
      const branch = visit.problems(given, value).length === 0 ? visit.schema['then'] : visit.schema['else']
      if (branch !== undefined) visit.check(branch, value)
    },
  },
  then: { takes: isSchema, inside: 'schema' },
  else: { takes: isSchema, inside: 'schema' },
  $defs: { takes: isMap, inside: 'map' },
  definitions: { takes: isMap, inside: 'map' },
  $ref: { takes: isText },
}

/** Keywords that ask nothing of a payload (JSON Schema's annotations; `example` is OpenAPI's). */
export const annotations: ReadonlySet<string> = new Set(
  '$schema $id id $anchor $comment $vocabulary title description default examples example deprecated readOnly writeOnly contentMediaType contentEncoding contentSchema'.split(
    ' ',
  ),
)
