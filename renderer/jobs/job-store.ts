import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import type { Outcome } from '../../electron/contract/failure.ts'
import type { Job, JobItem, JobItemPage, JobItemQuery } from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import type { TableSort } from '../lists/table-sort.ts'
import { useList } from '../lists/use-list.ts'
import { resultOf } from '../components/latest-result.ts'
import { jobItemColumns, type JobItemColumn } from './job-columns.ts'

/** Items per request. */
const COUNT = 100
/** As they were planned. */
const natural: TableSort<JobItemColumn> = []
/**
 * The maximum number of copied lines: the limit of the clipboard call (contract), with space for long names.
 */
export const copiedAtMost = 500

/** The open job, its items in slices, and its actions. */
export const useJob = defineStore('job', () => {
  const id = ref<string | null>(null)
  const got = resultOf<Job>(() => id.value)
  const acted = resultOf<Job>(() => id.value)
  const show = ref<JobItemQuery['show']>(null)
  const selected = ref<number | null>(null)
  /** The open item, and the result of its last check. */
  const lookedAt = ref<number | null>(null)
  const checked = resultOf<JobItemPage>(() => (lookedAt.value === null ? null : String(lookedAt.value)))
  const sort = useListSort('job-items', jobItemColumns, natural)
  const list = useList({
    question: () => (id.value === null ? null : { id: id.value, show: show.value, sort: sort.value }),
    count: COUNT,
    fetch: (question, { start, count }) => api.jobs.items({ ...question, start, count }),
    rowsOf: (page: JobItemPage): readonly JobItem[] => page.items,
    idOf: (item) => item.id,
    beside: async () => id.value !== null && got.take(id.value, api.jobs.get({ id: id.value })),
  })
  /** Remains when the item is scrolled out of the cache. */
  const item = computed<JobItem | null>((before) =>
    selected.value === null
      ? null
      : (list.rowAt(list.indexOf(selected.value) ?? -1) ?? (before?.id === selected.value ? before : null)),
  )

  async function open(wanted: string): Promise<void> {
    id.value = wanted
    show.value = null
    selected.value = lookedAt.value = null
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
    checked.clear()
    if (await checked.take(String(wanted), api.jobs.check({ item: wanted }))) await list.again()
  }
  const looked = computed(() => {
    const { value, failure } = checked.answer.value
    if (value === null && failure === null) return null
    const now = value?.items.find((one) => one.id === lookedAt.value)
    return { item: lookedAt.value, stillUnknown: now?.outcome === 'unknown', failure }
  })
  /** The first visible items, for the clipboard; null: they could not be read. */
  async function listed(): Promise<readonly JobItem[] | null> {
    if (id.value === null) return null
    const query = { id: id.value, show: show.value, sort: sort.value }
    const outcome = await api.jobs.items({ ...query, start: 0, count: copiedAtMost })
    return outcome.ok ? outcome.value.items : null
  }
  function close(): void {
    id.value = selected.value = lookedAt.value = null
    got.clear()
    acted.clear()
  }

  return {
    ...list,
    id,
    job: computed(() => got.last.value?.value ?? null),
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
    open,
    pause,
    resume,
    cancel,
    check,
    listed,
    close,
  }
})
