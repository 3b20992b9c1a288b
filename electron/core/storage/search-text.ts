import { folded } from '../../contract/filter/folded.ts'

/**
 * A text whose plain order is the natural order: digits compare as numbers (`Room 9` before `Room 12`,
 * `4.2.0.9` before `4.2.0.21`). Each run of digits is prefixed with its length; leading zeros do not count.
 */
export function naturalKey(text: string): string {
  return folded(text).replaceAll(/\d+/g, (digits) => {
    const significant = digits.replace(/^0+(?=\d)/, '')
    return String(Math.min(significant.length, 99)).padStart(2, '0') + significant
  })
}

/** A LIKE pattern (with `ESCAPE '\'`) for text that contains the word anywhere. */
export function likePattern(word: string): string {
  return `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** An FTS5 phrase that contains the word; words of fewer than three letters have no trigram. */
export function matchPhrase(word: string): string {
  return `"${word.replaceAll('"', '""')}"`
}

/** Control characters become spaces, because they end a C string or confuse a tokenizer. */
export function searchable(parts: readonly (string | null)[]): string {
  return folded(parts.filter((part) => part !== null).join('\n')).replaceAll(/(?!\n)\p{Cc}/gu, ' ')
}

/** Text in the form that rows store for comparison: folded, control characters and line ends as blanks. */
export const comparable = (text: string): string => searchable([text.replaceAll('\n', ' ')])

/**
 * The value to compare instead of a text; null: the text itself is sufficient, because LIKE ignores the case
 * of ASCII letters.
 */
export const foldedWhereOther = (text: string | null): string | null =>
  text === null || /^[ -~]*$/.test(text) ? null : comparable(text)
