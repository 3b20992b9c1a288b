import { computed, ref, shallowRef, watch } from 'vue'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import { namedAtMost } from '../../electron/contract/device.ts'
import { done, type Outcome } from '../../electron/contract/failure.ts'
import type { FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { latestResult } from '../components/latest-result.ts'
import {
  headOf,
  isChosen,
  isNothing,
  isWithin,
  nothing,
  toContract,
  withRows,
  type Chosen,
  type Pickable,
} from './selection.ts'

/** Why the last action failed; shown in the bar. */
export type Refusal = 'too-many' | 'not-among' | 'not-read'

type Slice<Row> = (start: number, count: number) => Promise<Outcome<{ readonly rows: readonly Row[] }>>

/** The maximum number of rows in one response (contract). */
const ANSWERED_AT_MOST = 500

/** Rows from one position to another, inclusive, slice by slice. Not cached. */
export async function rowsBetween<Row>(
  slice: Slice<Row>,
  from: number,
  to: number,
): Promise<Outcome<readonly Row[]>> {
  const rows: Row[] = []
  for (let start = from; start <= to; start += ANSWERED_AT_MOST) {
    const outcome = await slice(start, Math.min(ANSWERED_AT_MOST, to - start + 1))
    if (!outcome.ok) return outcome
    if (outcome.value.rows.length === 0) break
    rows.push(...outcome.value.rows)
  }
  return done(rows)
}

interface Selectable<P extends Pickable> {
  readonly vocabulary: FilterVocabulary
  /** The list on screen. */
  readonly list: {
    readonly applied: string
    readonly problems: readonly unknown[]
    readonly changed: number
  }
  /** The data to cache for a picked row. */
  readonly remembered: (row: P) => P
  /** The position among the rows that match, in the order of the list on screen. */
  readonly position: (where: string, id: string) => Promise<Outcome<{ readonly index: number | null }>>
  /** Reads rows that match, in the order of the list on screen. */
  readonly slice: (where: string) => Slice<P>
  /** The current count; null: the number of picked rows. */
  readonly countOf: (selection: DeviceSelection) => Promise<Outcome<{ readonly count: number }>> | null
}

/** The selected rows of a list: picked one by one, or all that match a filter with exceptions; and their current count. */
export function useSelectionOf<P extends Pickable>(of: Selectable<P>) {
  const chosen = shallowRef<Chosen<P>>(nothing)
  const refusal = ref<Refusal | null>(null)
  /** The filter of the list in which it was last changed. */
  const madeIn = ref('')
  const counted = latestResult<{ readonly count: number }>()
  /** What an action asked for; it belongs to the selection at that time. */
  const asked = latestResult<unknown>()
  /** The last selected or deselected row. Its position changes with filter, order and every sync. */
  let anchor: { readonly id: string; readonly wanted: boolean } | null = null

  const some = computed(() => !isNothing(chosen.value))
  /**
   * Whether the list on screen is within a selection by filter: then the state of its check boxes is known.
   */
  const within = computed(
    () => chosen.value.kind === 'picked' || isWithin(of.list.applied, chosen.value.where, of.vocabulary),
  )
  const head = computed(() => headOf(chosen.value, of.list.applied, of.vocabulary))
  /**
   * Whether actions are available: only for a selection in the list where it was last changed. A selection
   * left from another list is shown and can be opened, but its actions are disabled, because it looks like a
   * new one.
   */
  const actionable = computed(() =>
    some.value && of.list.applied === madeIn.value ? toContract(chosen.value) : null,
  )
  /** Null while the first count is in flight. The number of picked rows is known at once. */
  const count = computed(
    () => counted.value.value?.count ?? (chosen.value.kind === 'picked' ? chosen.value.rows.size : null),
  )

  function recount(): void {
    const question = some.value ? of.countOf(toContract(chosen.value)) : null
    if (question) void counted.take(question)
    else counted.clear()
  }
  function choose(next: Chosen<P>): void {
    // For another kind of selection, or picked rows, the last count is not valid.
    if (next.kind === 'picked' || next.kind !== chosen.value.kind) counted.clear()
    asked.clear()
    chosen.value = next
    madeIn.value = of.list.applied
    refusal.value = null
    recount()
  }
  watch(() => of.list.changed, recount)

  const chosenAt = (id: string): boolean | null => isChosen(chosen.value, id, within.value)
  function put(rows: readonly P[], wanted: boolean): void {
    const next = withRows(chosen.value, rows.map(of.remembered), wanted)
    if (next) choose(next)
    else refuse('too-many')
  }
  function refuse(why: Refusal): void {
    refusal.value = why
  }
  /** Picks rows once they are read; null: there are none. */
  async function putRead(question: Promise<Outcome<readonly P[] | null>>, wanted: boolean): Promise<void> {
    if (!(await asked.take(question))) return
    const outcome = await question
    if (!outcome.ok) refuse('not-read')
    else if (outcome.value === null) refuse('not-among')
    else put(outcome.value, wanted)
  }
  /**
   * Selects or deselects a row. Under another filter it first queries from the core whether the row is
   * selected.
   */
  async function toggle(row: P): Promise<void> {
    const now = chosenAt(row.id)
    anchor = { id: row.id, wanted: now === false }
    if (now === null && chosen.value.kind === 'matching') {
      const known = of
        .position(chosen.value.where, row.id)
        .then((outcome) => (outcome.ok ? done(outcome.value.index === null ? null : [row]) : outcome))
      return putRead(known, false)
    }
    put([row], now === false)
  }
  /**
   * Selects from the last selected or deselected row to this one, in the list on screen; this one alone if the
   * other is not in it.
   */
  async function extendTo(row: P, index: number): Promise<void> {
    if (anchor === null || !within.value) return toggle(row)
    const { id, wanted } = anchor
    const slice = of.slice(of.list.applied)
    const question = of.position(of.list.applied, id)
    if (!(await asked.take(question))) return
    const outcome = await question
    if (!outcome.ok) return refuse('not-read')
    if (outcome.value.index === null) return toggle(row)
    const [from, to] = [Math.min(outcome.value.index, index), Math.max(outcome.value.index, index)]
    if (to - from >= namedAtMost) refuse('too-many')
    else await putRead(rowsBetween(slice, from, to), wanted)
  }
  /** Selects all rows of the visible list. An invalid filter matches nothing. */
  function chooseAll(): void {
    if (of.list.problems.length === 0) choose({ kind: 'matching', where: of.list.applied, except: new Set() })
  }
  /** Selects the first `wanted` rows of a selection by filter, in the order of the list on screen. */
  async function keepFirst(wanted: number): Promise<void> {
    const { value } = chosen
    if (value.kind !== 'matching') return
    const question = rowsBetween(of.slice(value.where), 0, wanted + value.except.size - 1)
    if (!(await asked.take(question))) return
    const outcome = await question
    const kept = outcome.ok ? outcome.value.filter(({ id }) => !value.except.has(id)).slice(0, wanted) : []
    const next = withRows<P>(nothing, kept.map(of.remembered), true)
    if (!outcome.ok) refuse('not-read')
    else if (next === null) refuse('too-many')
    else choose(next)
  }
  /** Applies a selection that was made elsewhere to the list of `where`. */
  function take(taken: Chosen<P>, where: string): void {
    anchor = null
    choose(taken)
    madeIn.value = where.trim()
  }
  function clear(): void {
    anchor = null
    choose(nothing)
  }
  function toggleAll(): void {
    if (head.value === 'all') clear()
    else chooseAll()
  }

  return {
    chosen,
    some,
    actionable,
    madeIn,
    within,
    head,
    count,
    refusal,
    refuse,
    /** Whether this question is still the last one, and of the same selection, when it is answered. */
    ask: (question: Promise<Outcome<unknown>>): Promise<boolean> => asked.take(question),
    chosenAt,
    toggle,
    extendTo,
    chooseAll,
    toggleAll,
    keepFirst,
    take,
    clear,
  }
}
