import type { JournalLine } from '../../contract/journal.ts'
import { show, text, type Command } from '../command.ts'
import { UsageError } from '../grammar.ts'
import { moment, table } from '../table.ts'

const linesAtOnce = 500

export const journalCommands: readonly Command[] = [
  {
    name: 'journal',
    operands: [],
    options: {
      text: { type: 'string', help: 'only lines that hold these words' },
      subject: { type: 'string', help: 'only lines that name the device or room with this id' },
      count: { type: 'string', help: `how many lines, newest first (100; at most ${linesAtOnce})` },
      start: { type: 'string', help: 'how many of the newest to leave out (0)' },
    },
    summary: 'every write that was sent or about to be, newest first, and how it ended',
    run: async (console, given, terminal) => {
      const page = await console.answers.journal.list({
        text: text(given, 'text') ?? '',
        subjectId: text(given, 'subject'),
        start: numberOf('start', text(given, 'start') ?? '0', Number.MAX_SAFE_INTEGER),
        count: numberOf('count', text(given, 'count') ?? '100', linesAtOnce),
      })
      show(given, terminal, page, () =>
        page.lines.length === 0
          ? 'Nothing was written.'
          : `${table(
              ['When', 'Who', 'Operation', 'Of', 'Outcome', 'Status', 'Message'],
              page.lines.map((line) => [
                moment(line.startedAt),
                line.who,
                line.operation,
                `${line.target.of} ${line.target.name ?? line.target.id}`,
                outcomeOf(line),
                line.status,
                line.message,
              ]),
            )}\n${page.lines.length} of ${page.total} lines`,
      )
      return 0
    },
  },
]

/** A line without an end: the program ended in between, or another one is at it just now. */
const outcomeOf = ({ outcome }: JournalLine): string => outcome ?? 'end unknown'

function numberOf(option: string, value: string, most: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
  if (!(number <= most)) throw new UsageError(`--${option} must be a whole number from 0 to ${most}.`)
  return number
}
