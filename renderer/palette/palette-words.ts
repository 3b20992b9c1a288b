import uFuzzy from '@leeoniya/ufuzzy'
import type { FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { parseFilter, termText } from '../../electron/contract/filter/filter-reader.ts'
import { text } from '../locales/i18n.ts'

export const verbs = ['reboot', 'update', 'compare', 'link', 'print', 'approve', 'definitions'] as const
export type Verb = (typeof verbs)[number]
/** Without an object it is the name of a page. */
export const isPage = (verb: Verb): boolean => verb === 'definitions' || verb === 'compare'

/** What the typed text asks for: an action on what the other words find, or without a verb those alone. */
export interface Wish {
  readonly verb: Verb | null
  readonly words: string
}
const phrasesOf = (verb: Verb): readonly string[] => text(`palette.verbs.${verb}.phrases`).split(', ')

export function wishOf(typed: string): Wish {
  const whole = typed.trim()
  const lower = whole.toLowerCase()
  for (const verb of verbs)
    for (const phrase of phrasesOf(verb))
      if ((lower === phrase && !isPage(verb)) || lower.startsWith(`${phrase} `))
        return { verb, words: whole.slice(phrase.length).trim() }
  return { verb: null, words: whole }
}
/** The text that begins an action. */
export const beginningOf = (verb: Verb): string => `${phrasesOf(verb)[0] ?? ''} `

export const wordsIn = (typed: string): readonly string[] => typed.split(/\s+/).filter(Boolean)

/** The words as a filter that searches for exactly these words. */
export const whereOf = (typed: string): string =>
  wordsIn(typed)
    .map((word) => termText({ negated: false, key: null, comparison: 'has', values: [word] }))
    .join(' ')

/** Whether the text is a filter of a list, such as `fw:behind`, and not only words. */
export function isFilter(typed: string, vocabulary: FilterVocabulary): boolean {
  const { terms, problems } = parseFilter(typed, vocabulary)
  return problems.length === 0 && terms.some(({ key }) => key !== null)
}
export const isVersion = (typed: string): boolean => /^\d+(\.\d+)+$/.test(typed)

/** Without marks and capitals, also letters that Unicode does not take apart: ø is o. */
export const plain = (typed: string): string => uFuzzy.latinize(typed).toLowerCase()

/** Whether a word of the text begins with it. */
export function begins(within: string, word: string): boolean {
  for (let at = within.indexOf(word); at >= 0; at = within.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(within[at - 1] ?? '')) return true
  return false
}
/** What of a result is searched. */
interface Lines {
  readonly title: string
  readonly detail?: string | null
}
/**
 * How far a result is from what was typed: each word counts 0 where it begins a word of the title, 1 of the
 * line below, 2 inside the title, 3 elsewhere, such as in a serial number.
 */
export function distanceOf({ title, detail }: Lines, words: readonly string[]): number {
  const [first, second] = [plain(title), plain(detail ?? '')]
  return words.reduce((sum, word) => {
    const one = plain(word)
    return sum + (begins(first, one) ? 0 : begins(second, one) ? 1 : first.includes(one) ? 2 : 3)
  }, 0)
}
/** How many words are not there with the same marks: `mü` in Murphy. */
const otherMarksIn = ({ title, detail }: Lines, words: readonly string[]): number => {
  const within = `${title} ${detail ?? ''}`.toLowerCase()
  return words.filter((word) => !within.includes(word.toLowerCase())).length
}
/** The nearest first, with their distance; of equally near ones those with the marks as typed. */
export const nearestFirst = <Entry extends Lines>(
  entries: readonly Entry[],
  words: readonly string[],
  linesOf: (entry: Entry) => Lines = (one) => one,
): readonly { readonly one: Entry; readonly far: number }[] =>
  entries
    .map((one) => {
      const lines = linesOf(one)
      return { one, far: distanceOf(lines, words), others: otherMarksIn(lines, words) }
    })
    .toSorted((a, b) => a.far - b.far || a.others - b.others)
