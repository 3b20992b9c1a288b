import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Job } from '../../electron/contract/api/jobs.ts'
import { api } from '../api.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'
import type { TablePlace } from '../parts/table-columns.ts'
import { toast } from '../parts/toasts.ts'
import { text } from '../locales/i18n.ts'
import { endingOf, isOpen } from './job-words.ts'

/** Jobs asked for at once; windows start at multiples of it. */
const BLOCK = 100
/** A running job announces with every item; what is shown is asked for again twice a second (chosen). */
const RELOAD_EVERY_IN_MS = 500

/** The jobs of the current organization, newest first, in windows; followed all the time, for the strip and the notices. */
export const useJobs = defineStore('jobs', () => {
  const blocks = shallowRef<ReadonlyMap<number, readonly Job[]>>(new Map())
  const total = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const place = shallowRef<TablePlace | null>(null)
  /** Counts up when something changed: what is open is read again. */
  const changed = ref(0)
  const under = new Set<number>()
  /** Missed jobs that were told of: once in a run of the program. */
  const toldMissed = new Set<string>()
  let round = 0

  /** Not ended, among the newest. */
  const open = computed(() => (blocks.value.get(0) ?? []).filter(isOpen))

  async function read(block: number): Promise<void> {
    const mine = round
    under.add(block)
    const outcome = await api.jobs.list({ start: block * BLOCK, count: BLOCK })
    under.delete(block)
    if (mine !== round) return
    if (!outcome.ok) {
      failure.value = outcome.failure
      return
    }
    if (block === 0) tellOfEnded(blocks.value.get(0) ?? [], outcome.value.jobs)
    blocks.value = new Map([
      ...[...blocks.value].filter(([index]) => index !== block),
      [block, outcome.value.jobs],
    ])
    total.value = outcome.value.total
    failure.value = null
    refreshPresentTime()
  }
  /** Whoever waits for a job may look elsewhere meanwhile. */
  function tellOfEnded(before: readonly Job[], now: readonly Job[]): void {
    for (const job of now) {
      const isNew = before.some((one) => one.id === job.id && isOpen(one))
      // Missed while nothing ran: nobody saw it open.
      const isFound = job.missed === 'in-this-run' && !toldMissed.has(job.id)
      if (isOpen(job) || !(isNew || isFound)) continue
      if (job.missed !== null) toldMissed.add(job.id)
      const wrong =
        job.missed !== null
          ? 'warn'
          : job.counts.failed > 0
            ? 'bad'
            : job.counts.done < job.asked || job.unseen > 0
              ? 'warn'
              : 'ok'
      toast({
        text: endingOf(job),
        kind: wrong,
        action: { label: text('jobs.show'), run: () => opened(job.id) },
      })
    }
  }
  /** Set by the frame: how a message leads to its job. */
  let opened: (id: string) => unknown = () => undefined

  const again = async (): Promise<void> => {
    changed.value += 1
    await Promise.all([...new Set([0, ...blocks.value.keys()])].map(read))
  }
  async function startOver(): Promise<void> {
    round += 1
    under.clear()
    blocks.value = new Map()
    total.value = null
    await read(0)
  }
  const rowAt = (index: number): Job | undefined =>
    blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  function need(first: number, last: number): void {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++)
      if (!blocks.value.has(block) && !under.has(block)) void read(block)
  }
  function follow(show: (id: string) => unknown): () => void {
    opened = show
    const reload = paced(() => void again(), RELOAD_EVERY_IN_MS)
    const ends = [api.jobs.changed(reload.call), api.organizations.changed(() => void startOver())]
    void read(0)
    return () => [reload.stop, ...ends].forEach((end) => end())
  }

  return { blocks, total, failure, place, changed, open, again, startOver, rowAt, need, follow }
})
