import { z } from 'zod'
import { count, id, journalSort, start, where } from '../argument-parts.ts'
import type { SortBy } from '../fields/field.ts'
import type { JournalSortColumn } from '../fields/journal.ts'
import { event, method } from '../method.ts'
import type { SeenAfterwards } from '../journal.ts'

/** One line for each write, success or not, for each call made in spite of a hold, and for each other firmware file that was accepted (both of the organization). Append-only; never holds a key or a body. */
export interface JournalLine {
  readonly id: number
  readonly organizationId: string
  readonly organizationName: string
  /** The operating system's user. */
  readonly who: string
  readonly operation: string
  readonly target: {
    readonly of: 'room' | 'device' | 'organization'
    readonly id: string
    readonly name: string | null
  }
  /** Devices it takes down or changes. */
  readonly deviceIds: readonly string[]
  readonly startedAt: number
  /** null: it is under way, or its program ended in between and nobody has found that yet. */
  readonly endedAt: number | null
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed' | null
  /** HTTP status; null without an answer. */
  readonly status: number | null
  readonly message: string | null
  readonly before: string | null
  readonly after: string | null
  /** Its program ended before the answer came; `endedAt` is when that was found. Missing: its end was seen, or is still to come. */
  readonly endFoundLater?: true
  /** The job it was an item of; missing: of none that is known. */
  readonly jobId?: string
  /** Of its job; missing: it had none. */
  readonly ticket?: string
  /** What its job saw after the service had accepted it; missing: nothing, or it was of no job. */
  readonly afterwards?: SeenAfterwards
}

export interface JournalFilter {
  /** A filter over `journalVocabulary` (filter-words.ts). One with problems is refused with `invalid`, field `where`. */
  readonly where: string
  /** Only lines that name this device or room; null: all. */
  readonly subjectId: string | null
}

/** Empty or missing: newest first, which is also how equal ones stand. */
export type JournalSort = SortBy<JournalSortColumn>

export interface JournalQuery extends JournalFilter {
  /** Only lines older than the one of this id, so that a long journal is read on from where it was; `start` counts from there. */
  readonly before?: number
  readonly sort?: JournalSort
  readonly start: number
  /** At most 500. */
  readonly count: number
}

export interface JournalPage {
  readonly lines: readonly JournalLine[]
  /** All that match, whatever `before` says. */
  readonly total: number
}

export const journalFilter = { where, subjectId: id.nullable() }

export const journal = {
  list: method(
    z.strictObject({
      ...journalFilter,
      before: start.exactOptional(),
      sort: journalSort.exactOptional(),
      start,
      count,
    }),
  ).returns<JournalPage>(),
  changed: event<{ readonly count: number }>(),
}
