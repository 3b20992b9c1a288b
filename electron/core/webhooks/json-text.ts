import type { Json } from '../../contract/json.ts'
import type { WebhookCheck } from '../../contract/api/webhooks.ts'

/** A text parsed as JSON, or why it is not JSON: a sentence with line and column, counted from 1. */
export type JsonText =
  | { readonly value: Json; readonly problem: null }
  | { readonly value: null; readonly problem: string }

/** Limits of the text: the portal's payloads are a few kilobytes. Raise them if real ones are larger. */
const readAtMost = { characters: 1_000_000, levels: 100 } as const

/**
 * Parses JSON. A byte order mark and white space at the start and end are accepted; everything between must
 * be strict JSON. Never throws.
 */
export function parseJsonText(text: string): JsonText {
  const given = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (given.length > readAtMost.characters)
    return wrong(`The text is longer than ${readAtMost.characters.toLocaleString('en')} characters.`)
  if (given.trim() === '') return wrong('The text is empty.')
  const problem = firstProblem(given)
  if (problem !== null) return wrong(`${placeIn(given, problem.at)}: ${problem.why}`)
  try {
    return { value: JSON.parse(given) as Json, problem: null }
  } catch {
    return wrong('The text is not JSON.')
  }
}

/** The schema or the payload cannot be checked. */
export const unusable = (of: 'schema' | 'payload', message: string): WebhookCheck => ({
  fits: false,
  checked: 'payload',
  problems: [],
  leftOut: 0,
  notChecked: [],
  unusable: { of, message },
})

const wrong = (problem: string): JsonText => ({ value: null, problem })

function placeIn(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|\r|\n/)
  return `Line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

interface JsonProblem {
  readonly at: number
  readonly why: string
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or }' | ', or ]' | 'end'
const said: Readonly<Record<Expected, string>> = {
  value: 'a value is missing',
  'value or ]': 'a value or ] is missing',
  name: 'a name in double quotes is missing',
  'name or }': 'a name in double quotes or } is missing',
  ':': 'a colon is missing after the name',
  ', or }': 'a comma or } is missing',
  ', or ]': 'a comma or ] is missing',
  end: 'there is more text after the end',
}

const space = /[ \t\r\n]*/y
const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/**
 * The first position that is not JSON, or nested too deep. JSON.parse reports a position only for some
 * errors, and none for depth. No recursion.
 */
function firstProblem(text: string): JsonProblem | null {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  const afterValue = (): Expected => (open.length === 0 ? 'end' : open.at(-1) === '{' ? ', or }' : ', or ]')
  const close = (): Expected => {
    open.pop()
    return afterValue()
  }
  for (;;) {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
    const sign = text[at]
    if (sign === undefined)
      return expected === 'end' ? null : { at, why: `the text ends too early, ${said[expected]}` }
    if (expected === 'value' || expected === 'value or ]') {
      if (sign === '{' || sign === '[') {
        if (open.push(sign) > readAtMost.levels)
          return { at, why: `it is nested deeper than ${readAtMost.levels} levels` }
        expected = sign === '{' ? 'name or }' : 'value or ]'
        at += 1
      } else if (sign === ']' && expected === 'value or ]') {
        expected = close()
        at += 1
      } else {
        const end = sign === '"' ? endOfString(text, at) : endOfWord(text, at)
        if (typeof end !== 'number') return end ?? { at, why: said[expected] }
        at = end
        expected = afterValue()
      }
    } else if ((expected === 'name' || expected === 'name or }') && sign === '"') {
      const end = endOfString(text, at)
      if (typeof end !== 'number') return end
      at = end
      expected = ':'
    } else if (expected === ':' && sign === ':') {
      expected = 'value'
      at += 1
    } else if ((expected === ', or }' || expected === ', or ]') && sign === ',') {
      expected = open.at(-1) === '{' ? 'name' : 'value'
      at += 1
    } else if (
      (expected === ', or ]' && sign === ']') ||
      ((expected === ', or }' || expected === 'name or }') && sign === '}')
    ) {
      expected = close()
      at += 1
    } else return { at, why: said[expected] }
  }
}

function endOfWord(text: string, at: number): number | null {
  word.lastIndex = at
  return word.test(text) ? word.lastIndex : null
}

function endOfString(text: string, from: number): number | JsonProblem {
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (sign === '"') return at + 1
    if (sign < ' ') return { at, why: 'a string contains a line break or a control character' }
    if (sign !== '\\') continue
    const escape = /["\\/bfnrt]|u[\da-fA-F]{4}/y
    escape.lastIndex = at + 1
    if (!escape.test(text)) return { at, why: 'the character after \\ is not allowed in JSON' }
    at = escape.lastIndex - 1
  }
  return { at: text.length, why: 'a string has no closing quotation mark' }
}
