import { wordsOf } from './grammar.ts'

/**
 * Keys as the portal makes them (services.md#B44), and other tokens: long, with lower-case letters, capitals
 * and digits. Change it if the portal issues another form.
 */
const looksLikeKey = (word: string): boolean =>
  /^[0-9a-f]{32}$/i.test(word) ||
  (/^[\w+/=-]{24,}$/.test(word) &&
    !isPath.test(word) &&
    [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(word)))
/** From the root: a sentence about a file must say which. */
const isPath = /^\/\w[^/]*\/[^=]*$/

/** Arguments of `headroom key …` that belong to the command and are no typed key. */
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
/**
 * A shorter argument of `headroom key …` occurs in too many sentences to be removed from them. Change it if
 * keys can be shorter.
 */
const wordFrom = 6

/**
 * Removes from a message typed arguments that are, or may be, a key in the wrong place, because messages
 * remain in the logs of scripts. For `headroom key` it removes every argument that does not belong to the
 * command; for other commands every argument that looks like a key. `key`: the key of the environment.
 */
export function redactionOf(argv: readonly string[], key: string | null): (message: string) => string {
  const typed = argv.flatMap((word) => [word, ...word.replace(/^-+/, '').split(/[=,]/)])
  const isAboutKeys = wordsOf(argv)[0] === 'key'
  const isOrdinary = (word: string): boolean =>
    ordinary.has(word) || /^(?:-|json$|help$|slot$|stdin$|organization$)/.test(word)
  const secrets = typed.filter(
    (word) => looksLikeKey(word) || (isAboutKeys && word.length >= wordFrom && !isOrdinary(word)),
  )
  const longestFirst = [...new Set([...secrets, ...(key === null ? [] : [key])])].sort(
    (one, other) => other.length - one.length,
  )
  const spelled = longestFirst.flatMap((word) => [word, JSON.stringify(word).slice(1, -1)])
  return (message) => spelled.reduce((clean, word) => clean.replaceAll(word, '[not repeated]'), message)
}
