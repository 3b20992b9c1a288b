import type { ExportSubject } from './api/exports.ts'

export const exportFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportDelimiters = [',', ';', '\t'] as const

export interface ExportRequest {
  readonly subject: ExportSubject
  readonly format: ExportFormat
  /** Columns in their order (names of the contract's rows); null: all. */
  readonly columns: readonly string[] | null
  /** CSV only. */
  readonly delimiter: (typeof exportDelimiters)[number]
  /** IANA name such as `Europe/Copenhagen`; times are written as ISO 8601 with its offset. */
  readonly timeZone: string
  /** Name of the view the rows come from, for the file's first line; null: none. */
  readonly viewName: string | null
}
