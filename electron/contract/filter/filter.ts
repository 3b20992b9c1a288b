/**
 * The filter language: one grammar for lists on screen and at the prompt. Terms stand side by side and all must hold.
 *
 *     status:offline fw:<2.1 age:>7d room:"Aarhus 3" product:="Jabra Evolve2 65","Jabra Speak2 75" !tag:spare anna
 *
 * A term is a free word, or a key, a colon and values parted by commas (any one of them suffices). `!` before a term turns it round.
 * A text value is found anywhere, or must be the whole with `=` before it. Versions, ages and numbers take `<`, `<=`, `>`, `>=`, `=`.
 * `key:""` means that nothing is known there. Double quotes hold blanks, commas and colons; `\"` is a quote in quotes.
 */

/** What a key's values are. `version` also takes the words of `choices`. */
export type FilterKind = 'text' | 'word' | 'choice' | 'version' | 'age' | 'number' | 'product-id'

export interface FilterKey {
  readonly key: string
  readonly aliases: readonly string[]
  readonly kind: FilterKind
  /** Words of a `choice`, or standing words of a `version`; for others what is worth suggesting first. */
  readonly choices: readonly string[]
  /** Whether `key:""` can be asked. */
  readonly mayBeMissing: boolean
  /** A term that asks for it. */
  readonly example: string
}
export type FilterVocabulary = readonly FilterKey[]

export type FilterComparison = 'has' | 'is' | '<' | '<=' | '>' | '>='

/** A part of the text that is understood. `start` and `end` are places in the text, `end` after the last character. */
export interface FilterTerm {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** The vocabulary's own name, never an alias; null: a free word. */
  readonly key: string | null
  readonly comparison: FilterComparison
  /** Alternatives, unquoted, as typed; `''`: nothing is known. */
  readonly values: readonly string[]
  /** Beside each value its number: milliseconds of an age, a number, a product id; null where it is none. */
  readonly numbers: readonly (number | null)[]
}

export type FilterProblemKind =
  | 'unknown-key'
  | 'value-missing'
  | 'unknown-choice'
  | 'comparison-missing'
  | 'comparison-not-taken'
  | 'bad-version'
  | 'bad-age'
  | 'bad-number'
  | 'never-missing'
  | 'quote-not-closed'
  | 'too-long'

/** A part of the text that is not understood, and what was expected there. */
export interface FilterProblem {
  readonly start: number
  readonly end: number
  readonly kind: FilterProblemKind
  /** The word as typed, without quotes. */
  readonly word: string
  /** What would be understood: keys, choices or examples; the nearest first. */
  readonly expected: readonly string[]
}

export interface FilterReading {
  readonly terms: readonly FilterTerm[]
  readonly problems: readonly FilterProblem[]
}
