import { keyNamed } from '../../electron/contract/filter/filter-reader.ts'
import type { FilterKey, FilterVocabulary } from '../../electron/contract/filter/filter.ts'

/** The token under the caret: the beginning of a word, or a value of a key. `from` and `to` are positions in the draft. */
export type Token =
  | {
      readonly stage: 'word'
      readonly from: number
      readonly to: number
      readonly typed: string
      readonly negated: boolean
    }
  | {
      readonly stage: 'value'
      readonly from: number
      readonly to: number
      /** The value up to the caret, without quotes. */
      readonly typed: string
      readonly key: FilterKey
      /** The typed comparison: `''`, `=`, `<` …; only the first value can have it. */
      readonly sign: string
      /** Values before this one, as typed. */
      readonly others: readonly string[]
    }

export function tokenAt(draft: string, caret: number, vocabulary: FilterVocabulary): Token {
  const start = startOfToken(draft, caret)
  const negated = draft[start] === '!'
  const at = negated ? start + 1 : start
  const name = /^[a-z][a-z-]*(?=:)/i.exec(draft.slice(at, caret))?.[0]
  const key = name === undefined ? undefined : keyNamed(vocabulary, name)
  if (name === undefined || key === undefined)
    return { stage: 'word', from: at, to: endOf(draft, caret, /\s/), typed: draft.slice(at, caret), negated }
  const after = at + name.length + 1
  const sign = /^(<=|>=|<|>|=)/.exec(draft.slice(after, caret))?.[0] ?? ''
  const commas = unquoted(draft, after + sign.length, caret, /,/)
  const from = (commas.at(-1) ?? after + sign.length - 1) + 1
  const others = [after + sign.length - 1, ...commas]
    .slice(0, -1)
    .map((comma, index) => draft.slice(comma + 1, commas[index]))
  return {
    stage: 'value',
    from,
    to: endOf(draft, caret, /[\s,]/, from),
    typed: unquote(draft.slice(from, caret)),
    key,
    sign,
    others,
  }
}

const unquote = (text: string): string =>
  text.startsWith('"')
    ? text
        .slice(1)
        .replace(/(?<!\\)"$/, '')
        .replaceAll(/\\([\\"])/g, '$1')
    : text

export function startOfToken(draft: string, caret: number): number {
  return (unquoted(draft, 0, caret, /\s/).at(-1) ?? -1) + 1
}

/** The end of the token under the caret; quotes are counted from `from`. */
function endOf(draft: string, caret: number, ends: RegExp, from = startOfToken(draft, caret)): number {
  return unquoted(draft, from, draft.length, ends).find((place) => place >= caret) ?? draft.length
}

/** Positions of such letters outside quotes. */
function unquoted(text: string, from: number, to: number, wanted: RegExp): readonly number[] {
  const places: number[] = []
  let inside = false
  for (let place = from; place < to; place++) {
    const letter = text[place] ?? ''
    if (inside && letter === '\\') place++
    else if (letter === '"') inside = !inside
    else if (!inside && wanted.test(letter)) places.push(place)
  }
  return places
}
