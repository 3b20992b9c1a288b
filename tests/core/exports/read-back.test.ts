import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvWriter, jsonLinesWriter, type ExportHead } from '../../../electron/core/exports/table-text.ts'
import { spreadsheetWriter } from '../../../electron/core/exports/spreadsheet-file.ts'
import type { ExportValue } from '../../../electron/core/exports/export-columns.ts'
import { cases } from '../../setup/cases.ts'
import { parseCsv, readWorkbook, strayLineBreaks } from './read-back.ts'

const head: ExportHead = {
  organization: 'Nordlys A/S',
  of: 'devices',
  view: null,
  rows: '',
  asOf: null,
  exportedAt: '',
  timeZone: 'UTC',
  total: 0,
}
const columns = (count: number): string[] => ['Name', 'User', 'Device id'].slice(0, count)

/** Text that a spreadsheet of any language would run is neutralized, everything else is unchanged. */
function neutral(cell: string, delimiter: string): string {
  const begins = [';', ',', '\t', '\r', '\n'].filter((sign) => sign !== delimiter)
  const text = Array.from({ length: cell.length }, (_, at) => {
    const isBegin =
      at === 0 ? /^\s/.test(cell) && !begins.includes(cell[0] ?? '') : begins.includes(cell[at - 1] ?? '')
    return `${isBegin && /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell.slice(at)) ? "'" : ''}${cell[at] ?? ''}`
  }).join('')
  return /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
}

function csvOf(rows: readonly (readonly ExportValue[])[], delimiter = ','): string {
  const writer = csvWriter(delimiter, false)
  const names = columns(rows[0]?.length ?? 1)
  return [writer.begin(head, names, names), writer.rows(rows), writer.end()].join('')
}

test('any text in a CSV cell is parsed as the same rows and cells by another program', () => {
  const sign = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom('\n', '\r', '\r\n', '"', ',', ';', '\t', '=', "'"),
  )
  const cell = fc.string({ unit: sign })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(',', ';', '\t'),
      (rows, delimiter) => {
        const text = csvOf(rows, delimiter)
        expect([parseCsv(text, delimiter), strayLineBreaks(text)]).toEqual([
          [columns(3), ...rows.map((row) => row.map((given) => neutral(given, delimiter)))],
          [],
        ])
      },
    ),
    { numRuns: cases(2_000) },
  )
})

test.each(['\n', '\r', '\r\n', '\n\r', '\u2028', '\u0085', '\v', '\f'])(
  'the line break %j in a CSV cell adds no row and no formula',
  (lineBreak) => {
    const name = `Hall${lineBreak}=cmd|' /C calc'!A0`
    const text = csvOf([
      [name, 'D1'],
      ['Bar', 'D2'],
    ])
    expect([parseCsv(text), strayLineBreaks(text)]).toEqual([
      [columns(2), [neutral(name, ','), 'D1'], ['Bar', 'D2']],
      [],
    ])
  },
)

test('a CSV row of one empty cell is a row for parsers that skip empty lines', () => {
  expect(csvOf([[null], [''], ['astrid']]).split('\r\n')).toEqual(['Name', '""', '""', 'astrid', ''])
})

test('JSON Lines have one line each for parsers that accept other line separators', () => {
  const name = 'Hall\n\r\u0085\u2028\u2029\u{E0001}7'
  const writer = jsonLinesWriter(false)
  writer.begin(head, ['name'], ['Name'])
  const lines = String(writer.rows([[name], ['Bar']])).split(/[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/)
  expect([lines.length, ...lines.slice(0, 2).map((line) => JSON.parse(line) as unknown)]).toEqual([
    3,
    { name },
    { name: 'Bar' },
  ])
})

test('text in XLSX is read back unchanged: line breaks, quotes, and text that looks like a character reference', () => {
  const names = [
    'a\nb',
    'a\rb',
    'a\r\nb',
    '"',
    '=1+1',
    '_x003D_1+1',
    '_x005F_x003D_',
    '_x00_',
    '_X000a_',
    ' a ',
    '<b>&amp;</b>',
  ]
  const writer = spreadsheetWriter(true)
  const pieces = [
    writer.begin(head, ['name'], ['Name']),
    writer.rows(names.map((name) => [name])),
    writer.end(),
  ] as Uint8Array[]
  const { rows } = readWorkbook(Buffer.concat(pieces))
  expect(rows.slice(2)).toEqual(names.map((name, index) => [`A${index + 3}=${name}`]))
})

test('the columns of a workbook after Z are AA and AB', () => {
  const labels = Array.from({ length: 28 }, (_, at) => `Column ${at + 1}`)
  const writer = spreadsheetWriter(false)
  const pieces = [writer.begin(head, labels, labels), writer.end()] as Uint8Array[]
  const [line] = readWorkbook(Buffer.concat(pieces)).rows
  expect(line?.slice(24)).toEqual(['Y1=Column 25', 'Z1=Column 26', 'AA1=Column 27', 'AB1=Column 28'])
})
