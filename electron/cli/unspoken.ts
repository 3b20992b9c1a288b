/** As the portal makes keys (observed), and what other tokens look like: long, of small letters, capitals and digits. Chosen. */
const looksLikeKey = (word: string): boolean =>
  /^[0-9a-f]{32}$/i.test(word) ||
  (/^[\w+/=-]{24,}$/.test(word) && [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(word)))

/** Words of `headroom key …` that are no slip of somebody who typed a key. */
const ordinary: ReadonlySet<string> = new Set([
  'key',
  'set',
  'check',
  'rotate',
  'regenerated',
  'forget',
  'primary',
  'secondary',
])
/** A shorter word of `headroom key …` stands in too many sentences to be taken out of them. Chosen. */
const wordFrom = 6

/**
 * Takes out of a message what was typed and is, or may be, a key in the wrong place: logs of scripts keep what is said. After `key` that is
 * every word that is none of the command's own; elsewhere what looks like a key. `key`: that of the environment.
 */
export function unspoken(argv: readonly string[], key: string | null): (message: string) => string {
  const typed = argv.flatMap((word) => [word, ...word.replace(/^-+/, '').split(/[=,]/)])
  const isAboutKeys = argv.find((word) => !word.startsWith('-')) === 'key'
  const isOrdinary = (word: string): boolean =>
    ordinary.has(word) || /^(?:-|json$|help$|slot$|stdin$|bind$|organization$)/.test(word)
  const secrets = typed.filter(
    (word) => looksLikeKey(word) || (isAboutKeys && word.length >= wordFrom && !isOrdinary(word)),
  )
  const longestFirst = [...new Set([...secrets, ...(key === null ? [] : [key])])].sort(
    (one, other) => other.length - one.length,
  )
  const spelled = longestFirst.flatMap((word) => [word, JSON.stringify(word).slice(1, -1)])
  return (message) => spelled.reduce((clean, word) => clean.replaceAll(word, '[not repeated]'), message)
}
