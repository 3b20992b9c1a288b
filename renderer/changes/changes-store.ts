import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type {
  ChangeGroup,
  ChangeGroups,
  ChangeQuery,
  ChangeRow,
  ChangeSort,
  ChangeSlice,
} from '../../electron/contract/api/changes.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { changeSortColumns } from '../../electron/contract/fields/change.ts'
import { changeVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { api } from '../api.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import { useFilter } from '../lists/use-filter.ts'
import { useList } from '../lists/use-list.ts'
import { latestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'

/** How far back the page goes. */
export const spans = ['looked', 'day', 'week', 'month', 'all'] as const
export type Span = (typeof spans)[number]

const DAY = 86_400_000
const lengths: Readonly<Record<Exclude<Span, 'looked' | 'all'>, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
}
/** Rows per request. */
const COUNT = 200
/** Rows of an expanded group on the page; more are shown as a separate list. */
export const GROUP_ROWS = 20
const newestFirst: ChangeSort = [{ column: 'observedAt', descending: true }]
/** Changes by group, the rows of expanded groups, and all rows in slices, with their filter and period. */
export const useChangesStore = defineStore('changes', () => {
  const { where, applied, filtered, chosenOf, choose, clearFilter } = useFilter(changeVocabulary)
  const span = ref<Span>('looked')
  /** Personal devices that go on- and offline are summed up, not listed and not counted. */
  const folded = ref(true)
  /** The moment from which `day`, `week` and `month` are counted: fixed while the page is open, so that groups keep their keys. */
  const openedAt = ref(Date.now())
  const grouped = latestResult<ChangeGroups>()
  /** Why the last rows of a group, or marking as seen, failed. */
  const failure = shallowRef<Failure | null>(null)
  /** Rows of expanded groups, by group key. */
  const opened = shallowRef<ReadonlyMap<string, ChangeSlice>>(new Map())
  /** The only group in the list; null: every change. */
  const only = shallowRef<ChangeGroup | null>(null)
  const asList = ref(false)

  const query = computed<ChangeQuery>(() => ({
    where: applied.value,
    since:
      span.value === 'all' ? null : span.value === 'looked' ? 'looked' : openedAt.value - lengths[span.value],
    folded: folded.value,
  }))
  const sort = useListSort('changes', changeSortColumns, newestFirst)
  /** In the form that the core expects, because its default order costs nothing. */
  const sorted = computed(() => (sort.value === newestFirst ? [] : sort.value))
  const list = useList({
    question: () =>
      asList.value ? { ...query.value, sort: sorted.value, group: only.value?.key ?? null } : null,
    count: COUNT,
    fetch: (question, { start, count }) => api.changes.slice({ ...question, start, count }),
    rowsOf: (slice: ChangeSlice): readonly ChangeRow[] => slice.rows,
    idOf: (change) => change.id,
    replacedBy: [api.organizations.changed],
    beside: () =>
      Promise.all([fetchGroups(), ...[...opened.value.keys()].map((key) => fetchGroup(key, true))]),
  })

  async function fetchGroups(): Promise<void> {
    if (await grouped.take(api.changes.groups(query.value))) refreshNow()
  }
  /** `again`: rows are loaded again, unless the group was collapsed meanwhile. */
  async function fetchGroup(key: string, again: boolean): Promise<void> {
    const wanted = query.value
    const outcome = await api.changes.slice({ ...wanted, group: key, start: 0, count: GROUP_ROWS })
    if (wanted !== query.value || (again && !opened.value.has(key))) return
    failure.value = outcome.ok ? null : outcome.failure
    if (outcome.ok) opened.value = new Map([...opened.value, [key, outcome.value]])
  }
  async function reload(): Promise<void> {
    opened.value = new Map()
    failure.value = null
    await fetchGroups()
  }
  watch(query, () => void reload())

  function toggle(group: ChangeGroup): void {
    if (!opened.value.has(group.key)) return void fetchGroup(group.key, false)
    opened.value = new Map([...opened.value].filter(([key]) => key !== group.key))
  }
  function showOnly(group: ChangeGroup | null): void {
    only.value = group
    asList.value = group !== null || asList.value
  }
  /** Marks everything up to the newest change that the page knows as seen; returns the function that undoes this, null on failure. */
  async function markSeen(): Promise<(() => Promise<void>) | null> {
    const known = grouped.value.value
    if (known === null) return null
    const outcome = await api.changes.look({ seen: { at: Date.now(), id: known.newestId } })
    if (!outcome.ok) {
      failure.value = outcome.failure
      return null
    }
    await list.again()
    return async () => {
      await api.changes.look({ seen: known.seen })
      await list.again()
    }
  }
  async function show(): Promise<void> {
    openedAt.value = Date.now()
    await Promise.all([reload(), list.startOver()])
  }
  function follow(): () => void {
    const disposers = [
      list.follow([api.changes.changed, api.devices.changed]),
      api.organizations.changed(() => void reload()),
    ]
    return () => disposers.forEach((end) => end())
  }

  return {
    ...list,
    where,
    applied,
    span,
    folded,
    query,
    sort,
    sorted,
    groups: grouped.value,
    kinds: computed(() => grouped.value.value?.kinds ?? []),
    failure: computed(() => failure.value ?? grouped.failure.value ?? list.failure.value),
    opened,
    only,
    asList,
    filtered,
    byWhom: computed(() => grouped.value.value?.byWhom ?? []),
    chosenKinds: computed(() => chosenOf('kind')),
    chosenOwn: computed(() => chosenOf('own')),
    choose: (key: 'kind' | 'own', values: readonly string[]) => choose(key, values),
    toggle,
    showOnly,
    markSeen,
    show,
    follow,
    clearFilter,
  }
})
