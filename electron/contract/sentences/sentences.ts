import english from './en.json' with { type: 'json' }

/** What window and command line both say, as messages of vue-i18n. */
export const sentences = english

type Leaves<M> = {
  [K in keyof M & string]: M[K] extends string ? K : `${K}.${Leaves<M[K]>}`
}[keyof M & string]
/** `failure.offline`. A key that is built from a union compiles if every member has its sentence. */
export type SentenceKey = Leaves<typeof sentences>
export type Named = Readonly<Record<string, unknown>>

/**
 * Formats a sentence. `named`: the values of its `{placeholders}`; `count` selects the form of `one | many`,
 * and is `{n}` unless that is named.
 */
export type Say = (key: SentenceKey, named?: Named, count?: number) => string
