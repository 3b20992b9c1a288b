import { Failed } from '../../contract/failure.ts'
import { watchedForInMs } from '../../contract/job-watch.ts'
import type {
  JobItem,
  JobItemQuery,
  JobSort,
  Job,
  JobState,
  JobWait,
  WaitReason,
} from '../../contract/api/jobs.ts'
import type { Clock } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { jobCondition } from './job-query.ts'
import {
  queryJob,
  queryJobs,
  queryListedItems,
  targetsAtMost,
  type StoredJob,
  type UnendedItem,
} from './job-rows.ts'
import type { CallBudget } from '../call-budget/call-budget.ts'
import { callCost } from './plans.ts'
import type { RunningJob } from './running-job.ts'
import type { CurrentWait, Runner } from './runner.ts'

/** A job as stored, without what only its session knows, such as its waits. */
export type ListedJob = StoredJob['listed'] & Pick<StoredJob, 'state'>

/** All jobs and the results of their items, as stored. Rejects with Failed `not-found` or `cache-unusable`. */
export interface ListedJobs {
  /** Those that match a filter; `sort` empty: newest first. */
  jobs(organizationId: string, where: string, sort: JobSort): Promise<readonly ListedJob[]>
  items(
    organizationId: string,
    query: Pick<JobItemQuery, 'id' | 'show' | 'sort'>,
  ): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly JobItem[]> }>
}

export const openListedJobs = (workbook: Pick<Workbook, 'query'>, clock: Pick<Clock, 'now'>): ListedJobs => ({
  jobs: async (organizationId, where, sort) => {
    const matching = jobCondition(organizationId, where, clock.now())
    const { jobs } = await queryJobs(workbook, matching, { sort, start: 0, count: -1 })
    return jobs.map(({ listed, state }) => ({ ...listed, state }))
  },
  items: async (organizationId, query) =>
    queryListedItems(workbook, await storedJob(workbook, organizationId, query.id), query),
})

/** Rejects with Failed `not-found`. */
export async function storedJob(
  workbook: Pick<Workbook, 'query'>,
  organizationId: string,
  id: string,
): Promise<StoredJob> {
  const job = await queryJob(workbook, organizationId, id)
  if (job === null) throw Failed.notFound(id)
  return job
}

