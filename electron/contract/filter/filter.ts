/**
 * The filter language: one grammar for lists on screen and the command line. Terms follow each other and all
 * must match. status:offline fw:<2.1 age:>7d room:"Aarhus 3" product:="Jabra Evolve2 65","Jabra Speak2 75"
 * !tag:spare anna A term is a free word, or a key, a colon and values separated by commas (one match
 * suffices). `!` before a term negates it. A text value matches anywhere, or only as a whole with `=` before
 * it. Versions, ages and numbers take `<`, `<=`, `>`, `>=`, `=`. `key:""` matches unknown values. Double
 * quotes enclose blanks, commas and colons; `\"` is a quote within quotes.
 */

/** The type of a key's values. `version` also accepts the values of `choices`. */
export type FilterKind = 'text' | 'word' | 'choice' | 'version' | 'age' | 'number' | 'product-id'

export interface FilterKey {
  readonly key: string
  readonly aliases: readonly string[]
  readonly kind: FilterKind
  /** Values of a `choice`, or fixed values of a `version`; for other types the first suggestions. */
  readonly choices: readonly string[]
  /** Whether `key:""` is allowed. */
  readonly mayBeMissing: boolean
  /** A term with this key. */
  readonly example: string
}
export type FilterVocabulary = readonly FilterKey[]

export type FilterComparison = 'has' | 'is' | '<' | '<=' | '>' | '>='

/**
 * A part of the text that is understood. `start` and `end` are positions in the text, `end` after the last
 * character.
 */
export interface FilterTerm {
  readonly start: number
  readonly end: number
  readonly negated: boolean
  /** The vocabulary's own key, never an alias; null: a free word. */
  readonly key: string | null
  readonly comparison: FilterComparison
  /** Alternatives, unquoted, as typed; `''`: the value is not known. */
  readonly values: readonly string[]
  /** The number of each value: milliseconds of an age, a number, a product id; null if it has none. */
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

/** A part of the text that is not understood, and what was expected. */
export interface FilterProblem {
  readonly start: number
  readonly end: number
  readonly kind: FilterProblemKind
  /** The word as typed, without quotes. */
  readonly word: string
  /** Valid alternatives: keys, choices or examples; the most similar first. */
  readonly expected: readonly string[]
}

export interface ParsedFilter {
  readonly terms: readonly FilterTerm[]
  readonly problems: readonly FilterProblem[]
}
