import type { Json } from '../../contract/json.ts'
import type { KeyScrubber } from '../service-client/service-client.ts'

const mark = '[subscription key]'
/**
 * Shorter keys are only found unchanged, completely percent-encoded or inside JSON: other encodings of a few
 * characters occur by chance. Change it if the portal issues shorter keys.
 */
const spelledFrom = 8
/**
 * Shorter keys remain in records: serial numbers and ids contain such parts by chance. Half the length of a
 * key from the portal; change it with that length.
 */
export const inRecordsFrom = 16

/**
 * Every key this run has seen, including replaced and deleted ones, so that none of them is ever written
 * anywhere.
 */
export class KnownKeys implements KeyScrubber {
  #keys: readonly string[] = []
  #inTexts = new KeyFinder([])
  #inRecords = new KeyFinder([])

  add(key: string): void {
    if (key === '' || this.#keys.includes(key)) return
    // The longest first: one key may be the prefix of another.
    this.#keys = [...this.#keys, key].sort((one, other) => other.length - one.length)
    this.#inTexts = new KeyFinder(this.#keys)
    this.#inRecords = new KeyFinder(this.#keys.filter(({ length }) => length >= inRecordsFrom))
  }

  text(text: string): string {
    return this.#inTexts.scrub(text)
  }

  json(json: Json, text: string): Json {
    return this.#inRecords.scrub(text) === text ? json : cleaned(json, this.#inRecords)
  }
}

function cleaned(json: Json, keys: KeyFinder): Json {
  if (typeof json === 'string') return keys.scrub(json)
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) return json.map((one: Json) => cleaned(one, keys))
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [keys.scrub(name), cleaned(value, keys)]),
  )
}

/** Finds keys in any encoding; about 1 ms a megabyte (measured). */
class KeyFinder {
  readonly #patterns: readonly RegExp[]

  constructor(keys: readonly string[]) {
    const spelled = keys.filter(({ length }) => length >= spelledFrom)
    const short = keys.filter(({ length }) => length < spelledFrom)
    const exact = short.flatMap((key) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])
    this.#patterns = [
      { sources: [...spelled.map(escaped), ...spelled.map(hexadecimal)], flags: 'gi' },
      { sources: [...spelled.flatMap(base64), ...exact.map(literal)], flags: 'g' },
    ].flatMap(({ sources, flags }) => (sources.length === 0 ? [] : [new RegExp(sources.join('|'), flags)]))
  }

  scrub(text: string): string {
    return this.#patterns.reduce((clean, pattern) => clean.replace(pattern, mark), text)
  }
}

/** A pattern of the text itself; keys are visible ASCII. */
const literal = (text: string): string => text.replaceAll(/\W/g, '\\$&')

/** Two hexadecimal digits, of either case of a letter. */
const codeOf = (character: string): string => {
  const codes = [character.toLowerCase(), character.toUpperCase()].map((one) =>
    one.charCodeAt(0).toString(16),
  )
  return `(?:${[...new Set(codes)].join('|')})`
}

const percent = '%(?:25){0,4}'
const backslashes = `(?:\\\\|${percent}5c){1,15}`

/**
 * A key with any of its characters percent-encoded or escaped as in JSON or a script, each up to four times:
 * at four times, fifteen backslashes precede a quote. The character before a run of backslashes is checked
 * first, so that a body of backslashes alone costs no time.
 */
const escaped = (key: string): string =>
  [...key]
    .map((one, index) => {
      const [plain, code] = [literal(one), codeOf(one)]
      return `(?:${percent}${code}|${index === 0 ? '(?<!\\\\)' : ''}${backslashes}(?:(?:u00|x)${code}|${percent}${code}|${plain})|${plain})`
    })
    .join('')

/** `666f6f`, `66 6f 6f`, `66:6f:6f`, `66-6f-6f`. */
const hexadecimal = (key: string): string => [...key].map(codeOf).join('[ :-]?')

/**
 * The characters that are the same in any base64 of a text that contains the key: its bits start at one of
 * three positions, and the characters at both ends are shared.
 */
const base64 = (key: string): string[] =>
  [...new Set([key, key.toLowerCase(), key.toUpperCase()])].flatMap((form) =>
    [0, 1, 2].map((before) => {
      const digits = Buffer.from('\0'.repeat(before) + form).toString('base64')
      const own = digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + form.length) * 8) / 6))
      return `${own.replaceAll(/[+/]/g, (digit) => (digit === '+' ? '(?:[+-]|%2[Bb])' : '(?:\\\\?/|_|%2[Ff])'))}[\\w+/-]?(?:=|%3[Dd]){0,2}`
    }),
  )
