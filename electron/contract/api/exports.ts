import { z } from 'zod'
import {
  byId,
  changeQuery,
  changeSort,
  column,
  deviceSort,
  free,
  id,
  jobSort,
  journalSort,
  nothing,
  roomSort,
  selection,
  stages,
  text,
  where,
} from '../argument-parts.ts'
import {
  exportDelimiters,
  exportFormats,
  exportPresets,
  textFormats,
  type ExportFormat,
  type ExportPreset,
  type TextFormat,
} from '../export.ts'
import { event, method, windowOnly } from '../method.ts'
import { jobItems, type JobItemQuery, type JobSort } from './jobs.ts'
import { journalFilter, type JournalFilter, type JournalSort } from './journal.ts'
import type { ChangeQuery, ChangeSort } from './changes.ts'
import type { DeviceSelection, DeviceSort } from './devices.ts'
import type { Failure } from '../failure.ts'
import type { PrereleaseStage } from '../firmware.ts'
import { goldenDevices, type GoldenDevicesQuery } from './golden-profiles.ts'
import type { RoomRow, RoomSort } from './rooms.ts'

export interface ExportRequest {
  readonly subject: ExportSubject
  readonly format: ExportFormat
  /** Columns in order (names of the contract's rows); null: all. */
  readonly columns: readonly string[] | null
  /** CSV only. */
  readonly delimiter: (typeof exportDelimiters)[number]
  /** IANA name such as `Europe/Copenhagen`; times are written as ISO 8601 with its offset. */
  readonly timeZone: string
  /** Name of the view of the rows, for the file's first line; null: none. */
  readonly viewName: string | null
  /** false: the file begins with its columns, as Power Query expects. JSON describes itself in any case. */
  readonly headLine?: boolean
  /** Devices only: the columns and headings of this program, and nothing before them; `columns` and `headLine` are ignored. */
  readonly preset?: ExportPreset
}

/** The content of the file. */
export type ExportSubject =
  | { readonly of: 'devices'; readonly selection: DeviceSelection; readonly sort: DeviceSort }
  /** `selection`: only these rooms, and `where` is ignored; by the vocabulary of rooms. */
  | {
      readonly of: 'rooms'
      readonly where: string
      readonly sort: RoomSort
      readonly selection?: DeviceSelection
    }
  | ({ readonly of: 'changes'; readonly sort?: ChangeSort } & ChangeQuery)
  | ({ readonly of: 'journal'; readonly sort?: JournalSort } & JournalFilter)
  | { readonly of: 'jobs'; readonly where?: string; readonly sort?: JobSort }
  /** A list that its page holds completely, in the order of the page; a time is epoch milliseconds. */
  | {
      readonly of: 'rows'
      /** Name of the list. */
      readonly name: string
      readonly columns: readonly { readonly key: string; readonly label: string; readonly time: boolean }[]
      readonly rows: readonly (readonly (string | number | null)[])[]
    }
  /** Results of the items of a job, as the list of the job shows them. */
  | ({ readonly of: 'job' } & Pick<JobItemQuery, 'id' | 'show' | 'sort'>)
  /** Devices compared with a golden profile; `profile` null: values of any device that its feature model does not allow. */
  | {
      readonly of: 'drift'
      /** Name of the list. */
      readonly name: string
      readonly profile: GoldenDevicesQuery | null
    }
  /** Items of a stored JobPlan, followed by the skipped ones. */
  | { readonly of: 'plan'; readonly plan: string }

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

/** Rows as text that the client takes piece by piece, without the line about the file. */
export interface OpenRequest extends Omit<ExportRequest, 'format' | 'headLine'> {
  /**
   * `rows` and `records`: a JSON document and `\n` for each row, regardless of `columns`: a row of the
   * contract (of rooms an ExportedRoom). `records` of devices and rooms have everything that is known about
   * them, with the record as received.
   */
  readonly format: TextFormat
  /** Devices only: as if releases of these stages could be the latest. Missing: those of the organization. */
  readonly stages?: readonly PrereleaseStage[]
}

export interface OpenedExport {
  readonly id: string
  readonly total: number
  /** Devices or rooms of the organization, without gone ones; of other lists `total`. */
  readonly all: number
  /** The oldest observation in the data, epoch milliseconds; null: nothing was read yet. */
  readonly asOf: number | null
  /** Products whose releases were never read, if stages are given; otherwise 0. */
  readonly unread: number
}

/** A room of the format `rows`, as a file has it. */
export interface ExportedRoom extends RoomRow {
  /** Names and serials of its devices whose status is not online. */
  readonly notOnline: readonly string[]
  /** What is wrong with it, as a sentence; null: nothing that is known. */
  readonly why: string | null
}

const request = z.strictObject({
  subject: z.discriminatedUnion('of', [
    z.strictObject({ of: z.literal('devices'), selection, sort: deviceSort }),
    z.strictObject({ of: z.literal('rooms'), where, sort: roomSort, selection: selection.exactOptional() }),
    z.strictObject({ of: z.literal('changes'), ...changeQuery, sort: changeSort.exactOptional() }),
    z.strictObject({ of: z.literal('journal'), ...journalFilter, sort: journalSort.exactOptional() }),
    z.strictObject({ of: z.literal('jobs'), where: where.exactOptional(), sort: jobSort.exactOptional() }),
    z.strictObject({
      of: z.literal('rows'),
      name: text(200),
      columns: z
        .array(z.strictObject({ key: column, label: text(200), time: z.boolean() }))
        .max(60)
        .readonly(),
      rows: z
        .array(
          z
            .array(z.union([text(100_000), z.number(), z.null()]))
            .max(60)
            .readonly(),
        )
        .max(20_000)
        .readonly(),
    }),
    z.strictObject({ of: z.literal('job'), ...jobItems }),
    z.strictObject({ of: z.literal('drift'), name: text(200), profile: goldenDevices.nullable() }),
    z.strictObject({ of: z.literal('plan'), plan: id }),
  ]),
  format: z.enum(exportFormats),
  columns: z.array(column).max(60).readonly().nullable(),
  delimiter: z.enum(exportDelimiters),
  timeZone: text(100),
  viewName: free.nullable(),
  headLine: z.boolean().exactOptional(),
  preset: z.enum(exportPresets).exactOptional(),
})

export const exports = {
  /** Shows a save dialog; null if cancelled. Runs in the background. */
  start: windowOnly(request).returns<ExportJob | null>(),
  /** Of this run, newest first. */
  list: method(nothing).returns<readonly ExportJob[]>(),
  cancel: method(byId).returns<readonly ExportJob[]>(),
  /** Shows the finished file in its folder. */
  show: windowOnly(byId).returns<void>(),
  /**
   * Fixes rows and their order for `next`. Belongs to the client that opened it and ends with it. At most
   * eight of a client are open; another is refused with `invalid`, field `exports`.
   */
  open: method(
    request.omit({ headLine: true }).extend({ format: z.enum(textFormats), stages: stages.exactOptional() }),
  ).returns<OpenedExport>(),
  /**
   * The next piece, at most 65,536 characters; null: there is no more, and the export is closed, as it is
   * after a failure. `invalid` for one that this client has not opened; `not-found` at the end if rows no
   * longer exist.
   */
  next: method(byId).returns<{ readonly text: string } | null>(),
  changed: event<{ readonly count: number }>(),
}
