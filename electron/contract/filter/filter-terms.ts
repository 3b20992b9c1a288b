import { alternatives } from '../near-words.ts'
import { Failed } from '../failure.ts'
import type { FilterProblem, FilterTerm, FilterVocabulary } from './filter.ts'
import { parseFilter } from './filter-reader.ts'

/**
 * The terms of a filter. Throws Failed `invalid`, field `where`, if any part is not understood: the message
 * gives the part, its position and what was expected.
 */
export function termsIn(where: string, vocabulary: FilterVocabulary): readonly FilterTerm[] {
  const { terms, problems } = parseFilter(where, vocabulary)
  const [first] = problems
  if (first !== undefined) throw Failed.invalid('where', problemSentence(where, first))
  return terms
}

/** `fw:<x at character 12: enter a version, such as behind, 2.1 or <2.1.0.` Positions start at one. */
function problemSentence(where: string, problem: FilterProblem): string {
  // A value alone says little: it is shown with its key.
  const start = problem.start - (/\S*$/.exec(where.slice(0, problem.start))?.[0].length ?? 0)
  const part = where.slice(start, problem.end)
  const quoted = [...part].length > partAtMost ? `${[...part].slice(0, partAtMost).join('')}…` : part
  return `${quoted === '' ? 'The filter' : quoted} at character ${start + 1}: ${whatIsWrong(problem)}.`
}

const partAtMost = 60

function whatIsWrong({ kind, word, expected }: FilterProblem): string {
  const such = expected.length === 0 ? '' : `, such as ${alternatives(expected.slice(0, 5))}`
  switch (kind) {
    case 'unknown-key':
      return expected.length === 0
        ? 'unknown filter'
        : `unknown filter (did you mean ${alternatives(expected)}?)`
    case 'value-missing':
      return `enter a value${such}`
    case 'unknown-choice':
      return `"${word}" is not one of ${expected.slice(0, 12).join(', ')}`
    case 'comparison-missing':
      return `an age needs < or > before it${such}`
    case 'comparison-not-taken':
      return `<, <=, > and >= are not allowed here; enter a value${such}`
    case 'bad-version':
      return `enter a version${such}`
    case 'bad-age':
      return `enter an age${such}`
    case 'bad-number':
      return `enter a whole number${such}`
    case 'never-missing':
      return 'this value is always known, so it cannot be empty'
    case 'quote-not-closed':
      return 'a closing quotation mark is missing'
    case 'too-long':
      return 'the filter is too long'
  }
}
