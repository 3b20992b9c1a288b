import { computed, watch, type ComputedRef, type ShallowRef, type WritableComputedRef } from 'vue'
import type { ListGroup } from '../../electron/contract/api/devices.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { parseFilter } from '../../electron/contract/filter/filter-reader.ts'
import type { FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import type { GridName } from '../../electron/contract/view.ts'
import { latestResult } from '../components/latest-result.ts'
import { throttle } from '../components/throttle.ts'
import { useListLayouts } from './list-layout-store.ts'
import type { ListFilter } from './use-filter.ts'

/** While typing, groups are counted at most twice a second, because each count is a scan of the list. */
const COUNTED_EVERY_IN_MS = 500

export interface ListGroups<By extends string> {
  /** The grouping of this list, which is stored; null: none. */
  by: WritableComputedRef<By | null>
  /** The largest first; null: before the first response. */
  readonly groups: ShallowRef<readonly ListGroup[] | null>
  readonly failure: ShallowRef<Failure | null>
  /** The filter without the selected group, under which groups are counted. */
  readonly base: ComputedRef<string>
  readonly load: () => Promise<unknown>
}

/**
 * A list in groups. Groups are counted as if none were selected, so that the user can move from group to
 * group. The selected group is recognized by its term in the filter, even if that was typed.
 */
export function useGroups<By extends string>(source: {
  readonly name: GridName
  readonly columns: readonly By[]
  readonly tokenOf: (by: By) => string
  readonly vocabulary: FilterVocabulary
  readonly applied: ListFilter['applied']
  readonly fetch: (query: {
    readonly where: string
    readonly by: By
  }) => Promise<Outcome<readonly ListGroup[]>>
}): ListGroups<By> {
  const layouts = useListLayouts()
  const answer = latestResult<readonly ListGroup[]>()
  const by = computed({
    get: () => source.columns.find((one) => one === layouts.of(source.name).group) ?? null,
    set: (group) => layouts.keep(source.name, { group }),
  })
  const base = computed(() => {
    const where = source.applied.value
    if (by.value === null) return where
    const token = source.tokenOf(by.value)
    const own = parseFilter(where, source.vocabulary).terms.find(
      ({ key, negated, comparison, values }) =>
        key === token && !negated && values.length === 1 && (comparison === 'is' || values[0] === ''),
    )
    return own === undefined
      ? where
      : [where.slice(0, own.start), where.slice(own.end)]
          .map((part) => part.trim())
          .filter(Boolean)
          .join(' ')
  })
  async function load(): Promise<unknown> {
    return by.value === null ? answer.clear() : answer.take(source.fetch({ where: base.value, by: by.value }))
  }
  const again = throttle(() => void load(), COUNTED_EVERY_IN_MS)
  watch([by, base], ([column], [before]) => {
    if (column !== before) answer.clear()
    again.call()
  })
  return { by, groups: answer.value, failure: answer.failure, base, load }
}
