import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, shallowRef, watch } from 'vue'
import type {
  ChangeGroup,
  ChangeGroups,
  ChangeQuery,
  ChangeRow,
  ChangeSort,
  ChangeSlice,
} from '../../electron/contract/api/changes.ts'
import { changeSortColumns } from '../../electron/contract/fields/change.ts'
import { changeVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import { useFilter } from '../lists/use-filter.ts'
import { useList } from '../lists/use-list.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'
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
  const marked = latestResult<unknown>()
  /** The queries for the rows of expanded groups, by group key. */
  const groupRows = shallowReactive(new Map<string, LatestResult<ChangeSlice>>())
  /** Rows of expanded groups, by group key. */
  const opened = computed<ReadonlyMap<string, ChangeSlice>>(
    () =>
      new Map(
        [...groupRows].flatMap(([key, { value }]) => (value.value === null ? [] : [[key, value.value]])),
      ),
  )
  /** Why the rows of a group, or marking as seen, failed. */
  const failure = computed(
    () => [marked, ...groupRows.values()].find((one) => one.failure.value !== null)?.failure.value ?? null,
  )
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
    replacedBy: [organizationSwitched],
    beside: () => Promise.all([fetchGroups(), ...[...groupRows.keys()].map(fetchGroup)]),
  })

  async function fetchGroups(): Promise<void> {
    if (await grouped.take(api.changes.groups(query.value))) refreshNow()
  }
  /** A group that was collapsed or belongs to another query keeps its late rows to itself. */
  async function fetchGroup(key: string): Promise<void> {
    const rows = groupRows.get(key) ?? latestResult<ChangeSlice>()
    groupRows.set(key, rows)
    await rows.take(api.changes.slice({ ...query.value, group: key, start: 0, count: GROUP_ROWS }))
  }
  async function reload(): Promise<void> {
    groupRows.clear()
    marked.clear()
    await fetchGroups()
  }
  watch(query, () => void reload())

  function toggle(group: ChangeGroup): void {
    if (opened.value.has(group.key)) groupRows.delete(group.key)
    else void fetchGroup(group.key)
  }
  function showOnly(group: ChangeGroup | null): void {
    only.value = group
    asList.value = group !== null || asList.value
  }
  /** Marks everything up to the newest change that the page knows as seen; returns the function that undoes this, null on failure. */
  async function markSeen(): Promise<(() => Promise<void>) | null> {
    const known = grouped.value.value
    if (known === null) return null
    const request = api.changes.look({ seen: { at: Date.now(), id: known.newestId } })
    await marked.take(request)
    if (!(await request).ok) return null
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
      organizationSwitched(() => void reload()),
    ]
    return () => disposers.forEach((end) => end())
  }

  return {
    ...list,
    /** The changes that the page shows: in the list those of its only group, if there is one. */
    total: computed(() => (asList.value ? list.total.value : (grouped.value.value?.total ?? null))),
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
