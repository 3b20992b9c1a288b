import { z } from 'zod'
import {
  byId,
  changeQuery,
  column,
  deviceSort,
  free,
  nothing,
  roomSort,
  selection,
  text,
  where,
} from '../argument-parts.ts'
import { exportDelimiters, exportFormats, type ExportJob } from '../export.ts'
import { event, method } from '../method.ts'
import { jobItems } from './jobs.ts'
import { journalFilter } from './journal.ts'

const request = z.strictObject({
  subject: z.discriminatedUnion('of', [
    z.strictObject({ of: z.literal('devices'), selection, sort: deviceSort }),
    z.strictObject({ of: z.literal('rooms'), where, sort: roomSort, selection: selection.exactOptional() }),
    z.strictObject({ of: z.literal('changes'), ...changeQuery }),
    z.strictObject({ of: z.literal('journal'), ...journalFilter }),
    z.strictObject({ of: z.literal('job'), ...jobItems }),
  ]),
  format: z.enum(exportFormats),
  columns: z.array(column).max(60).readonly().nullable(),
  delimiter: z.enum(exportDelimiters),
  timeZone: text(100),
  viewName: free.nullable(),
})

export const exports = {
  /** Asks where to; null: the technician thought better of it. Goes on in the background. */
  start: method(request).returns<ExportJob | null>(),
  /** Of this run, newest first. */
  list: method(nothing).returns<readonly ExportJob[]>(),
  cancel: method(byId).returns<readonly ExportJob[]>(),
  /** Shows the finished file in its folder. */
  show: method(byId).returns<void>(),
  changed: event<{ readonly count: number }>(),
}
