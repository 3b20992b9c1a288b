import type { WordCount } from '../../electron/contract/api/devices.ts'
import { quoted } from '../../electron/contract/filter/filter-reader.ts'
import type { FilterKey, FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { ageExamples, listOf, numberExamples } from './filter-examples.ts'
import type { Token } from './filter-token.ts'

export type SuggestionGroup = 'recent' | 'keys' | 'words' | 'values'

/** A suggestion of the box. Accepting it replaces the text from `from` to `to` by `insert`. */
export interface Suggestion {
  readonly group: SuggestionGroup
  readonly insert: string
  readonly from: number
  readonly to: number
  /** The part in the accent colour, and the rest. */
  readonly key: string
  readonly value: string
  /** Key of an explanatory text; null: none is needed. */
  readonly explained: string | null
  readonly example: string
  readonly count: number | null
  /** The term is complete: it becomes a chip. */
  readonly whole: boolean
}

const WORDS_AT_MOST = 4
const VALUES_AT_MOST = 20

/** Kinds whose values can be suggested from the fleet. */
export const isSuggested = ({ kind }: FilterKey): boolean =>
  kind === 'text' || kind === 'word' || kind === 'version' || kind === 'product-id'

/** `words`: values of the fleet for the key under the caret; `recent`: recent filters, newest first. */
export function suggestionsFor(
  token: Token,
  vocabulary: FilterVocabulary,
  given: {
    readonly words: readonly WordCount[]
    readonly recent: readonly string[]
    readonly empty: boolean
  },
): readonly Suggestion[] {
  if (token.stage === 'value') return valuesFor(token, given.words)
  const typed = token.typed.toLowerCase()
  const recent = given.empty
    ? given.recent.map((text): Suggestion => ({
        ...plainOf(token),
        group: 'recent',
        insert: text,
        value: text,
        whole: true,
      }))
    : []
  return [
    ...recent,
    ...keysFor(token, typed, vocabulary),
    ...(typed.length < 2 ? [] : wordsFor(token, typed, vocabulary)),
  ]
}

const plainOf = (
  token: Pick<Token, 'from' | 'to'>,
): Omit<Suggestion, 'group' | 'insert' | 'value' | 'whole'> => ({
  from: token.from,
  to: token.to,
  key: '',
  explained: null,
  example: '',
  count: null,
})

function keysFor(token: Token, typed: string, vocabulary: FilterVocabulary): readonly Suggestion[] {
  const list = listOf(vocabulary)
  const rank = ({ key, aliases }: FilterKey): number =>
    key.startsWith(typed)
      ? 0
      : aliases.some((alias) => alias.startsWith(typed))
        ? 1
        : typed.length > 1 && key.includes(typed)
          ? 2
          : 3
  return vocabulary
    .map((key) => ({ key, rank: typed === '' ? 0 : rank(key) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ key }) => ({
      ...plainOf(token),
      group: 'keys',
      insert: `${key.key}:`,
      key: `${key.key}:`,
      value: '',
      explained: `filter.keys.${list}.${key.key}`,
      example: key.example,
      whole: false,
    }))
}

/** `off` finds `status:offline`: the key need not be typed. */
function wordsFor(token: Token, typed: string, vocabulary: FilterVocabulary): readonly Suggestion[] {
  return vocabulary
    .flatMap((key) =>
      key.choices
        .filter((word) => key.key !== 'gone' && word.startsWith(typed))
        .map((word) => ({ key, word })),
    )
    .slice(0, WORDS_AT_MOST)
    .map(({ key, word }) => ({
      ...plainOf(token),
      group: 'words',
      insert: `${key.key}:${word}`,
      key: `${key.key}:`,
      value: word,
      explained: `filter.words.${key.key}.${word}`,
      whole: true,
    }))
}

function valuesFor(
  token: Token & { readonly stage: 'value' },
  words: readonly WordCount[],
): readonly Suggestion[] {
  const { key, sign, typed } = token
  const lower = typed.toLowerCase()
  const others = new Set(token.others.map((one) => one.toLowerCase()))
  const value = (text: string, more: Partial<Suggestion> = {}): Suggestion => ({
    ...plainOf(token),
    group: 'values',
    insert: text,
    value: text,
    whole: true,
    ...more,
  })
  if (key.kind === 'age' || key.kind === 'number') {
    const examples: readonly string[] = key.kind === 'age' ? ageExamples : numberExamples
    const missing =
      key.mayBeMissing && sign === '' && typed === ''
        ? [value('""', { explained: 'filter.words.missing' })]
        : []
    const known = examples
      .filter((one) => one.startsWith(`${sign}${typed}`) && one !== `${sign}${typed}`)
      .map((one) =>
        value(one.slice(sign.length), {
          value: one,
          explained:
            key.kind === 'age' ? `filter.ages.${one.replace('>', 'over').replace('<', 'under')}` : null,
        }),
      )
    return [...known, ...missing]
  }
  const ordered = sign !== '' && sign !== '='
  const counts = new Map(words.map(({ word, count }) => [word.toLowerCase(), count]))
  const choices = (ordered ? [] : key.choices)
    .filter((word) => word.includes(lower) && !others.has(word))
    .map((word) =>
      value(word, { explained: `filter.words.${key.key}.${word}`, count: counts.get(word) ?? null }),
    )
  const found = words
    .filter(
      ({ word }) =>
        word !== '' &&
        word.toLowerCase().includes(lower) &&
        !key.choices.includes(word.toLowerCase()) &&
        !others.has(quoted(word).toLowerCase()),
    )
    .filter(({ word }) => key.kind !== 'version' || /^v?\d/i.test(word))
    .slice(0, VALUES_AT_MOST)
    .map(({ word, count }) => value(quoted(word), { value: word, count }))
  const missing =
    key.mayBeMissing && !ordered && typed === '' ? [value('""', { explained: 'filter.words.missing' })] : []
  return [...choices, ...found, ...missing]
}
