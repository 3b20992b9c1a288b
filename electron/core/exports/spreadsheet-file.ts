// The build for Node has code for threads, which is not used here and cannot be bundled.
import { strToU8, Zip, ZipDeflate } from 'fflate/browser'
import { flat, headSentence, type TableWriter } from './table-text.ts'

/**
 * A small XLSX writer: one sheet, text and whole numbers, a fixed title row. Office Open XML, with the parts
 * every reader needs (ECMA-376). Text is inline, so it never becomes a formula, and rows are streamed.
 */
export function spreadsheetWriter(headLine: boolean): TableWriter {
  const pieces: Uint8Array[] = []
  const archive = new Zip((error, piece) => {
    if (error) throw error
    pieces.push(piece)
  })
  const whole = (path: string, text: string): void => {
    const file = new ZipDeflate(path)
    archive.add(file)
    file.push(strToU8(text), true)
  }
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 4 })
  let line = 0
  const row = (cells: readonly (string | number | null)[], style = ''): string => {
    line++
    const written = cells.map((cell, index) =>
      cell === null ? '' : cellText(`${columnName(index)}${line}`, cell, style),
    )
    return `<row r="${line}">${written.join('')}</row>`
  }
  const taken = (): Uint8Array => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    const all = new Uint8Array(length)
    let at = 0
    for (const piece of pieces.splice(0)) {
      all.set(piece, at)
      at += piece.length
    }
    return all
  }
  return {
    begin: (head, _keys, labels) => {
      for (const [path, text] of Object.entries(fixedParts(head.of))) whole(path, text)
      archive.add(sheet)
      const columns = labels.map(
        (label, index) =>
          `<col min="${index + 1}" max="${index + 1}" width="${Math.max(14, label.length + 2)}" customWidth="1"/>`,
      )
      const top = `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${headLine ? 2 : 1}" topLeftCell="A${headLine ? 3 : 2}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`
      sheet.push(strToU8(top + (headLine ? row([headSentence(head)]) : '') + row(labels, ' s="1"')))
      return taken()
    },
    rows: (rows) => {
      sheet.push(strToU8(rows.map((cells) => row(cells.map(flat))).join('')))
      return taken()
    },
    end: () => {
      sheet.push(strToU8('</sheetData></worksheet>'), true)
      archive.end()
      return taken()
    },
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const kinds = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const fixedParts = (name: string): Readonly<Record<string, string>> => ({
  '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kinds}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kinds}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${kinds}.styles+xml"/></Types>`,
  '_rels/.rels': `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${declaration}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${declaration}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>`,
})

function cellText(place: string, cell: string | number, style: string): string {
  if (typeof cell === 'number') return `<c r="${place}"${style}><v>${cell}</v></c>`
  return `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
}

/** A, B, … Z, AA … */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

/**
 * Characters that XML 1.0 does not allow become the replacement character; a cell has at most 32,767
 * characters (ECMA-376, Excel). Readers decode `_x003D_` as the character with that number (ECMA-376,
 * ST_Xstring), so its underscore is encoded in the same way.
 */
function escaped(text: string): string {
  return text
    .slice(0, 32_767)
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
    .replaceAll(/_(?=x[\dA-F]{4}_)/gi, '_x005F_')
}
