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

/** Names to offer. Chosen. */
const offeredAtMost = 3

/**
 * What was not found, and the names that may have been meant: those in which a run of as many words is a slip of
 * the fingers away, one letter in four, the nearest first. `Cers (did you mean Ceres 2.20?)`.
 */
export function withMeant(what: string, typed: string, names: readonly string[]): string {
  const wanted = typed.trim().toLowerCase()
  const count = wanted.split(/\s+/).length
  const atMost = Math.min(slipAtMost, Math.floor(wanted.length / 4))
  const farOf = (name: string): number => {
    const words = name.trim().toLowerCase().split(/\s+/)
    const runs = words.map((_, at) => words.slice(at, at + count).join(' '))
    return Math.min(
      ...runs
        .filter((run) => Math.abs(run.length - wanted.length) <= atMost)
        .map((run) => distance(wanted, run)),
    )
  }
  const near = [...new Set(names)]
    .map((name) => ({ name, far: farOf(name) }))
    .filter(({ far }) => far <= atMost)
    .sort((a, b) => a.far - b.far)
    .slice(0, offeredAtMost)
  // One of this name exists: it was not mistyped.
  if (near.length === 0 || near[0]?.far === 0) return what
  return `${what} (did you mean ${alternatives(near.map(({ name }) => name))}?)`
}

export const alternatives = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`