/** Jobs and items as clients see them: the stored rows with the current state of the running jobs. */
export function openCurrentJobs(deps: {
  readonly runner: Runner
  readonly budget: Pick<CallBudget, 'state'>
  readonly clock: Clock
}) {
  const { runner, budget, clock } = deps
  const current = (job: StoredJob): Job => {
    const running = runner.get(job.id)
    const missed = !job.missed ? null : runner.missed.has(job.id) ? 'in-this-run' : 'earlier'
    const isToCome =
      job.listed.startedAt === null &&
      (job.listed.zones ?? []).some(({ startAt }) => startAt !== null && startAt > clock.now())
    const isUnarmed = (state: JobState, waitsFor: WaitReason | null): boolean =>
      state === 'paused' &&
      waitsFor === 'locked' &&
      (isToCome || (job.listed.startedAt === null && job.listed.window !== null))
    if (running === undefined || job.state === 'ended') {
      const { waitsFor } = job
      const state = isUnarmed(job.state, waitsFor)
        ? 'unarmed'
        : job.state === 'running' && isToCome
          ? 'waiting'
          : job.state
      return { ...job.listed, state, missed, waitsFor, waitsUntil: null, leftInMs: null }
    }
    let callsNow = 0
    let longest: number | null = null
    for (const { calls, monitoredSince } of running.inFlight.values()) {
      callsNow += calls
      if (monitoredSince !== null) longest = Math.min(longest ?? Infinity, clock.monotonic() - monitoredSince)
    }
    const waits = waitsOf(running)
    const state = isUnarmed(running.state, running.pausedFor)
      ? 'unarmed'
      : waitsForItsTime(running)
        ? 'waiting'
        : running.state
    const lasts = (calls: number): number => callCost(calls, budget.state(), clock.now()).aboutInMs
    const { callsPlanned, callsUsed } = job.listed
    const lastDueInMs = running.queue.lastAt() - clock.monotonic()
    const watched = watchedForInMs(running.work)
    const leftInMs = (): number | null => {
      // A window may close before.
      if (running.terms.window !== null) return null
      const planned = lasts(Math.max(0, callsPlanned - callsUsed - callsNow))
      // What waits for the first one may start later.
      if (waits?.reason === 'canary')
        return running.starts.length > 0 ? null : Math.max(0, watched - (longest ?? 0)) + planned + watched
      const queued = running.unsentItems() + running.sending()
      return running.speed.left({ queued, lastDueInMs, monitoredForInMs: longest, planned })
    }
    return {
      ...job.listed,
      state,
      missed,
      waitsFor: waits?.reason ?? null,
      waitsUntil: waits?.until ?? null,
      callsUsed: callsUsed + callsNow,
      leftInMs: state === 'running' ? leftInMs() : null,
    }
  }
  /** It sends nothing before its start time or window. */
  const waitsForItsTime = (running: RunningJob): boolean => {
    const reason = waitsOf(running)?.reason
    return running.state === 'running' && (reason === 'start-time' || reason === 'window')
  }
  /**
   * The displayed state: a job with a call in flight is not waiting. If all calls of a job wait, it waits for
   * the call budget.
   */
  const waitsOf = (running: RunningJob): CurrentWait | null => {
    const waits = runner.waits(running)
    if ((waits?.reason === 'device-minute' || waits?.reason === 'releases') && running.sending() > 0)
      return running.state === 'paused' ? waits : null
    if (waits !== null || running.sending() === 0) return waits
    const { waiting, waitReason } = budget.state()
    return waiting >= running.sending() &&
      (waitReason === 'second-window' || waitReason === 'five-minute-window')
      ? { reason: 'call-budget', until: null }
      : null
  }
  /** An item in another time zone may wait only for its window. */
  const inItsWindow = (item: JobItem, running: RunningJob): JobItem => {
    const window = running.windowIn(item.timeZone ?? null)
    if (item.state !== 'queued' || window === null || window.isOpen(clock.now())) return item
    const opensAt = window.opensAt(clock.now())
    const waitsFor = running.starts.length > 0 ? 'start-time' : 'window'
    return { ...item, waitsFor, earliestAt: Math.max(item.earliestAt ?? opensAt, opensAt) }
  }
  return { current, waitsForItsTime, inItsWindow }
}

type Wait = Pick<JobWait, 'reason' | 'until' | 'after'>

/** Groups the items of a job that were not sent yet by what they wait for, the largest group first. */
export function waitsOfItems(
  unended: readonly UnendedItem[],
  job: Pick<Job, 'state' | 'canary' | 'waitsFor' | 'waitsUntil'>,
  now: number,
): readonly JobWait[] {
  const tried = new Map(
    unended.flatMap(({ item, family }) => (item.state === 'queued' ? [] : [[family, item.target] as const])),
  )
  const ofJob: Wait = {
    reason: job.waitsFor === 'call-budget' ? null : job.waitsFor,
    until: job.waitsUntil,
  }
  const isGoing = job.state === 'running' || job.state === 'waiting'
  const waitOf = ({ item, family }: UnendedItem): Wait => {
    if (!isGoing) return ofJob
    if (item.waitsFor !== null) return { reason: item.waitsFor, until: item.earliestAt }
    const after = job.canary ? tried.get(family) : undefined
    if (after !== undefined) return { reason: 'canary', until: null, after }
    if (item.earliestAt !== null && item.earliestAt > now)
      return { reason: 'device-minute', until: item.earliestAt }
    return ofJob.reason === 'canary' ? { reason: null, until: null } : ofJob
  }
  const groups = new Map<string, JobWait>()
  for (const one of unended) {
    if (one.item.state !== 'queued') continue
    const wait = waitOf(one)
    // Zones reach their time at different moments; other waits end one after the other.
    const isTimed = wait.reason === 'start-time' || wait.reason === 'window'
    const key = JSON.stringify([wait.reason, isTimed ? wait.until : null, wait.after?.id])
    const group = groups.get(key) ?? { ...wait, count: 0, targets: [] }
    groups.set(key, {
      ...group,
      until: group.until === null || wait.until === null ? null : Math.min(group.until, wait.until),
      count: group.count + 1 + (one.more ?? 0),
      targets: group.count < targetsAtMost ? [...group.targets, one.item.target] : group.targets,
    })
  }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}
