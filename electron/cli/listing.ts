import { exportDelimiters, exportPresets } from '../contract/export.ts'
import type { ListGroup } from '../contract/api/devices.ts'
import type { ExportSubject, OpenedExport, OpenRequest } from '../contract/api/exports.ts'
import { keysWith, type Field, type KeysWith, type SortBy } from '../contract/fields/field.ts'
import type { FilterKey, FilterVocabulary } from '../contract/filter/filter.ts'
import { parseFilter } from '../contract/filter/filter-reader.ts'
import { systemTimeZone } from '../contract/time-zone.ts'
import { unseen, withUnseenEscaped } from '../contract/unseen.ts'
import type { CoreClient } from './core-client.ts'
import { flag, show, text, type Terminal } from './command.ts'
import { UsageError, type CommandOptions, type ParsedCommand } from './grammar.ts'
import { counted, moment, table } from './table.ts'

/**
 * Options of every list of the command line: the filter language of the lists on screen, a sort order, and
 * text for other programs.
 */
export const listingOptions = {
  where: {
    type: 'string',
    help: 'a filter as in the app: \'status:offline fw:<2.1 age:>7d room:"Aarhus 3" !tag:spare\'',
  },
  sort: {
    type: 'string',
    help: 'columns, or their filter names, separated by commas, - for descending: status,-lastSeenAt',
  },
  jsonl: { type: 'boolean', help: 'one JSON document per line' },
  csv: {
    type: 'boolean',
    help: 'comma-separated values; formulas are neutralized',
  },
  columns: { type: 'string', help: 'columns of --csv and --jsonl, separated by commas' },
  delimiter: { type: 'string', help: 'of --csv: , or ; or tab' },
  'time-zone': {
    type: 'string',
    help: 'time zone of the times in --csv and --jsonl --columns, such as Europe/Copenhagen (default: that of this computer)',
  },
} as const satisfies CommandOptions

export const presetOption = {
  preset: {
    type: 'string',
    help: `with --csv: columns and headings that a program imports: ${exportPresets.join(', ')}`,
  },
} as const satisfies CommandOptions

/** The name of one row of each list. */
const recordsOf: Readonly<Record<ExportSubject['of'], string>> = {
  devices: 'device',
  rooms: 'room',
  changes: 'change',
  journal: 'journal line',
  jobs: 'job',
  job: 'item',
  drift: 'device',
  plan: 'item',
  rows: 'row',
}

/**
 * The given filter. If it cannot be parsed, a line points at the position before the refusal gives the
 * reason.
 */
export function whereOf(
  given: ParsedCommand,
  terminal: Terminal,
  vocabulary: FilterVocabulary,
): string | null {
  const where = text(given, 'where')
  const [problem] = where === null ? [] : parseFilter(where, vocabulary).problems
  if (where !== null && problem !== undefined && !flag(given, 'json'))
    terminal.say([
      `  ${where.replaceAll(unseen, ' ')}`,
      `  ${' '.repeat(problem.start)}${'^'.repeat(Math.max(1, problem.end - problem.start))}`,
    ])
  return where
}

/**
 * The filter of a command that writes: an empty one would match everything and is often an unset variable of
 * a script.
 */
export function writtenWhereOf(
  given: ParsedCommand,
  terminal: Terminal,
  vocabulary: FilterVocabulary,
): string | null {
  const where = whereOf(given, terminal, vocabulary)
  if (where?.trim() === '')
    throw new UsageError(
      `${given.shape.name}: --where is empty. To match everything listed, use --where gone:no.`,
    )
  return where
}

/**
 * The text of `--help` about the filter language: every key with its values, from the vocabulary that parses
 * them.
 */
export function filterNotes(vocabulary: FilterVocabulary, freeTextFields: string): readonly string[] {
  const lines = vocabulary.map((one) => [`  ${[one.key, ...one.aliases].join(', ')}`, valuesOf(one)] as const)
  const width = Math.max(...lines.map(([left]) => left.length)) + 2
  return [
    '',
    'A filter is a list of KEY:VALUE conditions separated by spaces. All must match; of several values separated by commas, one must match.',
    `Text without a key is searched in ${freeTextFields}.`,
    ...lines.map(([left, right]) => left.padEnd(width) + right),
    'KEY:"" matches unknown values. !KEY:VALUE excludes matches, so it also finds unknown values. Put values with spaces, commas or colons in quotation marks.',
    ...(vocabulary.some(({ key }) => key === 'gone')
      ? ['Without a gone condition, records no longer listed are left out.']
      : []),
  ]
}

