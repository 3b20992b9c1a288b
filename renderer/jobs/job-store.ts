import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import type { Outcome } from '../../electron/contract/failure.ts'
import { jobResultCounts, mayBeChecked } from '../../electron/contract/job-result.ts'
import type { Job, JobItem, JobItemPage, JobItemQuery, JobWait } from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import type { TableSort } from '../lists/table-sort.ts'
import { useList } from '../lists/use-list.ts'
import { resultOf } from '../components/latest-result.ts'
import { jobItemColumns, type JobItemColumn } from './job-columns.ts'
import { attentionOf, unsentOf } from './job-text.ts'

/** Items per request. */
const COUNT = 100
/** As they were planned. */
const natural: TableSort<JobItemColumn> = []
/** What may have taken effect first, then what failed. */
const worstFirst: TableSort<JobItemColumn> = [{ column: 'outcome', descending: false }]
/** The parts of a job, in the order of its tabs. */
export const jobTabs = ['attention', 'notSent', 'open', 'waiting', 'done', 'all', 'facts'] as const
export type JobTab = (typeof jobTabs)[number]
const shownIn: Readonly<Record<JobTab, JobItemQuery['show']>> = {
  attention: 'attention',
  notSent: 'not-sent',
  open: 'under-way',
  waiting: 'open',
  done: 'done',
  all: null,
  facts: null,
}
/**
 * The maximum number of copied lines: the limit of the clipboard call (contract), with space for long names.
 */
export const copiedAtMost = 500

