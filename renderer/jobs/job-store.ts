import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import type { Job, JobItem, JobItemQuery } from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** Items asked for at once; windows start at multiples of it. */
const BLOCK = 100
const KEPT = 6
/** The most lines that are copied: what the clipboard call takes (contract), with room for long names. */
export const copiedAtMost = 500

/** The open job, its items in windows, and what can be done with it. */
export const useJob = defineStore('job', () => {
  const id = ref<string | null>(null)
  const job = shallowRef<Job | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** Why the last deed was not done. */
  const deedFailure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  const show = ref<JobItemQuery['show']>(null)
  const blocks = shallowRef<ReadonlyMap<number, readonly JobItem[]>>(new Map())
  const total = ref<number | null>(null)
  const startedOver = ref(0)
  const selected = ref<number | null>(null)
  /** The item that is looked at, and what the last look at the service said of it. */
  const looking = ref<number | null>(null)
  const looked = shallowRef<{
    readonly item: number
    readonly stillUnknown: boolean
    readonly failure: Failure | null
  } | null>(null)
  const under = new Set<string>()
  let round = 0

  const question = computed(() => ({ id: id.value, show: show.value }))
  const item = computed(() =>
    selected.value === null
      ? null
      : ([...blocks.value.values()].flat().find((one) => one.id === selected.value) ?? null),
  )

  async function readJob(): Promise<void> {
    const wanted = id.value
    if (wanted === null) return
    const outcome = await api.jobs.get({ id: wanted })
    if (wanted !== id.value) return
    if (outcome.ok) job.value = outcome.value
    failure.value = outcome.ok ? null : outcome.failure
    refreshPresentTime()
  }
  async function read(block: number, fresh: boolean): Promise<void> {
    const mine = question.value
    if (mine.id === null) return
    const name = `${block} ${JSON.stringify(mine)}`
    under.add(name)
    const outcome = await api.jobs.items({
      id: mine.id,
      show: mine.show,
      start: block * BLOCK,
      count: BLOCK,
    })
    under.delete(name)
    if (mine !== question.value || !outcome.ok) return
    const kept = fresh ? [] : [...blocks.value].filter(([index]) => index !== block).slice(-(KEPT - 1))
    blocks.value = new Map([...kept, [block, outcome.value.items]])
    total.value = outcome.value.total
  }
  async function open(wanted: string): Promise<void> {
    const mine = ++round
    id.value = wanted
    show.value = null
    selected.value = looked.value = deedFailure.value = null
    const outcome = await api.jobs.get({ id: wanted })
    if (mine !== round) return
    job.value = outcome.ok ? outcome.value : null
    failure.value = outcome.ok ? null : outcome.failure
    blocks.value = new Map()
    total.value = null
    startedOver.value += 1
    await read(0, true)
  }
  const again = async (): Promise<void> => {
    await Promise.all([
      readJob(),
      ...[...new Set([0, ...blocks.value.keys()])].map((block) => read(block, false)),
    ])
  }
  watch(show, () => {
    startedOver.value += 1
    void read(0, true)
  })
  const rowAt = (index: number): JobItem | undefined =>
    blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  function need(first: number, last: number): void {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++)
      if (!blocks.value.has(block) && !under.has(`${block} ${JSON.stringify(question.value)}`))
        void read(block, false)
  }

  async function deed(asked: Promise<Outcome<Job>>): Promise<boolean> {
    busy.value = true
    deedFailure.value = null
    const outcome = await asked
    busy.value = false
    if (outcome.ok && outcome.value.id === id.value) job.value = outcome.value
    if (!outcome.ok) deedFailure.value = outcome.failure
    await again()
    return outcome.ok
  }
  const pause = (wanted: string): Promise<boolean> => deed(api.jobs.pause({ id: wanted }))
  const resume = (wanted: string, unlock: boolean): Promise<boolean> =>
    deed(api.jobs.resume({ id: wanted, unlock }))
  const cancel = (wanted: string): Promise<boolean> => deed(api.jobs.cancel({ id: wanted }))

  /** Looks at the service what became of an item: a read, never the write again. */
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
    await again()
  }
  /** The first items of what is shown, for the clipboard; null: they could not be read. */
  async function listed(): Promise<readonly JobItem[] | null> {
    const { id: wanted, show: what } = question.value
    if (wanted === null) return null
    const outcome = await api.jobs.items({ id: wanted, show: what, start: 0, count: copiedAtMost })
    return outcome.ok ? outcome.value.items : null
  }
  function close(): void {
    round += 1
    id.value = job.value = failure.value = deedFailure.value = selected.value = looked.value = null
    blocks.value = new Map()
    total.value = null
  }

  return {
    id,
    job,
    failure,
    deedFailure,
    busy,
    show,
    total,
    startedOver,
    selected,
    item,
    looking,
    looked,
    open,
    again,
    rowAt,
    need,
    pause,
    resume,
    cancel,
    check,
    listed,
    close,
  }
})
