import { describe, expect, it } from 'vitest'
import {
  changeVocabulary,
  deviceVocabulary,
  journalVocabulary,
  roomVocabulary,
} from '../../electron/contract/filter/vocabularies.ts'
import { deviceFields } from '../../electron/contract/fields/device.ts'
import { journalFields } from '../../electron/contract/fields/journal.ts'
import { inventoryCommands } from '../../electron/cli/commands/inventory.ts'
import { journalCommands } from '../../electron/cli/commands/journal.ts'
import { parse, usageOf, UsageError, withLongOutput, type ParsedCommand } from '../../electron/cli/grammar.ts'
import { asTable, rowsIn, sortOf, writeRecords } from '../../electron/cli/listing.ts'
import { laidOut, table } from '../../electron/cli/table.ts'
import { aTerminal } from './a-terminal.ts'

const given = (...argv: string[]): ParsedCommand =>
  parse([...inventoryCommands, ...journalCommands], withLongOutput(argv))

describe('an order on the command line', () => {
  it.each([
    [['--sort', '-lastSeenAt'], [{ column: 'lastSeenAt', descending: true }]],
    [['--sort=-lastSeenAt'], [{ column: 'lastSeenAt', descending: true }]],
    [
      ['--sort', 'status,-LASTSEENAT'],
      [
        { column: 'status', descending: false },
        { column: 'lastSeenAt', descending: true },
      ],
    ],
  ])('%j', (argv, sort) => {
    expect(sortOf(given('devices', ...argv), deviceFields)).toEqual(sort)
  })

  it.each([
    ['product,-FW', ['productName', 'firmwareVersion']],
    ['seen,pc', ['lastSeenAt', 'computerName']],
    // The name is an alias of the version in the filter, and the key of a separate column.
    ['firmware', ['firmware']],
  ])('accepts the names of the filter: %s', (words, columns) => {
    expect(sortOf(given('devices', '--sort', words), deviceFields).map(({ column }) => column)).toEqual(
      columns,
    )
  })

  it('names the available columns, with the names of the filter', () => {
    expect(() => sortOf(given('journal', '--sort', 'colour'), journalFields)).toThrow(
      /^--sort: there is no column "colour"\. There are: startedAt \(age/,
    )
  })

  it('does not consume the next option', () => {
    expect(given('devices', '--where', 'gone:yes', '--csv', '--sort', '-status').options).toEqual({
      where: 'gone:yes',
      csv: true,
      sort: '-status',
    })
    expect(() => given('devices', '--sort', '--csv')).toThrow(UsageError)
  })
})

describe('options without effect are rejected', () => {
  it.each([
    [['--columns', 'name'], '--columns works only with --csv or --jsonl.'],
    [['--columns', 'name', '--json'], '--columns works only with --csv or --jsonl.'],
    [['--delimiter', ';', '--jsonl', '--columns', 'name'], '--delimiter works only with --csv.'],
    [['--time-zone', 'UTC', '--jsonl'], '--time-zone works only with --csv, or with --jsonl and --columns.'],
    [['--csv', '--json'], 'Use only one of --csv, --json and --jsonl.'],
    [['--json', '--jsonl'], 'Use only one of --csv, --json and --jsonl.'],
    [['-o', 'jsonl', '--json'], 'Use only one of --csv, --json and --jsonl.'],
  ])('%j', (argv, message) => {
    expect(() => asTable(given('devices', ...argv))).toThrow(message)
  })

  it.each([
    [['--csv', '--columns', 'name', '--delimiter', 'tab', '--time-zone', 'UTC'], true],
    [['--jsonl', '--columns', 'name', '--time-zone', 'UTC'], true],
    [['--jsonl'], false],
    [[], false],
  ])('%j is accepted', (argv, expected) => {
    expect(asTable(given('devices', ...argv))).toBe(expected)
  })
})

it.each([
  ['devices', deviceVocabulary],
  ['rooms', roomVocabulary],
  ['changes', changeVocabulary],
  ['journal', journalVocabulary],
])('%s --help lists every key of its filter', (name, vocabulary) => {
  const help = usageOf(given(name, '--help').shape)
  for (const { key, aliases } of vocabulary)
    expect(
      help.filter((line) => line.startsWith(`  ${[key, ...aliases].join(', ')} `) && line.trim() !== key),
    ).toHaveLength(1)
})

it('a table accepts any number of rows', () => {
  const rows = Array.from({ length: 200_000 }, (_, index) => [`Device ${index}`, 'online'])
  const lines = table(['Name', 'Status'], rows)
  expect(lines.slice(0, 2).map((line) => laidOut(line, null))).toEqual([
    'Name           Status',
    'Device 0       online',
  ])
})

describe.each([1, 2, 3, 7, 8, 9, 100])('documents that come in pieces of %i characters', (size) => {
  const documents = [{ a: 1 }, { b: '\n\u2028,' }, {}]
  const whole = documents.map((one) => `${JSON.stringify(one)}\n`).join('')
  const aList = (text: string) => ({
    total: 3,
    all: 3,
    asOf: null,
    unread: 0,
    text: (async function* () {
      for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
    })(),
  })
  const written = async (lines: boolean, text: string): Promise<string> => {
    const terminal = aTerminal()
    await writeRecords(terminal, lines, '{"devices":[', aList(text))
    return terminal.output
  }

  it('are written as one document', async () => {
    expect(await written(false, whole)).toBe(`${JSON.stringify({ devices: documents })}\n`)
  })

  it('are written one on each line, with invisible characters escaped', async () => {
    expect(await written(true, whole)).toBe('{"a":1}\n{"b":"\\n\\u2028,"}\n{}\n')
  })

  it('are parsed', async () => {
    const rows: unknown[] = []
    for await (const batch of rowsIn(aList(whole))) rows.push(...batch)
    expect(rows).toEqual(documents)
  })

  it('are an empty array if there are none', async () => {
    expect([await written(false, ''), await written(true, '')]).toEqual(['{"devices":[]}\n', ''])
  })
})
