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
import { parse, usageOf, UsageError, type ParsedCommand } from '../../electron/cli/grammar.ts'
import { asTable, sortOf } from '../../electron/cli/listing.ts'
import { table } from '../../electron/cli/table.ts'

const given = (...argv: string[]): ParsedCommand => parse([...inventoryCommands, ...journalCommands], argv)

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
  expect(table(['Name', 'Status'], rows).slice(0, 2)).toEqual([
    'Name           Status',
    'Device 0       online',
  ])
})
