import { nearestFirst } from '../near-words.ts'
import { folded } from './folded.ts'
import type {
  FilterComparison,
  FilterKey,
  FilterProblem,
  FilterProblemKind,
  ParsedFilter,
  FilterTerm,
  FilterVocabulary,
} from './filter.ts'

/** A longer filter is truncated. Raise it if real filters are longer. */
const longestFilter = 2_000
const mostTerms = 50
/** Values of one term; a longer list is pasted and filtered with `list:`. Raise it if terms need more. */
const mostValues = 200

/** Control characters separate words as blanks do. */
const blank = /[\s\p{Cc}]/u
const endsWord = /[\s\p{Cc}"]/u
const endsValue = /[\s\p{Cc},"]/u

/**
 * Parses a filter as typed. Never throws: text that is not understood becomes a problem with its position,
 * the rest becomes terms.
 */
export function parseFilter(text: string, vocabulary: FilterVocabulary): ParsedFilter {
  const terms: FilterTerm[] = []
  const problems: FilterProblem[] = []
  // A ligature is folded to several letters.
  if (Math.max(text.length, folded(text).length) > longestFilter)
    return {
      terms,
      problems: [
        {
          start: Math.min(longestFilter, text.length),
          end: text.length,
          kind: 'too-long',
          word: '',
          expected: [],
        },
      ],
    }
  for (let place = afterBlanks(text, 0); place < text.length;) {
    const one = parseTerm(text, place, vocabulary)
    if (terms.length >= mostTerms)
      problems.push({ start: place, end: text.length, kind: 'too-long', word: '', expected: [] })
    else if ('problem' in one) problems.push(one.problem)
    else if (one.term !== null) terms.push(one.term)
    if (terms.length >= mostTerms && problems.at(-1)?.kind === 'too-long') break
    place = afterBlanks(text, one.end)
  }
  return { terms, problems }
}

/** A value in the form it must be typed: quoted if necessary. */
export function quoted(value: string): string {
  return value === '' || /[\s\p{Cc}",:!<>=\\]/u.test(value)
    ? `"${value.replaceAll(/[\\"]/g, String.raw`\$&`)}"`
    : value
}

/** A term as text, as chips and column filters write it. Parsing the text gives the same term. */
export function termText(term: Pick<FilterTerm, 'negated' | 'key' | 'comparison' | 'values'>): string {
  const not = term.negated ? '!' : ''
  if (term.key === null) return `${not}${quoted(term.values[0] ?? '')}`
  const comparison = term.comparison === 'has' ? '' : term.comparison === 'is' ? '=' : term.comparison
  return `${not}${term.key}:${comparison}${term.values.map(quoted).join(',')}`
}

/**
 * The text without the terms of a key and, if `term` is given, with that term at the end. Text that is not
 * understood remains.
 */
export function withTerm(
  text: string,
  vocabulary: FilterVocabulary,
  key: string,
  term: Pick<FilterTerm, 'negated' | 'key' | 'comparison' | 'values'> | null,
): string {
  const { terms, problems } = parseFilter(text, vocabulary)
  const remaining: string[] = []
  let from = 0
  for (const old of terms.filter((one) => one.key === key)) {
    remaining.push(text.slice(from, old.start))
    from = old.end
  }
  remaining.push(text.slice(from))
  const written = term === null ? [] : [termText(term)]
  // After an unclosed quote, everything that follows would be part of the quoted text.
  const parts = problems.some(({ kind }) => kind === 'quote-not-closed')
    ? [...written, ...remaining]
    : [...remaining, ...written]
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' ')
}

export function keyNamed(vocabulary: FilterVocabulary, name: string): FilterKey | undefined {
  const lower = name.toLowerCase()
  return vocabulary.find(({ key, aliases }) => key === lower || aliases.includes(lower))
}

type Read = { readonly end: number } & (
  | { readonly term: FilterTerm | null }
  | { readonly problem: FilterProblem }
)

function parseTerm(text: string, start: number, vocabulary: FilterVocabulary): Read {
  const negated = text[start] === '!'
  const at = negated ? start + 1 : start
  const name = /^[a-z][a-z-]*(?=:)/i.exec(text.slice(at))?.[0]
  const known = name === undefined ? undefined : keyNamed(vocabulary, name)
  if (name === undefined || (known === undefined && isFreeWord(bareWord(text, at))))
    return freeWord(text, start, at, negated)
  const given = parseValues(text, at + name.length + 1)
  const { values, places, comparison, end } = given
  const problem = (
    kind: FilterProblemKind,
    word: string,
    expected: readonly string[],
    from = start,
    to = end,
  ): Read => ({
    end,
    problem: { start: from, end: to, kind, word, expected },
  })
  if (!given.closed) return problem('quote-not-closed', values.at(-1) ?? '', ['"'], places.at(-1)?.start)
  if (known === undefined)
    return problem('unknown-key', name, nearest(name, vocabulary), at, at + name.length)
  const wordsTaken = known.choices.length > 0 && (comparison === 'has' || comparison === 'is')
  if (values.length === 0)
    return problem('value-missing', '', wordsTaken ? known.choices : [exampleOf(known)])
  if (values.length > mostValues) return problem('too-long', '', [], places[0]?.start)
  const checked = check(known, comparison, values)
  if ('kind' in checked) {
    const place = places[checked.index]
    return problem(
      checked.kind,
      values[checked.index] ?? '',
      checked.expected,
      checked.index === 0 ? at + name.length + 1 : place?.start,
      place?.end,
    )
  }
  return {
    end: given.end,
    term: { start, end: given.end, negated, key: known.key, comparison, values, numbers: checked.numbers },
  }
}

/** The colon of a MAC address or a web address does not follow a key. */
const isFreeWord = (word: string): boolean =>
  /^[0-9a-f]{2}(:[0-9a-f]{1,2})+:?$/i.test(word) || word.includes('://')

const bareWord = (text: string, start: number): string => /^[^\s\p{Cc}]*/u.exec(text.slice(start))?.[0] ?? ''

function freeWord(text: string, start: number, at: number, negated: boolean): Read {
  const { value, end, closed } = parseValue(text, at, endsWord)
  if (!closed)
    return { end, problem: { start: at, end, kind: 'quote-not-closed', word: value, expected: ['"'] } }
  if (value.trim() === '') return { end: Math.max(end, at + (end === at ? 0 : 1), start + 1), term: null }
  return {
    end,
    term: { start, end, negated, key: null, comparison: 'has', values: [value], numbers: [null] },
  }
}

interface Values {
  readonly comparison: FilterComparison
  readonly values: readonly string[]
  /** The position of each value, including its quotes. */
  readonly places: readonly { readonly start: number; readonly end: number }[]
  readonly end: number
  readonly closed: boolean
}

function parseValues(text: string, start: number): Values {
  const sign = /^(<=|>=|<|>|=)/.exec(text.slice(start))?.[0] ?? ''
  const comparison = (sign === '' ? 'has' : sign === '=' ? 'is' : sign) as FilterComparison
  const values: string[] = []
  const places: { start: number; end: number }[] = []
  for (let place = start + sign.length; ;) {
    const one = parseValue(text, place, endsValue)
    if (one.given) {
      values.push(one.value)
      places.push({ start: place, end: one.end })
    }
    if (!one.closed || text[one.end] !== ',')
      return { comparison, values, places, end: one.end, closed: one.closed }
    place = one.end + 1
  }
}

/** One value: in quotes, or up to a character of `endPattern`. */
function parseValue(
  text: string,
  start: number,
  endPattern: RegExp,
): { value: string; end: number; closed: boolean; given: boolean } {
  let value = ''
  let place = start
  if (text[place] === '"') {
    for (place++; place < text.length && text[place] !== '"'; place++) {
      if (text[place] === '\\' && /[\\"]/.test(text[place + 1] ?? '')) place++
      value += text[place]
    }
    return { value, end: Math.min(place + 1, text.length), closed: place < text.length, given: true }
  }
  while (place < text.length && !endPattern.test(text[place] ?? '')) value += text[place++]
  return { value, end: place, closed: true, given: value !== '' }
}

interface Mistake {
  readonly kind: FilterProblemKind
  readonly expected: readonly string[]
}
/** The numbers of the values, or the problem and index of an invalid value. */
type Checked = { readonly numbers: readonly (number | null)[] } | (Mistake & { readonly index: number })

function check(known: FilterKey, comparison: FilterComparison, values: readonly string[]): Checked {
  const ordered = comparison !== 'has' && comparison !== 'is'
  const numbers: (number | null)[] = []
  for (const [index, value] of values.entries()) {
    if (value === '') {
      if (ordered) return { index, kind: 'value-missing', expected: [exampleOf(known)] }
      if (!known.mayBeMissing) return { index, kind: 'never-missing', expected: [] }
      numbers.push(null)
      continue
    }
    const one = checkValue(known, comparison, value, ordered)
    if (typeof one === 'object' && one !== null) return { index, ...one }
    numbers.push(one)
  }
  return { numbers }
}

function checkValue(
  known: FilterKey,
  comparison: FilterComparison,
  value: string,
  ordered: boolean,
): number | null | Mistake {
  const isChoice = known.choices.includes(value.toLowerCase())
  switch (known.kind) {
    case 'text':
    case 'word':
      return ordered ? { kind: 'comparison-not-taken', expected: [`${known.key}:${quoted(value)}`] } : null
    case 'choice':
      if (ordered) return { kind: 'comparison-not-taken', expected: known.choices }
      return isChoice ? null : { kind: 'unknown-choice', expected: nearestFirst(value, known.choices) }
    case 'version':
      if (isChoice)
        return ordered ? { kind: 'comparison-not-taken', expected: [`${known.key}:${value}`] } : null
      return /^v?\d/i.test(value)
        ? null
        : { kind: 'bad-version', expected: ['2.1', '<2.1.0', ...known.choices] }
    case 'age': {
      const inMs = ageInMs(value)
      if (inMs === null) return { kind: 'bad-age', expected: ['>7d', '<12h', '>30min'] }
      return comparison === 'has' || comparison === 'is'
        ? { kind: 'comparison-missing', expected: [`>${value}`, `<${value}`] }
        : inMs
    }
    case 'number':
      return /^\d{1,9}$/.test(value) ? Number(value) : { kind: 'bad-number', expected: ['6', '>6', '<=2'] }
    case 'product-id': {
      if (ordered) return { kind: 'comparison-not-taken', expected: [`${known.key}:${value}`] }
      // The full range that devices may report: ids that no product can have are found too.
      const id = /^-?\d{1,16}$/.test(value)
        ? Number(value)
        : /^(0x)?[0-9a-f]{1,12}$/i.test(value)
          ? Number.parseInt(value.replace(/^0x/i, ''), 16)
          : null
      return id ?? { kind: 'bad-number', expected: ['9395', '0x24B3'] }
    }
  }
}

const unitsInMs: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  mo: 30 * 86_400_000,
  y: 365 * 86_400_000,
}

function ageInMs(value: string): number | null {
  const [, amount, unit] = /^(\d{1,6}(?:\.\d{1,3})?)(s|min|m|h|d|w|mo|y)$/i.exec(value) ?? []
  return amount === undefined || unit === undefined
    ? null
    : Number(amount) * (unitsInMs[unit.toLowerCase()] ?? 0)
}

function exampleOf(known: FilterKey): string {
  return {
    text: '""',
    word: '""',
    choice: known.choices[0] ?? '',
    version: '<2.1',
    age: '>7d',
    number: '>6',
    'product-id': '0x24B3',
  }[known.kind]
}

const nearest = (name: string, vocabulary: FilterVocabulary): readonly string[] =>
  nearestFirst(
    name,
    vocabulary.map((one) => one.key),
  ).slice(0, 3)

function afterBlanks(text: string, from: number): number {
  let place = from
  while (place < text.length && blank.test(text[place] ?? '')) place++
  return place
}
