import { strFromU8, unzipSync } from 'fflate'
import Papa from 'papaparse'

/** A CSV text as parsed by another program: rows of cells. */
export function parseCsv(text: string, delimiter = ','): string[][] {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline: '\r\n' })
  if (errors.length > 0)
    throw new Error(errors.map(({ message, row }) => `row ${row ?? '?'}: ${message}`).join('; '))
  // Nothing after the last line end parses as a row of one empty cell.
  return data.slice(0, -1)
}

/** Line breaks outside quotes other than CRLF: a spreadsheet treats each as the end of a row. */
export const strayLineBreaks = (text: string): string[] =>
  text.replace(/"(?:[^"]|"")*"/g, '').match(/\r(?!\n)|(?<!\r)\n/g) ?? []

/** The cells of a workbook's first sheet, as text; every part must be sufficiently well-formed. */
export function readWorkbook(file: Uint8Array): {
  readonly parts: readonly string[]
  readonly rows: readonly (readonly string[])[]
} {
  const parts = unzipSync(file)
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  const rows = [...sheet.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, , cells = '']) =>
    [
      ...cells.matchAll(
        /<c r="([A-Z]+\d+)"(?: s="1")?(?: t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is>|><v>(.*?)<\/v>)<\/c>/gs,
      ),
    ].map(
      ([, place = '', text, number]) => `${place}=${text === undefined ? (number ?? '') : unescaped(text)}`,
    ),
  )
  return { parts: Object.keys(parts).sort(), rows }
}

/** Decodes XML first, then what ECMA-376 calls ST_Xstring. */
const unescaped = (text: string): string =>
  text
    .replaceAll('&#13;', '\r')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/_x([\dA-F]{4})_/gi, (_, number: string) => String.fromCharCode(Number.parseInt(number, 16)))
