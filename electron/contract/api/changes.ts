import { z } from 'zod'
import { changeQuery, changeSort, count, start, text } from '../argument-parts.ts'
import type { changeKinds, ChangeSortColumn, ownValues } from '../fields/change.ts'
import type { SortBy } from '../fields/field.ts'
import { local, event, method } from '../method.ts'

export type ChangeKind = (typeof changeKinds)[number]

/** A difference that a sync found. */
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

/** A change together with the current data of its subject. */
export interface ChangeRow extends Change {
  readonly productId: number | null
  readonly productName: string | null
  readonly serialNumber: string | null
  readonly userName: string | null
  readonly room: { readonly id: string; readonly name: string | null } | null
  /**
   * According to the journal, it followed a write by Headroom to its subject, such as a changed setting or a
   * rebooted room.
   */
  readonly own: boolean
  /** The job that wrote; null: none did. */
  readonly jobId: string | null
}

export interface ChangeQuery {
  /** A filter over `changeVocabulary` (vocabularies.ts). One with problems is refused with `invalid`, field `where`. */
  readonly where: string
  /**
   * Epoch milliseconds, inclusive; `looked`: since changes were last marked as seen; null: all that are
   * stored.
   */
  readonly since: number | 'looked' | null
  /**
   * Leaves devices outside rooms that went on- or offline out of all lists and all counts but `folded`, and
   * lists them as one group for each day (`on-off`). Missing: they are changes like any other.
   */
  readonly folded?: boolean
}
/** Empty or missing: newest first, which also orders equal ones. */
export type ChangeSort = SortBy<ChangeSortColumn>

/** `on-off`: devices outside rooms went offline or came back online, folded; headsets do so all day. */
export type ChangeGroupKind = ChangeKind | 'on-off'

/**
 * What the changes of a group have in common: their kind and, if it makes the group readable, product and
 * both values.
 */
export interface ChangeGroup {
  /** Opaque; identifies the group in `changes.slice` under the same query. */
  readonly key: string
  /** Start of the local day of observation, epoch milliseconds. */
  readonly dayAt: number
  readonly of: Change['of']
  readonly kind: ChangeGroupKind
  /** They followed our own writes, by one job or by none; null: not caused by Headroom. */
  readonly own: { readonly jobId: string | null } | null
  readonly productName: string | null
  readonly before: string | null
  readonly after: string | null
  /** The room or device of all of them; null: several. */
  readonly subjectId: string | null
  /** The product of its first devices; null: several products, or rooms. */
  readonly product: { readonly id: number; readonly name: string | null } | null
  readonly count: number
  readonly firstAt: number
  readonly lastAt: number
  /** Different names of its first subjects, at most three. */
  readonly names: readonly string[]
  /** Its other changes, without those of subjects that are known to have one of `names`. */
  readonly more: number
}

/**
 * What was marked as seen: every change up to `id`. `at`: when; a later change is new whatever its id is, because
 * ids begin again in a new store.
 */
export interface SeenChanges {
  readonly at: number
  readonly id: number
}

export interface ChangeGroups {
  /**
   * Newest day first; then kinds that call for work; then changes by others before our own; `on-off` last;
   * then by size. At most 500.
   */
  readonly groups: readonly ChangeGroup[]
  readonly total: number
  /** Times that devices outside rooms went on- or offline; `total`, `kinds` and `byWhom` exclude them if they are folded. */
  readonly folded: number
  /** Counted as if no kind were selected. */
  readonly kinds: readonly { readonly word: ChangeKind; readonly count: number }[]
  /**
   * Number of changes that followed our own writes, and of all others: counted as if the filter had no
   * `own:`.
   */
  readonly byWhom: readonly { readonly word: (typeof ownValues)[number]; readonly count: number }[]
  /** The last time changes were marked as seen; null: never. */
  readonly seen: SeenChanges | null
  /** The newest change that this can contain; 0: none. Marking as seen ends with it. */
  readonly newestId: number
  /** Time of the oldest stored change; null: none. */
  readonly oldestAt: number | null
}

export interface ChangeSlice {
  readonly rows: readonly ChangeRow[]
  readonly total: number
}

export const changes = {
  groups: method(z.strictObject(changeQuery)).returns<ChangeGroups>(),
  /** `group`: a key of `groups` under the same query, null: every change. */
  slice: method(
    z.strictObject({
      ...changeQuery,
      group: text(1_000).nullable(),
      sort: changeSort.exactOptional(),
      start,
      count,
    }),
  ).returns<ChangeSlice>(),
  /** Marks changes as seen; null: none is (an undo). */
  look: local(z.strictObject({ seen: z.strictObject({ at: start, id: start }).nullable() })).returns<void>(),
  changed: event<{ readonly count: number }>(),
}
