import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import type { Job, JobItem, JobItemPage, JobItemQuery } from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import type { TableSort } from '../lists/table-sort.ts'
import { useList } from '../lists/use-list.ts'
import { latestResult } from '../components/latest-result.ts'
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
  const got = latestResult<Job>()
  /** Why the last action failed. */
  const actionFailure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  const show = ref<JobItemQuery['show']>(null)
  const selected = ref<number | null>(null)
  /** The open item, and the result of its last check. */
  const looking = ref<number | null>(null)
  const looked = shallowRef<{
    readonly item: number
    readonly stillUnknown: boolean
    readonly failure: Failure | null
  } | null>(null)
  const sort = useListSort('job-items', jobItemColumns, natural)
  const list = useList({
    question: () => (id.value === null ? null : { id: id.value, show: show.value, sort: sort.value }),
    count: COUNT,
    fetch: (question, { start, count }) => api.jobs.items({ ...question, start, count }),
    rowsOf: (page: JobItemPage): readonly JobItem[] => page.items,
    idOf: (item) => item.id,
    beside: async () => id.value !== null && got.take(api.jobs.get({ id: id.value })),
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
    selected.value = looked.value = actionFailure.value = null
    const isLatest = await got.take(api.jobs.get({ id: wanted }))
    if (isLatest && got.failure.value !== null) got.value.value = null
  }

  async function act(requested: Promise<Outcome<Job>>): Promise<boolean> {
    busy.value = true
    actionFailure.value = null
    const outcome = await requested
    busy.value = false
    if (outcome.ok && outcome.value.id === id.value) got.value.value = outcome.value
    if (!outcome.ok) actionFailure.value = outcome.failure
    await list.again()
    return outcome.ok
  }
  const pause = (wanted: string): Promise<boolean> => act(api.jobs.pause({ id: wanted }))
  const resume = (wanted: string, unlock: boolean): Promise<boolean> =>
    act(api.jobs.resume({ id: wanted, unlock }))
  const cancel = (wanted: string): Promise<boolean> => act(api.jobs.cancel({ id: wanted }))

  /** Checks the result of an item at the service: a read, never the write again. */
  async function check(wanted: number): Promise<void> {
    looking.value = wanted
    looked.value = null
    const outcome = await api.jobs.check({ item: wanted })
    if (looking.value !== wanted) return
    looking.value = null
    const now = outcome.ok ? outcome.value.items.find((one) => one.id === wanted) : undefined
    looked.value = {
      item: wanted,
      stillUnknown: now?.outcome === 'unknown',
      failure: outcome.ok ? null : outcome.failure,
    }
    await list.again()
  }
  /** The first visible items, for the clipboard; null: they could not be read. */
  async function listed(): Promise<readonly JobItem[] | null> {
    if (id.value === null) return null
    const query = { id: id.value, show: show.value, sort: sort.value }
    const outcome = await api.jobs.items({ ...query, start: 0, count: copiedAtMost })
    return outcome.ok ? outcome.value.items : null
  }
  function close(): void {
    got.clear()
    id.value = actionFailure.value = selected.value = looked.value = null
  }

  return {
    ...list,
    id,
    job: got.value,
    failure: got.failure,
    itemsFailure: list.failure,
    actionFailure,
    busy,
    show,
    sort,
    selected,
    item,
    looking,
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
