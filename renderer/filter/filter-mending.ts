import type { FilterProblem } from '../../electron/contract/filter/filter.ts'
import { text } from '../locales/i18n.ts'
import { startOfToken } from './filter-token.ts'

const OFFERED_AT_MOST = 3

/** Corrections of a problem: each suggested text and the draft that results from it. */
export function mendings(
  draft: string,
  problem: FilterProblem,
): readonly { readonly word: string; readonly draft: string }[] {
  const token = startOfToken(draft, problem.end)
  return problem.expected.slice(0, OFFERED_AT_MOST).flatMap((word) => {
    const replaced = (start: number, by: string): { word: string; draft: string } => ({
      word,
      draft: draft.slice(0, start) + by + draft.slice(problem.end),
    })
    switch (problem.kind) {
      case 'quote-not-closed':
        return [{ word: `${draft.slice(token).trimEnd()}"`, draft: `${draft.trimEnd()}"` }]
      case 'unknown-key':
        return [{ ...replaced(problem.start, word), word: `${word}:` }]
      case 'value-missing':
        return [replaced(problem.end, word)]
      default:
        // It is unknown which of several values is wrong.
        if (draft.slice(problem.start, problem.end).includes(',')) return []
        return [
          replaced(
            /^[a-z][a-z-]*:/.test(word) ? token + (draft[token] === '!' ? 1 : 0) : problem.start,
            word,
          ),
        ]
    }
  })
}

/** The problem as a sentence. */
export function problemSentence(draft: string, problem: FilterProblem): string {
  const key = /([a-z][a-z-]*):$/i.exec(draft.slice(0, problem.start))?.[1]
  return text(`filter.problem.${problem.kind}`, { word: problem.word, key: key ?? problem.word })
}
