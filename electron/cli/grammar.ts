import { parseArgs } from 'node:util'
import { alternatives, meantWord } from '../contract/near-words.ts'

export type CommandOptions = Readonly<
  Record<string, { readonly type: 'string' | 'boolean'; readonly help: string; readonly multiple?: boolean }>
>

export interface CommandShape {
  /** The words that name the command: `firmware link`. */
  readonly name: string
  /** The operands after the name, for people: `PRODUCT VERSION`. Missing: none. */
  readonly operands?: readonly string[]
  /** Besides those of every command. Missing: none. */
  readonly options?: CommandOptions
  readonly summary: string
  /** Lines below the options in `--help`. */
  readonly notes?: readonly string[]
}

export interface ParsedCommand<S extends CommandShape = CommandShape> {
  readonly shape: S
  readonly operands: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

/** Wrong usage: exit code 2. */
export class UsageError extends Error {}

export const everywhere = {
  json: { type: 'boolean', help: 'print one JSON document on standard output' },
  wide: { type: 'boolean', help: 'tables for people uncut and without colour, as through a pipe' },
  help: { type: 'boolean', help: 'show help for this command' },
  organization: { type: 'string', help: 'the organization to use instead of the current one' },
} as const satisfies CommandOptions

const formats = ['wide', 'csv', 'json', 'jsonl']

/** `-o json` is `--json`, and so for each format. */
export function withLongOutput(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return argv.flatMap((word, at) => {
    if (end !== -1 && at > end) return [word]
    if (argv[at - 1] === '-o' && formats.includes(word)) return [`--${word}`]
    return word === '-o' && formats.includes(argv[at + 1] ?? '') ? [] : [word]
  })
}

/** Finds the command that the leading words name, and parses its operands and options strictly. */
export function parse(commands: readonly CommandShape[], argv: readonly string[]): ParsedCommand {
  const words = wordsOf(argv)
  const shape = commands
    .filter((command) => command.name.split(' ').every((word, index) => words[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (shape === undefined)
    throw new UsageError(words.length === 0 ? 'Enter a command.' : noCommand(commands, words))
  const options = Object.fromEntries(
    Object.entries({ ...everywhere, ...shape.options }).map(([name, option]) => [
      name,
      { type: option.type, multiple: 'multiple' in option && option.multiple === true },
    ]),
  )
  const rest = joined(withoutName([...argv], shape.name.split(' ')), options)
  let parsed: Parsed
  try {
    parsed = parseArgs({
      args: rest,
      options,
      allowPositionals: true,
      strict: true,
      tokens: true,
    }) as unknown as Parsed
  } catch (error) {
    // Node appends a hint about its own syntax to the first sentence.
    const said = (error as Error).message.split('. ')[0] ?? ''
    if (rest.includes('-o')) throw new UsageError(`${shape.name}: -o takes ${alternatives(formats)}.`)
    const [, unknown] = /^Unknown option '--([\w-]+)'/.exec(said) ?? []
    const meant = unknown === undefined ? null : meantWord(unknown, Object.keys(options))
    throw new UsageError(`${shape.name}: ${said}.${meant === null ? '' : ` Did you mean --${meant}?`}`)
  }
  const { operands = [] } = shape
  const required = operands.filter((operand) => !operand.startsWith('['))
  const endless = operands.some((operand) => /…]?$/.test(operand))
  if (parsed.values['help'] !== true) {
    const again = givenAgain(parsed.tokens, options)
    if (again !== undefined) throw new UsageError(`${shape.name}: --${again} can be given only once.`)
    if (parsed.positionals.length < required.length)
      throw new UsageError(`${shape.name} needs ${required.slice(parsed.positionals.length).join(' ')}.`)
    if (parsed.positionals.length > operands.length && !endless)
      throw new UsageError(notTaken(shape, parsed.positionals[operands.length] ?? ''))
    // Probably an unset variable of a script: no default is assumed.
    if (parsed.positionals.some((word) => word.trim() === ''))
      throw new UsageError(`${shape.name}: an argument is empty.`)
  }
  return { shape, operands: parsed.positionals, options: parsed.values }
}

interface Parsed {
  readonly positionals: string[]
  readonly values: ParsedCommand['options']
  readonly tokens: readonly { readonly kind: string; readonly name?: string }[]
}

/** Of two values only the last one would count: without the first filter of two, a write reaches more. */
function givenAgain(
  tokens: Parsed['tokens'],
  options: Readonly<Record<string, { readonly type: string; readonly multiple: boolean }>>,
): string | undefined {
  const single = tokens.flatMap(({ kind, name = '' }) =>
    kind === 'option' && options[name]?.type === 'string' && !options[name].multiple ? [name] : [],
  )
  return single.find((name, at) => single.indexOf(name) < at)
}

function noCommand(commands: readonly CommandShape[], words: readonly string[]): string {
  const [first = '', second] = words
  const group = commandsOf(commands, first)
  if (group.length > 0)
    return `There is no command "${[first, second].join(' ').trim()}".${meantSentence(
      second ?? '',
      group.map(({ name }) => name.slice(first.length + 1)),
      (meant) => `${first} ${meant}`,
    )}`
  return `There is no command "${words.slice(0, 2).join(' ')}".${meantSentence(first, firstWords(commands), (meant) => meant)}`
}

const meantSentence = (word: string, words: readonly string[], named: (meant: string) => string): string => {
  const meant = word === '' ? null : meantWord(word, words)
  return meant === null ? '' : ` Did you mean ${named(meant)}?`
}

const notTaken = ({ name, options = {} }: CommandShape, word: string): string =>
  `${name} does not take "${word}".${'where' in options && word.includes(':') ? ` Did you mean --where '${word}'?` : ''}`

/** `firmware` and all that begins with it. */
export const commandsOf = <S extends CommandShape>(commands: readonly S[], word: string): readonly S[] =>
  commands.filter(({ name }) => name === word || name.startsWith(`${word} `))

const firstWords = (commands: readonly CommandShape[]): readonly string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
]

/** `--sort -status` means `--sort=-status`: the one one-letter option, `-o`, is replaced before. */
function joined(
  argv: readonly string[],
  options: Readonly<Record<string, { readonly type: string }>>,
): string[] {
  const words: string[] = []
  for (const word of argv) {
    const previous = words.at(-1)
    if (
      /^-[a-z]/i.test(word) &&
      previous !== undefined &&
      options[previous.slice(2)]?.type === 'string' &&
      previous.startsWith('--')
    )
      words.splice(-1, 1, `${previous}=${word}`)
    else words.push(word)
  }
  return words
}

/** The organization may be named before the command. */
const isOrganization = (argv: readonly string[], at: number): boolean => argv[at - 1] === '--organization'

/** The words that begin with the command. */
export const wordsOf = (argv: readonly string[]): readonly string[] =>
  argv.filter((word, at) => !word.startsWith('-') && !isOrganization(argv, at))

function withoutName(argv: string[], name: string[]): string[] {
  const left = [...name]
  return argv.filter((word, at) => {
    if (left.length > 0 && word === left[0] && !isOrganization(argv, at)) {
      left.shift()
      return false
    }
    return true
  })
}

/** A part of the general help. `words`: the first words of its commands. */
export interface HelpGroup {
  readonly title: string
  readonly words: readonly string[]
}

/** Longest line of the general help, in characters: a terminal of the usual width. */
const helpWidth = 80

/** Every command by its first word, in groups, a line each. */
export function usage(
  commands: readonly CommandShape[],
  groups: readonly HelpGroup[],
  examples: readonly string[],
): string[] {
  const width = Math.max(...firstWords(commands).map((word) => word.length)) + 4
  const lines = groups.flatMap(({ title, words }) => [
    '',
    title,
    ...words.map((word) => cutAt(helpWidth, `  ${word}`.padEnd(width) + wordSummary(commands, word))),
  ])
  return [
    'headroom COMMAND [options]',
    ...lines,
    '',
    'Examples',
    ...examples.map((example) => `  headroom ${example}`),
    '',
    'headroom help COMMAND explains a command or lists those that begin with it.',
  ]
}

/** The summary of the one command of this word, or the further words of several. */
function wordSummary(commands: readonly CommandShape[], word: string): string {
  const [first, ...others] = commandsOf(commands, word)
  if (first === undefined) return ''
  const further = [first, ...others]
    .map(({ name }) => name.slice(word.length + 1))
    .filter((one) => one !== '')
  const summary = first.name === word ? (first.summary.split(/[,;:(]/)[0] ?? '').trim() : ''
  return [summary, further.join(', ')].filter((one) => one !== '').join('; also ')
}

const cutAt = (width: number, line: string): string =>
  line.length <= width ? line : `${line.slice(0, line.lastIndexOf(',', width - 3) + 1)} …`

/** The commands that begin with a word. */
export function usageOfGroup(commands: readonly CommandShape[], word: string): string[] {
  const rows = commandsOf(commands, word).map(
    ({ name, operands = [], summary }) => [`  ${[name, ...operands].join(' ')}`, summary] as const,
  )
  return [
    `headroom ${word} …`,
    '',
    ...rows.flatMap(([left, right]) => [left, `      ${right}`]),
    '',
    `headroom help ${word} COMMAND explains one of them.`,
  ]
}

export function usageOf(shape: CommandShape): string[] {
  const options = Object.entries({ ...shape.options, ...everywhere }).map(
    ([name, option]) => [`  --${name}${option.type === 'string' ? ' VALUE' : ''}`, option.help] as const,
  )
  const width = Math.max(...options.map(([left]) => left.length)) + 2
  const head = [`headroom ${[shape.name, ...(shape.operands ?? [])].join(' ')}`, shape.summary, '']
  return [...head, ...options.map(([left, right]) => left.padEnd(width) + right), ...(shape.notes ?? [])]
}
