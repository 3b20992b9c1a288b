import { parseFilter } from '../../electron/contract/filter/filter-reader.ts'
import type { FilterProblem, FilterTerm, FilterVocabulary } from '../../electron/contract/filter/filter.ts'

/** A term with a key, as a separate piece. `text` is exactly what was typed. */
export interface Chip {
  readonly text: string
  readonly term: FilterTerm
}

/** A filter as the box shows it: chips, then the typed text. Together they are the complete filter. */
export interface Pieces {
  readonly chips: readonly Chip[]
  readonly draft: string
}

/** Terms with a key become chips; free words and errors remain text. */
export function piecesOf(text: string, vocabulary: FilterVocabulary): Pieces {
  const { chips, rest } = taken(text, vocabulary, () => true)
  return { chips, draft: rest.trim() }
}

/**
 * The complete filter text that the box emits. Terms are all combined with "and", so their order has no
 * meaning.
 */
export function textOfPieces({ chips, draft }: Pieces): string {
  return [...chips.map(({ text }) => text), draft.trim()].filter((text) => text !== '').join(' ')
}

/** The valid part of a filter: the text without the invalid parts. */
export function readable({ chips, draft }: Pieces, vocabulary: FilterVocabulary): string {
  const { terms } = parseFilter(draft, vocabulary)
  const text = textOfPieces({
    chips,
    draft: terms.map(({ start, end }) => draft.slice(start, end)).join(' '),
  })
  return parseFilter(text, vocabulary).problems.length === 0 ? text : ''
}

/**
 * Moves finished terms out of the draft: those followed by a blank, with the caret after them. `caret` is a
 * position in the draft.
 */
export function finished(
  draft: string,
  caret: number,
  vocabulary: FilterVocabulary,
): Pieces & { readonly caret: number } {
  const { chips, rest, gone } = taken(
    draft,
    vocabulary,
    (term) => term.end < draft.length && caret > term.end,
  )
  if (chips.length === 0) return { chips, draft, caret }
  const previous = gone.reduce((sum, { start, length }) => sum + (start < caret ? length : 0), 0)
  const lead = rest.length - rest.trimStart().length
  return { chips, draft: rest.trimStart(), caret: Math.max(0, caret - previous - lead) }
}

/** Removes the terms in `wanted`, each with one blank; the texts on both sides are never joined. */
function taken(
  text: string,
  vocabulary: FilterVocabulary,
  wanted: (term: FilterTerm) => boolean,
): {
  readonly chips: readonly Chip[]
  readonly rest: string
  readonly gone: readonly { readonly start: number; readonly length: number }[]
} {
  const { terms, problems } = parseFilter(text, vocabulary)
  if (problems.some(({ kind }) => kind === 'too-long')) return { chips: [], rest: text, gone: [] }
  const out = terms.filter((term) => term.key !== null && wanted(term))
  const gone: { start: number; length: number }[] = []
  let rest = text
  for (const term of out.toReversed()) {
    const [before, after] = [text[term.start - 1], text[term.end]]
    const edge = (letter: string | undefined): boolean => letter === undefined || /\s/.test(letter)
    const end = edge(before) && after !== undefined && edge(after) ? term.end + 1 : term.end
    const between = edge(before) || edge(after) ? '' : ' '
    rest = rest.slice(0, term.start) + between + rest.slice(end)
    gone.push({ start: term.start, length: end - term.start - between.length })
  }
  return { chips: out.map((term) => ({ text: text.slice(term.start, term.end), term })), rest, gone }
}

/**
 * Whether further typing may fix a problem: the caret is at its end, and its text is the beginning of
 * something valid. It is no error yet.
 */
export function isUnfinished(problem: FilterProblem, draft: string, caret: number | null): boolean {
  if (caret === null || problem.end !== draft.length || caret !== draft.length) return false
  const word = problem.word.toLowerCase()
  switch (problem.kind) {
    case 'value-missing':
    case 'quote-not-closed':
      return true
    case 'unknown-choice':
    case 'bad-version':
      return problem.expected.some((one) => one.startsWith(word))
    case 'bad-age':
    case 'comparison-missing':
      return /^\d+(\.\d*)?(mi?)?$/.test(word)
    case 'bad-number':
      return /^0x$/.test(word)
    default:
      return false
  }
}
