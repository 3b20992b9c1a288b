/** The words in order of their likeness to a typed one: those that begin with it, then by edit distance. */
export function nearestFirst(word: string, words: readonly string[]): readonly string[] {
  const lower = word.toLowerCase()
  return words
    .map((one) => ({ one, far: one.startsWith(lower) ? -1 : distance(lower, one) }))
    .sort((a, b) => a.far - b.far)
    .map(({ one }) => one)
}

/** Edit distance of two words: letters to change, add or remove. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === b[j] ? 0 : 1)),
      )
    row = next
  }
  return row[b.length] ?? 0
}

/** More letters to change are no slip of the fingers. Chosen. */
const slipAtMost = 2

/** The word that was meant; null: none is near enough. */
export function meantWord(word: string, words: readonly string[]): string | null {
  const [nearest] = nearestFirst(word, words)
  const isNear =
    nearest !== undefined &&
    (nearest.startsWith(word.toLowerCase()) ||
      distance(word.toLowerCase(), nearest) <= Math.min(slipAtMost, Math.floor(word.length / 2)))
  return isNear ? nearest : null
}
