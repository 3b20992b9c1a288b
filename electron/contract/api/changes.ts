import { z } from 'zod'
import { changeQuery, changeSort, count, start, text } from '../argument-parts.ts'
import type { changeKindWords, ChangeSortColumn, ownWords } from '../fields/change.ts'
import type { SortBy } from '../fields/field.ts'
import { event, method } from '../method.ts'

export type ChangeKind = (typeof changeKindWords)[number]

/** What a sync found different from what was known. */
export interface Change {
  readonly id: number
  readonly of: 'device' | 'room'
  readonly subjectId: string
  readonly subjectName: string
  readonly kind: ChangeKind
  readonly before: string | null
  readonly after: string | null
  readonly observedAt: number
}

/** A change beside what is known now of its subject. */
export interface ChangeRow extends Change {
  readonly productName: string | null
  readonly serialNumber: string | null
  readonly userName: string | null
  readonly room: { readonly id: string; readonly name: string | null } | null
  /** It followed a write of ours to its subject, by the journal: a setting that was set, a room that was rebooted. */
  readonly own: boolean
  /** The job that wrote; null: none did. */
  readonly jobId: string | null
}

export interface ChangeQuery {
  /** A filter over `changeVocabulary` (filter-words.ts). One with problems is refused with `invalid`, field `where`. */
  readonly where: string
  /** Epoch milliseconds, that moment included; `looked`: since changes were last marked as seen; null: all that are kept. */
  readonly since: number | 'looked' | null
}
/** Empty or missing: newest first, which is also how equal ones stand. */
export type ChangeSort = SortBy<ChangeSortColumn>

/** `on-off`: devices that stand in no room went offline or came back online; headsets do all day. */
export type ChangeGroupKind = ChangeKind | 'on-off'

/** What changes have in common: their kind and, where it makes a group readable, product and both values. */
export interface ChangeGroup {
  /** Opaque; names the group in `changes.window` under the same query. */
  readonly key: string
  /** Start of the local day its changes were observed on, epoch milliseconds. */
  readonly dayAt: number
  readonly of: Change['of']
  readonly kind: ChangeGroupKind
  /** They followed writes of ours, by one job or by none; null: of nobody's doing here. */
  readonly own: { readonly jobId: string | null } | null
  readonly productName: string | null
  readonly before: string | null
  readonly after: string | null
  /** The one that all of them are of; null: several. */
  readonly subjectId: string | null
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** Names of its first subjects, at most three. */
  readonly names: readonly string[]
}

export interface ChangeGroups {
  /**
   * Newest day first, then the kinds that call for work first, own ones after those of others, `on-off` last, then the larger
   * group. At most 500.
   */
  readonly groups: readonly ChangeGroup[]
  readonly total: number
  /** Counted as if no kind were chosen. */
  readonly kinds: readonly { readonly word: ChangeKind; readonly count: number }[]
  /** How many followed writes of ours, and how many did not: counted as if neither were chosen. */
  readonly byWhom: readonly { readonly word: (typeof ownWords)[number]; readonly count: number }[]
  /** When changes were last marked as seen; null: never. */
  readonly lookedAt: number | null
  /** The oldest change kept; null: none. */
  readonly oldestAt: number | null
}

export interface ChangeWindow {
  readonly rows: readonly ChangeRow[]
  readonly total: number
}

export const changes = {
  groups: method(z.strictObject(changeQuery)).returns<ChangeGroups>(),
  /** `group`: a key of `groups` under the same query, null: every change. */
  window: method(
    z.strictObject({
      ...changeQuery,
      group: text(1_000).nullable(),
      sort: changeSort.exactOptional(),
      start,
      count,
    }),
  ).returns<ChangeWindow>(),
  /** Everything up to `at` is seen; null: nothing is (an undo). Answers what stands now. */
  look: method(z.strictObject({ at: start.nullable() })).returns<{ readonly lookedAt: number | null }>(),
  changed: event<{ readonly count: number }>(),
}
