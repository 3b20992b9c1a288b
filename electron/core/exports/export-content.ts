import type { ExportRequest } from '../../contract/api/exports.ts'
import { Failed } from '../../contract/failure.ts'
import type { ExportTable } from './export-rows.ts'
import { csvWriter, jsonLinesWriter, jsonWriter, type TableWriter } from './table-text.ts'
import { spreadsheetWriter } from './spreadsheet-file.ts'
import { zonedTime } from './zoned-time.ts'

export function writerOf(
  { format, delimiter }: Pick<ExportRequest, 'format' | 'delimiter'>,
  { isFile, headLine }: { readonly isFile: boolean; readonly headLine: boolean },
): TableWriter {
  switch (format) {
    case 'csv':
      return csvWriter(delimiter, isFile, headLine)
    case 'json':
      return jsonWriter()
    case 'jsonl':
      return jsonLinesWriter(headLine)
    case 'xlsx':
      return spreadsheetWriter(headLine)
  }
}

/** What comes before the rows. Throws Failed `invalid`, field `timeZone`. */
export function begun(
  organization: string,
  { subject, viewName, timeZone }: Pick<ExportRequest, 'subject' | 'viewName' | 'timeZone'>,
  table: ExportTable,
  { now, writer }: { readonly now: number; readonly writer: TableWriter },
): string | Uint8Array {
  const zone = zonedTime(timeZone)
  const head = {
    organization,
    of: subjectName(subject),
    view: viewName,
    rows: table.rows,
    asOf: table.asOf === null ? null : zone(table.asOf),
    exportedAt: zone(now),
    timeZone,
    total: table.total,
  }
  return writer.begin(head, table.keys, table.labels)
}

export const subjectName = (subject: ExportRequest['subject']): string =>
  'name' in subject ? subject.name : subject.of

/** Its pieces, and how many rows each has. Rejects with Failed. */
export type Content = AsyncGenerator<
  { readonly data: string | Uint8Array; readonly rows: number },
  void,
  undefined
>

export async function* contentOf<Row>(
  total: number,
  begin: string | Uint8Array,
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  writer: TableWriter<Row>,
): Content {
  yield { data: begin, rows: 0 }
  let rows = 0
  for await (const batch of batches) {
    rows += batch.length
    yield { data: writer.rows(batch), rows: batch.length }
  }
  // Rows were deleted meanwhile, for example because the organization was removed: the head would claim more
  // than there is.
  if (rows !== total) throw Failed.notFound('some of the rows to export')
  yield { data: writer.end(), rows: 0 }
}
