import type { ChangeQuery } from './change.ts'
import type { DeviceSelection, DeviceSort } from './device.ts'
import type { Failure } from './failure.ts'
import type { JobItemQuery } from './job.ts'
import type { JournalFilter } from './journal.ts'
import type { RoomSort } from './room.ts'

export const exportFormats = ['csv', 'json', 'jsonl', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]
export const exportDelimiters = [',', ';', '\t'] as const

/** What goes into the file. */
export type ExportSubject =
  | { readonly of: 'devices'; readonly selection: DeviceSelection; readonly sort: DeviceSort }
  /** `selection`: these rooms and no others, whatever `where`; by the vocabulary of rooms. */
  | {
      readonly of: 'rooms'
      readonly where: string
      readonly sort: RoomSort
      readonly selection?: DeviceSelection
    }
  | ({ readonly of: 'changes' } & ChangeQuery)
  | ({ readonly of: 'journal' } & JournalFilter)
  /** What became of the items of a job, as the list of the job shows them. */
  | ({ readonly of: 'job' } & Pick<JobItemQuery, 'id' | 'show'>)

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

export interface ExportJob {
  readonly id: string
  readonly of: ExportSubject['of']
  readonly format: ExportFormat
  readonly fileName: string
  readonly state: 'running' | 'done' | 'cancelled' | 'failed'
  readonly rowsWritten: number
  readonly rowsTotal: number
  /** Bytes of the finished file; null before. */
  readonly size: number | null
  readonly startedAt: number
  readonly finishedAt: number | null
  readonly failure: Failure | null
}
