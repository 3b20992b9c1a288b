/** At most this many entries are looked up (contract). */
const wordsAtMost = 10_000
/** A longer entry matches nothing and is shown truncated. Raise it if real ids are longer. */
const lettersAtMost = 200

/**
 * White space (including tabs), commas, semicolons, quotes of any kind, control and invisible characters
 * separate entries.
 */
const word = /[^\s,;"'`\u2018-\u201f\u00ab\u00bb\u2039\u203a\p{Cc}\p{Cf}]+/gu

/** The entries of a pasted text in order, and the number of further ones. */
export function pastedWords(text: string): { readonly words: readonly string[]; readonly notRead: number } {
  const words: string[] = []
  let notRead = 0
  for (const [found] of text.matchAll(word)) {
    if (words.length === wordsAtMost) notRead++
    else
      words.push(
        found.length > lettersAtMost ? `${[...found.slice(0, lettersAtMost)].slice(0, -1).join('')}…` : found,
      )
  }
  return { words, notRead }
}

/** Twelve hexadecimal digits, in pairs, in fours or without separators; null: not a MAC address. */
export function macIn(text: string): string | null {
  const pairs = /^[0-9a-f]{2}([:.-]?)(?:[0-9a-f]{2}\1){4}[0-9a-f]{2}$/i
  const others = /^[0-9a-f]{4}([:.-])[0-9a-f]{4}\1[0-9a-f]{4}$|^[0-9a-f]{6}[:.-][0-9a-f]{6}$/i
  return pairs.test(text) || others.test(text) ? text.replaceAll(/[:.-]/g, '').toLowerCase() : null
}
