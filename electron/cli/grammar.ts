import { parseArgs } from 'node:util'

export interface CommandShape {
  /** The words that name the command: `firmware link`. */
  readonly name: string
  /** The operands after the name, for people: `PRODUCT VERSION`. */
  readonly operands: readonly string[]
  readonly options: Readonly<
    Record<
      string,
      { readonly type: 'string' | 'boolean'; readonly help: string; readonly multiple?: boolean }
    >
  >
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
  help: { type: 'boolean', help: 'show help for this command' },
  organization: { type: 'string', help: 'the organization to use instead of the current one' },
} as const satisfies CommandShape['options']

/** Finds the command that the leading words name, and parses its operands and options strictly. */
export function parse(commands: readonly CommandShape[], argv: readonly string[]): ParsedCommand {
  const words = argv.filter((word) => !word.startsWith('-'))
  const shape = commands
    .filter((command) => command.name.split(' ').every((word, index) => words[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (shape === undefined)
    throw new UsageError(
      words.length === 0 ? 'Enter a command.' : `There is no command "${words.slice(0, 2).join(' ')}".`,
    )
  const options = Object.fromEntries(
    Object.entries({ ...everywhere, ...shape.options }).map(([name, option]) => [
      name,
      { type: option.type, multiple: 'multiple' in option && option.multiple === true },
    ]),
  )
  const rest = joined(withoutName([...argv], shape.name.split(' ')), options)
  let parsed: { positionals: string[]; values: ParsedCommand['options'] }
  try {
    parsed = parseArgs({ args: rest, options, allowPositionals: true, strict: true }) as typeof parsed
  } catch (error) {
    // Node appends a hint about its own syntax to the first sentence.
    throw new UsageError(`${shape.name}: ${(error as Error).message.split('. ')[0] ?? ''}.`)
  }
  const required = shape.operands.filter((operand) => !operand.startsWith('['))
  const endless = shape.operands.some((operand) => /…]?$/.test(operand))
  if (parsed.values['help'] !== true) {
    if (parsed.positionals.length < required.length)
      throw new UsageError(`${shape.name} needs ${required.slice(parsed.positionals.length).join(' ')}.`)
    if (parsed.positionals.length > shape.operands.length && !endless)
      throw new UsageError(
        `${shape.name} does not take "${parsed.positionals[shape.operands.length] ?? ''}".`,
      )
    // Probably an unset variable of a script: no default is assumed.
    if (parsed.positionals.some((word) => word.trim() === ''))
      throw new UsageError(`${shape.name}: an argument is empty.`)
  }
  return { shape, operands: parsed.positionals, options: parsed.values }
}

/** `--sort -status` means `--sort=-status`: no one-letter options exist that it could be mistaken for. */
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

function withoutName(argv: string[], name: string[]): string[] {
  const left = [...name]
  return argv.filter((word) => {
    if (left.length > 0 && word === left[0]) {
      left.shift()
      return false
    }
    return true
  })
}

export function usage(commands: readonly CommandShape[]): string[] {
  const lines = commands.map(
    (command) => [`  ${[command.name, ...command.operands].join(' ')}`, command.summary] as const,
  )
  const width = Math.max(...lines.map(([left]) => left.length)) + 2
  return [
    'headroom COMMAND [options]',
    '',
    ...lines.map(([left, right]) => left.padEnd(width) + right),
    '',
    'headroom COMMAND --help shows help for a command.',
  ]
}

export function usageOf(shape: CommandShape): string[] {
  const options = Object.entries({ ...shape.options, ...everywhere }).map(
    ([name, option]) => [`  --${name}${option.type === 'string' ? ' VALUE' : ''}`, option.help] as const,
  )
  const width = Math.max(...options.map(([left]) => left.length)) + 2
  const head = [`headroom ${[shape.name, ...shape.operands].join(' ')}`, shape.summary, '']
  return [...head, ...options.map(([left, right]) => left.padEnd(width) + right), ...(shape.notes ?? [])]
}
