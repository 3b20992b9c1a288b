import { strFromU8, unzipSync } from 'fflate'

/** A CSV text as RFC 4180 reads it: rows of cells. */
export function readCsv(text: string, delimiter = ','): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let inQuotes = false
  for (let place = 0; place < text.length; place++) {
    const sign = text[place] as string
    if (inQuotes) {
      if (sign === '"' && text[place + 1] === '"') cell += text[++place]
      else if (sign === '"') inQuotes = false
      else cell += sign
    } else if (sign === '"') inQuotes = true
    else if (sign === delimiter) {
      row.push(cell)
      cell = ''
    } else if (sign === '\r' && text[place + 1] === '\n') {
      rows.push([...row, cell])
      row = []
      cell = ''
      place++
    } else cell += sign
  }
  return rows
}

/** The cells of a workbook's first sheet, as text; every part must be well-formed enough to be found. */
export function readWorkbook(file: Uint8Array): { readonly parts: readonly string[]; readonly rows: readonly (readonly string[])[] } {
  const parts = unzipSync(file)
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
  const rows = [...sheet.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, , cells = '']) =>
    [...cells.matchAll(/<c r="([A-Z]+\d+)"(?: s="1")?(?: t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is>|><v>(.*?)<\/v>)<\/c>/gs)].map(
      ([, place = '', text, number]) => `${place}=${text === undefined ? (number ?? '') : unescaped(text)}`,
    ),
  )
  return { parts: Object.keys(parts).sort(), rows }
}

const unescaped = (text: string): string =>
  text.replaceAll('&#13;', '\r').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
