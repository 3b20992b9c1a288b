import { defineStore } from 'pinia'
import { computed, watch, type ComputedRef } from 'vue'
import { newsOf, type JobNews } from '../../electron/contract/job-news.ts'
import type { Job, JobPage } from '../../electron/contract/api/jobs.ts'
import { jobVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { api } from '../api.ts'
import { useFilter } from '../lists/use-filter.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { latestResult, resultOf } from '../components/latest-result.ts'
import { useList } from '../lists/use-list.ts'
import { toast } from '../components/toasts.ts'
import { text } from '../locales/i18n.ts'
import { useJob } from './job-store.ts'
import { endingOf, isOpen, markOfJob, scheduledFor, titleOfJob } from './job-text.ts'

/** Of the newest jobs, which the whole window follows. */
const COUNT = 100
/** The maximum of the contract: as many as are stored of an organization. */
const ALL = 500

/** What a job does, once it is read; null: none, or not known. */
export function useJobName(id: () => string | null): ComputedRef<string | null> {
  const job = resultOf<Job>(id)
  watch(id, (wanted) => wanted !== null && void job.take(wanted, api.jobs.get({ id: wanted })), {
    immediate: true,
  })
  return computed(() => job.answer.value.value && titleOfJob(job.answer.value.value))
}

/** All jobs of the current organization that match the filter, newest first. */
export const useJobList = defineStore('job-list', () => {
  const { where, applied, filtered, clearFilter } = useFilter(jobVocabulary)
  const list = useList({
    question: () => ({ where: applied.value }),
    count: ALL,
    fetch: (question, { start, count }) => api.jobs.list({ ...question, start, count }),
    rowsOf: (page: JobPage): readonly Job[] => page.jobs,
    idOf: (job) => job.id,
    replacedBy: [organizationSwitched],
  })
  return {
    ...list,
    where,
    applied,
    filtered,
    clearFilter,
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
    replacedBy: [organizationSwitched],
  })
  /** Missed jobs that were already reported, because each is reported once per run of the program. */
  const reportedMissed = new Set<string>()

  /** Unfinished ones among the newest. */
  const open = computed(() => list.newest.value.filter(isOpen))

  const onScreen = useJob()
  /** Another page may be opened while the response is awaited. */
  function tellOfEnded(before: readonly Job[], now: readonly Job[]): void {
    for (const job of now) {
      const isNew = before.some((one) => one.id === job.id && isOpen(one))
      // A job that was missed while the program was closed was never listed as open.
      const isFound = job.missed === 'in-this-run' && !reportedMissed.has(job.id)
      if (isOpen(job) || !(isNew || isFound)) continue
      // The page of the job says it itself.
      if (job.missed === null && onScreen.id === job.id) continue
      if (job.missed !== null) reportedMissed.add(job.id)
      const mark = markOfJob(job)
      toast({
        text: endingOf(job),
        kind: mark === 'ok' || mark === 'bad' ? mark : 'warn',
        about: job.id,
        action: { label: text('jobs.show'), run: () => opened(job.id) },
      })
    }
  }
  const appLayout = useLayoutStore()
  const others = latestResult<readonly Job[]>()
  /** Jobs of the organizations that are not on screen. */
  const elsewhere = computed(() =>
    (others.value.value ?? []).filter((job) => job.organizationId !== appLayout.current?.id),
  )
  /** The name of a job's organization; empty: it is on screen. */
  const organizationOf = ({ organizationId }: Job): string =>
    organizationId === appLayout.current?.id
      ? ''
      : (appLayout.organizations?.organizations.find(({ id }) => id === organizationId)?.name ?? '')
  const lookElsewhere = (): void => void others.take(api.jobs.elsewhere())
  /** What was told last about each job of another organization: each once until something else happens. */
  const told = new Map<string, JobNews | null>()

  async function openOf({ id, organizationId }: Job): Promise<void> {
    if ((await appLayout.useOrganization(organizationId)) === null) opened(id)
  }
  /** Nobody looks at them: what needs a person, and that they begin, is told wherever the window is. */
  function tellOfOthers(now: readonly Job[]): void {
    for (const job of now) {
      const [before, news] = [told.get(job.id), newsOf(job)]
      told.set(job.id, news)
      // One that ran when it was first seen has not just begun.
      if (news === null || news === before || (news === 'due' && before === undefined)) continue
      const organization = organizationOf(job)
      toast({
        text: text(`jobs.elsewhere.told.${news}`, {
          organization,
          job: titleOfJob(job),
          when: scheduledFor(job),
        }),
        kind: news === 'due' ? 'ok' : 'warn',
        action: { label: text('jobs.elsewhere.use', { organization }), run: () => openOf(job) },
      })
    }
  }
  watch(elsewhere, tellOfOthers)

  /** Set by the layout: how a message links to its job. */
  let opened: (id: string) => unknown = () => undefined

  watch(list.newest, (now, before) => tellOfEnded(before, now))
  function follow(show: (id: string) => unknown): () => void {
    opened = show
    void list.show()
    lookElsewhere()
    const disposers = [
      list.follow([api.jobs.changed]),
      api.jobs.changed(lookElsewhere),
      api.organizations.changed(lookElsewhere),
    ]
    return () => disposers.forEach((end) => end())
  }

  const openElsewhere = computed(() => elsewhere.value.filter(isOpen))
  return {
    ...list,
    open,
    elsewhere: openElsewhere,
    /**
     * Of every organization, each once: what the navigation and the status bar count. Just after another one
     * was opened, both lists may have the same job.
     */
    everywhere: computed(() => [
      ...open.value,
      ...openElsewhere.value.filter(({ id }) => open.value.every((job) => job.id !== id)),
    ]),
    organizationOf,
    openOf,
    follow,
  }
})
