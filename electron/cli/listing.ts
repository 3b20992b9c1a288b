import { exportDelimiters, type ExportRequest, type ExportSubject } from '../contract/export.ts'
import type { FilterVocabulary } from '../contract/filter.ts'
import { readFilter } from '../contract/filter-reader.ts'
import type { Console } from '../core/console.ts'
import { flag, text, type Terminal } from './command.ts'
import { UsageError, type CommandShape, type ParsedCommand } from './grammar.ts'
import { moment } from './table.ts'

/** What every list at the prompt takes: the filter language of the lists on screen, an order, and text for other programs. */
export const listingOptions = {
  where: { type: 'string', help: 'a filter as in the app: \'status:offline fw:<2.1 age:>7d room:"Aarhus 3" !tag:spare\'' },
  sort: { type: 'string', help: 'columns parted by commas, - for descending: status,-lastSeenAt' },
  jsonl: { type: 'boolean', help: 'one JSON document a line' },
  csv: { type: 'boolean', help: 'comma-separated values; cells that a spreadsheet would run are neutralised' },
  columns: { type: 'string', help: 'columns of --csv and --jsonl, parted by commas' },
  delimiter: { type: 'string', help: 'of --csv: , or ; or tab' },
  'time-zone': { type: 'string', help: "of the times in --csv, such as Europe/Copenhagen (the machine's own otherwise)" },
} as const satisfies CommandShape['options']

/** The filter given; where it cannot be read, a line that points at the place, before the refusal says why. */
export function whereOf(given: ParsedCommand, terminal: Terminal, vocabulary: FilterVocabulary): string | null {
  const where = text(given, 'where')
  const [problem] = where === null ? [] : readFilter(where, vocabulary).problems
  if (where !== null && problem !== undefined && !flag(given, 'json'))
    terminal.say(`  ${where.replaceAll(/\s/g, ' ')}\n  ${' '.repeat(problem.start)}${'^'.repeat(Math.max(1, problem.end - problem.start))}`)
  return where
}

/** `status,-lastSeenAt`. */
export function sortOf<C extends string>(given: ParsedCommand, columns: readonly C[]): readonly { readonly column: C; readonly descending: boolean }[] {
  const sort = text(given, 'sort')
  if (sort === null) return []
  const entries = sort.split(',').map((word) => {
    const name = word.trim().replace(/^[-+]/, '')
    const column = columns.find((one) => one.toLowerCase() === name.toLowerCase())
    if (column === undefined) throw new UsageError(`--sort: there is no column "${name}". There are: ${columns.join(', ')}.`)
    return { column, descending: word.trim().startsWith('-') }
  })
  if (entries.length > 4) throw new UsageError('--sort: at most four columns.')
  return entries
}

/** Whether rows go out as a table for other programs (`--csv`, or `--jsonl` with columns named). */
export const asTable = (given: ParsedCommand): boolean => flag(given, 'csv') || (flag(given, 'jsonl') && text(given, 'columns') !== null)

/** Writes rows to standard output; how many and as of when goes to standard error. */
export async function writeTable(console: Console, given: ParsedCommand, terminal: Terminal, subject: ExportSubject): Promise<void> {
  if (flag(given, 'csv') && (flag(given, 'json') || flag(given, 'jsonl'))) throw new UsageError('Say one of --csv, --json and --jsonl.')
  const { id, name } = await console.desks.currentOrganization()
  const request: ExportRequest = {
    subject,
    format: flag(given, 'csv') ? 'csv' : 'jsonl',
    columns:
      text(given, 'columns')
        ?.split(',')
        .map((word) => word.trim()) ?? null,
    delimiter: delimiterOf(text(given, 'delimiter')),
    timeZone: text(given, 'time-zone') ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    viewName: null,
  }
  const { total, asOf, text: pieces } = await console.shared.exported.pieces({ organizationId: id, organizationName: name }, request)
  for await (const piece of pieces) await terminal.write(piece)
  terminal.say(`${total} ${subject.of} of ${name}, as of ${moment(asOf) ?? 'nothing read yet'}`)
}

function delimiterOf(given: string | null): ExportRequest['delimiter'] {
  const known = exportDelimiters.find((one) => one === (given === 'tab' || given === '\\t' ? '\t' : (given ?? ',')))
  if (known === undefined) throw new UsageError('--delimiter: one of , ; tab')
  return known
}

/** Written as it is read: 100,000 devices with their raw records are over 100 MB of text. */
export async function writeDocuments<T>(
  terminal: Terminal,
  lines: boolean,
  head: string,
  records: AsyncIterable<T>,
  document: (one: T) => unknown,
): Promise<void> {
  let first = true
  if (!lines) await terminal.write(head)
  for await (const one of records) {
    const written = JSON.stringify(document(one))
    await terminal.write(lines ? `${written}\n` : `${first ? '' : ','}${written}`)
    first = false
  }
  if (!lines) await terminal.write(']}\n')
}
