import { defineStore } from 'pinia'
import { computed, watch } from 'vue'
import type { Job, JobPage } from '../../electron/contract/api/jobs.ts'
import { jobVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { api } from '../api.ts'
import { useFilter } from '../lists/use-filter.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import type { TableSort } from '../lists/table-sort.ts'
import { useList } from '../lists/use-list.ts'
import { toast } from '../components/toasts.ts'
import { text } from '../locales/i18n.ts'
import { jobColumns, type JobColumn } from './job-columns.ts'
import { endingOf, isOpen } from './job-text.ts'

/** Jobs per request. */
const COUNT = 100
/** Newest first. */
const natural: TableSort<JobColumn> = []

/** All jobs of the current organization in the order of the page, in slices. */
export const useJobList = defineStore('job-list', () => {
  const { where, applied, filtered, clearFilter } = useFilter(jobVocabulary)
  const sort = useListSort('jobs', jobColumns, natural)
  const list = useList({
    question: () => ({ where: applied.value, sort: sort.value }),
    count: COUNT,
    fetch: (question, { start, count }) => api.jobs.list({ ...question, start, count }),
    rowsOf: (page: JobPage): readonly Job[] => page.jobs,
    idOf: (job) => job.id,
    replacedBy: [api.organizations.changed],
  })
  return {
    ...list,
    where,
    applied,
    filtered,
    clearFilter,
    sort,
    follow: () => list.follow([api.jobs.changed]),
  }
})

/**
 * The newest jobs of the current organization, always kept up to date, for the strip, the Overview and the
 * notices.
 */
export const useJobs = defineStore('jobs', () => {
  const all = {}
  const list = useList({
    question: () => all,
    count: COUNT,
    fetch: (_, { start, count }) => api.jobs.list({ start, count }),
    rowsOf: (page: JobPage): readonly Job[] => page.jobs,
    idOf: (job) => job.id,
    replacedBy: [api.organizations.changed],
  })
  /** Missed jobs that were already reported, because each is reported once per run of the program. */
  const reportedMissed = new Set<string>()

  /** Unfinished ones among the newest. */
  const open = computed(() => list.newest.value.filter(isOpen))

  /** Another page may be opened while the response is awaited. */
  function tellOfEnded(before: readonly Job[], now: readonly Job[]): void {
    for (const job of now) {
      const isNew = before.some((one) => one.id === job.id && isOpen(one))
      // A job that was missed while the program was closed was never listed as open.
      const isFound = job.missed === 'in-this-run' && !reportedMissed.has(job.id)
      if (isOpen(job) || !(isNew || isFound)) continue
      if (job.missed !== null) reportedMissed.add(job.id)
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
  /** Set by the layout: how a message links to its job. */
  let opened: (id: string) => unknown = () => undefined

  watch(list.newest, (now, before) => tellOfEnded(before, now))
  function follow(show: (id: string) => unknown): () => void {
    opened = show
    void list.show()
    return list.follow([api.jobs.changed])
  }

  return { ...list, open, follow }
})
