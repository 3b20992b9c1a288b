import { z } from 'zod'
import { count, id, start, where } from '../argument-parts.ts'
import type { JournalPage } from '../journal.ts'
import { event, method } from '../method.ts'

export const journalFilter = { where, subjectId: id.nullable() }

export const journal = {
  list: method(
    z.strictObject({ ...journalFilter, before: start.exactOptional(), start, count }),
  ).returns<JournalPage>(),
  changed: event<{ readonly count: number }>(),
}
