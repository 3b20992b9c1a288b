import { stringify } from 'csv-stringify/sync'
import { jsonLine } from '../../contract/unseen.ts'
import type { ExportValue } from './export-columns.ts'

/** The description of a file before its rows. */
export interface ExportHead {
  readonly organization: string
  readonly of: string
  /** A saved view's name; null: none. */
  readonly view: string | null
  /** The filter as typed, or the number of selected rows. */
  readonly rows: string
  /** The oldest observation in the exported data, ISO 8601; null: nothing was read yet. */
  readonly asOf: string | null
  readonly exportedAt: string
  readonly timeZone: string
  readonly total: number
}

/** How a format turns rows into pieces of a file. A cell is text, a number or empty; rows come in batches. */
export interface TableWriter<Row = readonly ExportValue[]> {
  begin(head: ExportHead, keys: readonly string[], labels: readonly string[]): string | Uint8Array
  rows(rows: readonly Row[]): string | Uint8Array
  end(): string | Uint8Array
}

/**
 * A cell that a spreadsheet would run as a formula, also after blanks, gets an apostrophe before it, which makes it text (partly by
 * csv-stringify). So does a formula inside a cell after a line break or another separator than the file's: a spreadsheet whose
 * language separates by it begins a cell there, quoted or not. A cell with any kind of line break is quoted, because other programs
 * accept each kind as the end of a row.
 */
export function csvWriter(delimiter: string, isFile: boolean, headLine = isFile): TableWriter {
  const others = [';', ',', '\t'].filter((one) => one !== delimiter).join('')
  const formula = new RegExp(`([${others}\r\n]|^(?=\\s))(?=\\s*[=+\\-@\uFF1D\uFF0B\uFF0D\uFF20])`, 'g')
  const text = (cell: string | number | null): string | number | null =>
    typeof cell === 'string' ? cell.replaceAll(formula, "$1'") : cell
  const lines = (rows: readonly (readonly ExportValue[])[]): string =>
    stringify(
      rows.map((row) => row.map((cell) => text(flat(cell)))),
      // A row with one empty cell would be an empty line, which readers skip.
      {
        delimiter,
        record_delimiter: 'windows',
        quote_record_delimiter: true,
        quoted_empty: rows[0]?.length === 1,
        escape_formulas: true,
      },
    )
  return {
    // The byte order mark tells spreadsheets that the text is UTF-8.
    begin: (head, _keys, labels) =>
      `${isFile ? '\uFEFF' : ''}${headLine ? lines([[headSentence(head)]]) : ''}${lines([labels])}`,
    rows: lines,
    end: () => '',
  }
}

export function jsonWriter(): TableWriter {
  let names: readonly string[] = []
  let first = true
  return {
    begin: (head, keys) => {
      names = keys
      return `{"export":${JSON.stringify(head)},"rows":[`
    },
    rows: (rows) => {
      const text = rows.map((row) => JSON.stringify(record(names, row))).join(',\n')
      const piece = first ? `\n${text}` : `,\n${text}`
      first = false
      return piece
    },
    end: () => '\n]}\n',
  }
}

/** One JSON document per line; the first one describes the file. */
export function jsonLinesWriter(headLine: boolean): TableWriter {
  let names: readonly string[] = []
  return {
    begin: (head, keys) => {
      names = keys
      return headLine ? jsonLine({ export: head }) : ''
    },
    rows: (rows) => rows.map((row) => jsonLine(record(names, row))).join(''),
    end: () => '',
  }
}

/** A document and `\n` for each row. JSON escapes `\n`, so each is one line. */
export const documentWriter: TableWriter<unknown> = {
  begin: () => '',
  rows: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  end: () => '',
}

export function headSentence(head: ExportHead): string {
  const parts = [
    `Headroom: ${head.of} of ${head.organization}`,
    head.view === null ? null : `view ${head.view}`,
    head.rows === '' ? null : head.rows,
  ]
  return [
    ...parts,
    head.asOf === null ? 'no data read yet' : `as of ${head.asOf}`,
    `exported ${head.exportedAt} (${head.timeZone})`,
    `${head.total} rows`,
  ]
    .filter((part) => part !== null)
    .join(' · ')
}

/** A cell with several values, separated by blanks. */
export const flat = (value: ExportValue): string | number | null =>
  Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'boolean'
      ? String(value)
      : (value as string | number | null)

const record = (names: readonly string[], row: readonly ExportValue[]): Record<string, ExportValue> =>
  Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]))