/** The open job, its items in slices, and its actions. */
export const useJob = defineStore('job', () => {
  const id = ref<string | null>(null)
  const got = resultOf<Job>(() => id.value)
  const acted = resultOf<Job>(() => id.value)
  const job = computed(() => got.last.value?.value ?? null)
  const waited = resultOf<readonly JobWait[]>(() => id.value)
  const chosenTab = ref<JobTab | null>(null)
  const counts = computed(() => {
    if (job.value === null) return null
    const { asked, underWay, notSent } = job.value
    return {
      attention: attentionOf(job.value),
      notSent,
      open: underWay,
      waiting: unsentOf(job.value),
      done: jobResultCounts(job.value).done,
      all: asked,
    }
  })
  /** What needs a look, else what has not ended or was not sent, else all items. */
  const firstTab = computed<JobTab>(
    () =>
      (['attention', 'open', 'waiting', 'notSent'] as const).find((one) => (counts.value?.[one] ?? 0) > 0) ??
      'all',
  )
  /** Its tab is not known before. A new job object is no new query. */
  const isLoaded = computed(() => job.value !== null && job.value.id === id.value)
  /** Counts how often a job was opened. */
  const opening = ref(0)
  /** The tab on which the job was opened: it stays while the job goes on. */
  const openedOn = computed<{ readonly opening: number; readonly tab: JobTab } | null>((before) =>
    !isLoaded.value || before?.opening === opening.value
      ? (before ?? null)
      : { opening: opening.value, tab: firstTab.value },
  )
  const tab = computed<JobTab>({
    get() {
      const wanted = chosenTab.value ?? openedOn.value?.tab ?? 'all'
      const isEmpty = wanted !== 'facts' && wanted !== 'all' && counts.value?.[wanted] === 0
      return isEmpty ? firstTab.value : wanted
    },
    set: (wanted) => (chosenTab.value = wanted),
  })
  const show = computed(() => shownIn[tab.value])
  const selected = ref<number | null>(null)
  /** The open item, and the result of its last check. */
  const lookedAt = ref<number | null>(null)
  /** All items of the open job that were checked. */
  const everLookedAt = ref<ReadonlySet<number>>(new Set())
  const checked = resultOf<JobItemPage>(() => (lookedAt.value === null ? null : String(lookedAt.value)))
  const gridSort = useListSort('job-items', jobItemColumns, natural)
  const sort = computed({
    get: () => (tab.value === 'attention' ? worstFirst : gridSort.value),
    set: (wanted) => (gridSort.value = wanted),
  })
  const list = useList({
    question: () =>
      id.value === null || !isLoaded.value || tab.value === 'facts' || tab.value === 'waiting'
        ? null
        : { id: id.value, show: show.value, sort: sort.value },
    count: COUNT,
    fetch: (question, { start, count }) => api.jobs.items({ ...question, start, count }),
    rowsOf: (page: JobItemPage): readonly JobItem[] => page.items,
    idOf: (item) => item.id,
    beside: async () =>
      id.value !== null && Promise.all([got.take(id.value, api.jobs.get({ id: id.value })), loadWaits()]),
  })
  const showsWaits = computed(() => tab.value === 'waiting' || tab.value === 'open')
  async function loadWaits(): Promise<void> {
    if (id.value !== null && showsWaits.value) await waited.take(id.value, api.jobs.waits({ id: id.value }))
  }
  watch(
    () => showsWaits.value && job.value?.id,
    (wanted) => wanted && void loadWaits(),
  )
  /** Remains when the item is scrolled out of the cache. */
  const item = computed<JobItem | null>((before) =>
    selected.value === null
      ? null
      : (list.rowAt(list.indexOf(selected.value) ?? -1) ?? (before?.id === selected.value ? before : null)),
  )

  async function open(wanted: string): Promise<void> {
    id.value = wanted
    opening.value += 1
    chosenTab.value = null
    selected.value = lookedAt.value = null
    everLookedAt.value = new Set()
    acted.clear()
    await got.take(wanted, api.jobs.get({ id: wanted }))
  }

  async function act(wanted: string, request: Promise<Outcome<Job>>): Promise<boolean> {
    acted.clear()
    await acted.take(wanted, request)
    await list.again()
    return (await request).ok
  }
  const pause = (wanted: string): Promise<boolean> => act(wanted, api.jobs.pause({ id: wanted }))
  const resume = (wanted: string, unlock: boolean): Promise<boolean> =>
    act(wanted, api.jobs.resume({ id: wanted, unlock }))
  const cancel = (wanted: string): Promise<boolean> => act(wanted, api.jobs.cancel({ id: wanted }))

  /** Checks the result of an item at the service: a read, never the write again. */
  async function check(wanted: number): Promise<void> {
    lookedAt.value = wanted
    everLookedAt.value = new Set([...everLookedAt.value, wanted])
    checked.clear()
    if (await checked.take(String(wanted), api.jobs.check({ item: wanted }))) await list.again()
  }
  /** Checks one after the other, until one cannot be read or another job is opened. */
  async function checkAll(wanted: readonly number[]): Promise<void> {
    const of = id.value
    for (const one of wanted) {
      if (id.value !== of) return
      await check(one)
      if (checked.answer.value.failure !== null) return
    }
  }
  const looked = computed(() => {
    const { value, failure } = checked.answer.value
    if (value === null && failure === null) return null
    const now = value?.items.find((one) => one.id === lookedAt.value)
    return { item: lookedAt.value, now, stillUnknown: now !== undefined && mayBeChecked(now), failure }
  })
  /** Whether a check could not tell its result either. */
  const isStillUnknown = (one: JobItem): boolean =>
    everLookedAt.value.has(one.id) &&
    mayBeChecked(one) &&
    (one.id !== lookedAt.value || (looked.value?.stillUnknown ?? false))
  /** The first visible items, for the clipboard; null: they could not be read. */
  async function listed(): Promise<readonly JobItem[] | null> {
    if (id.value === null) return null
    const query = { id: id.value, show: show.value, sort: sort.value }
    const outcome = await api.jobs.items({ ...query, start: 0, count: copiedAtMost })
    return outcome.ok ? outcome.value.items : null
  }
  /** All items, those to look at first. */
  function showAll(): void {
    gridSort.value = worstFirst
    chosenTab.value = 'all'
  }
  function close(): void {
    id.value = selected.value = lookedAt.value = null
    got.clear()
    waited.clear()
    acted.clear()
  }

  return {
    ...list,
    id,
    job,
    counts,
    tab,
    waits: computed(() => waited.answer.value.value ?? []),
    /** When the shown job was read. */
    answeredAt: computed(() => got.last.value?.answeredAt ?? null),
    failure: computed(() => got.last.value?.failure ?? null),
    itemsFailure: list.failure,
    /** Why the last action failed. */
    actionFailure: computed(() => acted.answer.value.failure),
    busy: acted.busy,
    show,
    sort,
    selected,
    item,
    looking: computed(() => (checked.busy.value ? lookedAt.value : null)),
    looked,
    isStillUnknown,
    open,
    pause,
    resume,
    cancel,
    check,
    checkAll,
    listed,
    showAll,
    close,
  }
})
