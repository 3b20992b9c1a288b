import { commandsOf, everywhere, type CommandOptions, type CommandShape, type HelpGroup } from './grammar.ts'

/** `headroom.1`, in the macros of man(7). */
export function manPage(
  commands: readonly CommandShape[],
  groups: readonly HelpGroup[],
  version: string,
): string[] {
  return [
    `.TH HEADROOM 1 "" "Headroom ${version}"`,
    '.SH NAME',
    String.raw`headroom \- headsets, speakerphones and meeting-room devices of an organization`,
    '.SH SYNOPSIS',
    String.raw`.B headroom`,
    String.raw`.I COMMAND`,
    '[options]',
    ...groups.flatMap(({ title, words }) => [
      `.SH ${title.toUpperCase()}`,
      ...words.flatMap((word) => commandsOf(commands, word).flatMap(commandLines)),
    ]),
    '.SH OPTIONS OF EVERY COMMAND',
    ...optionLines(everywhere),
    '.SH EXIT STATUS',
    ...['0', 'done', '2', 'wrong usage', '3', 'failed, or a list that was begun is incomplete'].flatMap(pair),
    ...['4', 'partly done, or unconfirmed: it may have been carried out'].flatMap(pair),
    ...['130', 'ended by Ctrl+C before anything was done'].flatMap(pair),
    '.SH ENVIRONMENT',
    ...['HEADROOM_HOME', 'the folder for everything that is stored, except keys'].flatMap(pair),
    ...['HEADROOM_KEY', 'a subscription key for one run'].flatMap(pair),
    ...['NO_COLOR', 'no colours'].flatMap(pair),
  ]
}

/** The first of two is a term, the second its meaning. */
const pair = (text: string, at: number): readonly string[] =>
  at % 2 === 0 ? ['.TP', `.B ${roff(text)}`] : [roff(text)]

const commandLines = ({
  name,
  operands = [],
  options = {},
  summary,
  notes = [],
}: CommandShape): readonly string[] => [
  `.SS headroom ${roff([name, ...operands].join(' '))}`,
  roff(summary),
  ...optionLines(options),
  // Some are rows of a table.
  ...(notes.length === 0 ? [] : ['.PP', '.nf', ...notes.map(roff), '.fi']),
]

const optionLines = (options: CommandOptions): readonly string[] =>
  Object.entries(options).flatMap(([name, { type, help }]) =>
    [`--${name}${type === 'string' ? ' VALUE' : ''}`, help].flatMap(pair),
  )

/** Text of one line: a backslash and a hyphen are themselves, a dot or quote at its start is no macro, and all is ASCII. */
const roff = (text: string): string =>
  text
    .trim()
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^[.']/, String.raw`\&$&`)
    .replaceAll(
      /[^ -~]/gu,
      (one) => `\\[u${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