function valuesOf({ kind, choices }: FilterKey): string {
  const words = choices.join(', ')
  switch (kind) {
    case 'text':
      return 'found anywhere in the value; with = before it: the whole value'
    case 'word':
      return `the whole value, upper or lower case${words === '' ? '' : `: ${words}, or a value of the service`}`
    case 'choice':
      return words
    case 'version':
      return `2.1 (2.1.0, 2.1.4, not 2.10), =2.1.0, <2.1.0, >=3${words === '' ? '' : `; ${words}`}`
    case 'age':
      return '>7d, <12h, >30min; s, min, h, d, w, mo, y'
    case 'number':
      return '6, >6, <=2'
    case 'product-id':
      return '9395; in hexadecimal 0x2345, or 24B3 if it contains a letter'
  }
}

/** `status,-lastSeenAt`. */
export function sortOf<F extends readonly Field[]>(
  given: ParsedCommand,
  fields: F,
): SortBy<KeysWith<F, 'sort'>> {
  const sort = text(given, 'sort')
  if (sort === null) return []
  const entries = sort.split(',').map((word) => ({
    column: columnNamed(word.trim().replace(/^[-+]/, ''), fields, 'sort', '--sort: there is no column'),
    descending: word.trim().startsWith('-'),
  }))
  if (entries.length > 4) throw new UsageError('--sort: at most four columns.')
  return entries
}

/** The same as a member of a query, missing if not given. */
export function orderOf<F extends readonly Field[]>(
  given: ParsedCommand,
  fields: F,
): { readonly sort?: ReturnType<typeof sortOf<F>> } {
  const sort = sortOf(given, fields)
  return sort.length === 0 ? {} : { sort }
}

export const groupByOption = (fields: readonly Field[]): CommandOptions => ({
  'group-by': {
    type: 'string',
    help: `count rows, and rows that need attention, by ${namesOf(fields, 'group')}`,
  },
})

/** The field by which rows are counted; null: rows are listed. */
export function groupColumnOf<F extends readonly Field[]>(
  given: ParsedCommand,
  fields: F,
): KeysWith<F, 'group'> | null {
  const name = text(given, 'group-by')
  if (name === null) return null
  const other = Object.keys({ ...listingOptions, ...presetOption }).find(
    (option) => option !== 'where' && option in given.options,
  )
  if (other !== undefined) throw new UsageError(`--${other} cannot be used with --group-by.`)
  return columnNamed(name, fields, 'group', '--group-by: there is no field')
}

const keysOf = ({ filter }: Field): readonly string[] =>
  filter === undefined ? [] : [filter.key, ...(filter.aliases ?? [])]

/** `productName (product), status`: the columns for `use`, with their filter keys. */
const namesOf = (fields: readonly Field[], use: 'sort' | 'group'): string =>
  fields
    .filter((field) => field[use] !== undefined)
    .map((field) => {
      const words = keysOf(field).filter((word) => word !== field.key)
      return words.length === 0 ? field.key : `${field.key} (${words.join(', ')})`
    })
    .join(', ')

/**
 * The column for `use` with this key, else with this filter key, in any case. Throws UsageError if there is
 * none.
 */
function columnNamed<F extends readonly Field[], U extends 'sort' | 'group'>(
  name: string,
  fields: F,
  use: U,
  thereIsNo: string,
): KeysWith<F, U> {
  const keys = keysWith(fields, use)
  const wanted = name.toLowerCase()
  const word = fields.find((field) => field[use] !== undefined && keysOf(field).includes(wanted))?.key
  const found = keys.find((key) => key.toLowerCase() === wanted) ?? keys.find((key) => key === word)
  if (found === undefined) throw new UsageError(`${thereIsNo} "${name}". There are: ${namesOf(fields, use)}.`)
  return found
}

/** `heads`: what is counted, and which of them call for work. */
export function showGroups(
  given: ParsedCommand,
  terminal: Terminal,
  found: readonly ListGroup[],
  heads: readonly [string, string],
): void {
  const groups = found.map(({ label, count, needing }) => ({ value: label, count, needing }))
  show(given, terminal, { total: groups.length, groups }, () =>
    groups.length === 0
      ? 'Nothing matches.'
      : table(
          ['Value', ...heads],
          groups.map(({ value, count, needing }) => [value, count, needing]),
        ),
  )
}

/**
 * Whether rows are written as a table for other programs (`--csv`, or `--jsonl` with columns named). Throws
 * UsageError for options without effect.
 */
export function asTable(given: ParsedCommand): boolean {
  const csv = flag(given, 'csv')
  if (['csv', 'json', 'jsonl'].filter((format) => flag(given, format)).length > 1)
    throw new UsageError('Use only one of --csv, --json and --jsonl.')
  const named = text(given, 'columns') !== null
  if (named && !csv && !flag(given, 'jsonl'))
    throw new UsageError('--columns works only with --csv or --jsonl.')
  if (text(given, 'preset') !== null && (!csv || named))
    throw new UsageError('--preset works only with --csv, and without --columns.')
  if (text(given, 'delimiter') !== null && !csv) throw new UsageError('--delimiter works only with --csv.')
  const asRows = csv || named
  if (text(given, 'time-zone') !== null && !asRows)
    throw new UsageError('--time-zone works only with --csv, or with --jsonl and --columns.')
  return asRows
}

