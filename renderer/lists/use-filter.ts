import { computed, ref, type ComputedRef, type Ref } from 'vue'
import type { FilterProblem, FilterVocabulary } from '../../electron/contract/filter/filter.ts'
import { parseFilter, withTerm } from '../../electron/contract/filter/filter-reader.ts'

export interface ListFilter {
  /** As typed. */
  readonly where: Ref<string>
  /** The last valid filter, which the list and the actions use. */
  readonly applied: ComputedRef<string>
  readonly problems: ComputedRef<readonly FilterProblem[]>
  readonly filtered: ComputedRef<boolean>
  /** The values of a key in a plain term of the filter, such as `health:trouble,down`. */
  readonly chosenOf: (key: string) => readonly string[]
  readonly choose: (key: string, values: readonly string[]) => void
  readonly clearFilter: () => void
}

/** The filter of one list, in its vocabulary. */
export function useFilter(vocabulary: FilterVocabulary): ListFilter {
  const where = ref('')
  const reading = computed(() => parseFilter(where.value, vocabulary))
  const problems = computed(() => reading.value.problems)
  const applied = computed<string>((before = '') => (problems.value.length > 0 ? before : where.value.trim()))
  return {
    where,
    applied,
    problems,
    filtered: computed(() => applied.value !== ''),
    chosenOf: (key) => reading.value.terms.find((term) => term.key === key && !term.negated)?.values ?? [],
    choose(key, values) {
      const term = values.length > 0 ? { negated: false, key, comparison: 'has' as const, values } : null
      where.value = withTerm(where.value, vocabulary, key, term)
    },
    clearFilter: () => void (where.value = ''),
  }
}
