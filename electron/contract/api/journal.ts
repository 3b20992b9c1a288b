import { z } from 'zod'
import { count, id, journalSort, start, where } from '../argument-parts.ts'
import type { SortBy } from '../fields/field.ts'
import type { journalOutcomes, JournalSortColumn } from '../fields/journal.ts'
import { event, method } from '../method.ts'
import type { SeenAfterwards } from '../journal.ts'

/**
 * One line for each write, successful or not, for each call made in spite of a hold, and for each changed
 * firmware file that was accepted (both per organization). Append-only; never contains a key or a body.
 */
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
  /** Devices that it takes down or changes. */
  readonly deviceIds: readonly string[]
  readonly startedAt: number
  /** null: in flight, or its program ended and this was not noticed yet. */
  readonly endedAt: number | null
  readonly outcome: 'accepted' | 'refused' | 'unconfirmed' | null
  /** HTTP status; null without a response. */
  readonly status: number | null
  readonly message: string | null
  readonly before: string | null
  readonly after: string | null
  /**
   * Its program ended before the response arrived; `endedAt` is when this was noticed. Missing: its end was
   * recorded, or it has not ended.
   */
  readonly endFoundLater?: true
  /** The job of its item; missing: none is known. */
  readonly jobId?: string
  /** The ticket of its job; missing: the job had none. */
  readonly ticket?: string
  /** What its job observed after the service accepted it; missing: nothing, or it has no job. */
  readonly afterwards?: SeenAfterwards
  /**
   * It stands for all matching lines of its job, of which it is the newest. Missing: it is the only one of its
   * job that matches the filter, or the job has one item.
   */
  readonly together?: JournalTogether
}

/** What the lines of a job are together. */
interface JournalTogether {
  readonly count: number
  /** Items of the job, written to or not. */
  readonly asked: number
  /** Devices that they take down or change; one that is in two lines counts twice. */
  readonly devices: number
  /** Items that the job ended without sending; 0 if a filter leaves lines out. */
  readonly unsent: number
  readonly outcomes: Readonly<Record<(typeof journalOutcomes)[number], number>>
  /** Accepted ones by what the job observed after it; empty if a filter leaves lines out. */
  readonly afterwards: Readonly<Partial<Record<SeenAfterwards, number>>>
}

export interface JournalFilter {
  /** A filter over `journalVocabulary` (vocabularies.ts). One with problems is refused with `invalid`, field `where`. */
  readonly where: string
  /** Only lines that name this device or room; null: all. */
  readonly subjectId: string | null
}

/** Empty or missing: newest first, which also orders equal ones. */
export type JournalSort = SortBy<JournalSortColumn>

export interface JournalQuery extends JournalFilter {
  /**
   * Only lines older than the one with this id, so that reading a long journal continues at the same
   * position; `start` counts from there.
   */
  readonly before?: number
  readonly sort?: JournalSort
  /** Lines of one job are one (`together`), at the place of the newest; without `before` and `sort`. */
  readonly folded?: true
  readonly start: number
  /** At most 500. */
  readonly count: number
}

export interface JournalPage {
  readonly lines: readonly JournalLine[]
  /** All that match, regardless of `before`; those of one job are one if they are folded. */
  readonly total: number
  /** All that match, each counted, if they are folded; missing: they are not. */
  readonly actions?: number
}

export const journalFilter = { where, subjectId: id.nullable() }

export const journal = {
  list: method(
    z.strictObject({
      ...journalFilter,
      before: start.exactOptional(),
      sort: journalSort.exactOptional(),
      folded: z.literal(true).exactOptional(),
      start,
      count,
    }),
  ).returns<JournalPage>(),
  changed: event<{ readonly count: number }>(),
}