/** The owner makes these while this process writes earlier ones: as fast as a stream (measured). */
const piecesAhead = 6

/** An open list. Its text can be read once. */
type OpenList = Omit<OpenedExport, 'id'> & { readonly text: AsyncIterable<string> }

async function openText(core: CoreClient, request: OpenRequest): Promise<OpenList> {
  const { id, ...opened } = await core.handlers.exports.open(request)
  const ask = (): ReturnType<typeof core.handlers.exports.next> => {
    const next = core.handlers.exports.next({ id })
    next.catch(() => undefined)
    return next
  }
  const pieces = async function* (): AsyncIterable<string> {
    const asked = Array.from({ length: piecesAhead }, ask)
    for (
      let piece = await asked.shift();
      piece !== null && piece !== undefined;
      piece = await asked.shift()
    ) {
      asked.push(ask())
      yield piece.text
    }
  }
  return { ...opened, text: pieces() }
}

/** A list as documents, for `writeRecords` or `rowsIn`. `stages`: those of `--include-stage`. */
export const openList = (
  core: CoreClient,
  subject: ExportSubject,
  format: 'rows' | 'records',
  stages: OpenRequest['stages'] | null = null,
): Promise<OpenList> =>
  openText(core, {
    subject,
    format,
    columns: null,
    delimiter: ',',
    // Documents have numbers for times.
    timeZone: 'UTC',
    viewName: null,
    ...(stages === null ? {} : { stages }),
  })

/**
 * Writes rows to standard output; their count and the time of the data go to standard error. Returns the
 * number of products whose releases were never read (`stages`: those of `--include-stage`).
 */
export async function writeTable(
  core: CoreClient,
  given: ParsedCommand,
  terminal: Terminal,
  subject: ExportSubject,
  stages: OpenRequest['stages'] | null = null,
): Promise<number> {
  const { name } = await core.handlers.organizations.current()
  const {
    total,
    asOf,
    unread,
    text: pieces,
  } = await openText(core, {
    subject,
    format: flag(given, 'csv') ? 'csv' : 'jsonl',
    columns:
      text(given, 'columns')
        ?.split(',')
        .map((word) => word.trim()) ?? null,
    delimiter: delimiterOf(text(given, 'delimiter')),
    timeZone: text(given, 'time-zone') ?? systemTimeZone(),
    viewName: null,
    ...presetOf(text(given, 'preset')),
    ...(stages === null ? {} : { stages }),
  })
  for await (const piece of pieces) await terminal.write(piece)
  terminal.say(`${counted(total, recordsOf[subject.of])} of ${name}, as of ${moment(asOf) ?? 'no sync yet'}`)
  return unread
}

function presetOf(given: string | null): Pick<OpenRequest, 'preset'> {
  if (given === null) return {}
  const preset = exportPresets.find((one) => one === given)
  if (preset === undefined) throw new UsageError(`--preset: one of ${exportPresets.join(', ')}`)
  return { preset }
}

function delimiterOf(given: string | null): OpenRequest['delimiter'] {
  const known = exportDelimiters.find(
    (one) => one === (given === 'tab' || given === '\\t' ? '\t' : (given ?? ',')),
  )
  if (known === undefined) throw new UsageError('--delimiter: one of , ; tab')
  return known
}

/** Written row by row: 100,000 devices with their raw records are over 100 MB of text. */
export async function writeDocuments<T>(
  terminal: Terminal,
  head: string,
  records: AsyncIterable<T>,
  document: (one: T) => unknown,
): Promise<void> {
  let first = true
  await terminal.write(head)
  for await (const one of records) {
    await terminal.write(`${first ? '' : ','}${JSON.stringify(document(one))}`)
    first = false
  }
  await terminal.write(']}\n')
}

/** The documents of a list as one document (`head` and their array), or one on each line. */
export async function writeRecords(
  terminal: Terminal,
  lines: boolean,
  head: string,
  { text: pieces }: OpenList,
): Promise<void> {
  if (!lines) await terminal.write(head)
  let between = ''
  for await (const piece of pieces) {
    if (lines) {
      await terminal.write(piece.split('\n').map(withUnseenEscaped).join('\n'))
      continue
    }
    const isEnd = piece.endsWith('\n')
    await terminal.write(between + (isEnd ? piece.slice(0, -1) : piece).replaceAll('\n', ','))
    between = isEnd ? ',' : ''
  }
  if (!lines) await terminal.write(']}\n')
}

/** The documents of a list, in batches. */
export async function* rowsIn<Row>({ text: pieces }: OpenList): AsyncIterable<readonly Row[]> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield lines.map((line) => JSON.parse(line) as Row)
  }
}
