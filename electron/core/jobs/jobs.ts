import { Failed, failedWith } from '../../contract/failure.ts'
import type {
  Job,
  JobDraft,
  JobItemPage,
  JobWait,
  JobItemQuery,
  JobPage,
  JobQuery,
  JobPlan,
  JobStart,
  JobTerms,
  JobTiming,
  JobWork,
  PlannedItem,
  RoomRestart,
  SkipReason,
} from '../../contract/api/jobs.ts'
import { mayBeChecked } from '../../contract/job-result.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Log } from '../platform.ts'
import { unwatched, type RunningTask, type Tasks } from '../tasks.ts'
import type { Authorization, Writes } from '../writes/writes.ts'
import type { Workbook } from '../storage/workbook.ts'
import { JobRepository } from './job-repository.ts'
import { jobCondition } from './job-query.ts'
import {
  queryItem,
  queryItems,
  queryJobs,
  queryJobsOf,
  queryOpenJobs,
  queryRestarts,
  queryTried,
  queryUnended,
  queueItemOf,
  queueSql,
  type StoredJob,
} from './job-rows.ts'
import type { WorkItem, WorkPlan } from './job-work.ts'
import { storedJob, openCurrentJobs, waitsOfItems } from './listed-jobs.ts'
import { RunningJob } from './running-job.ts'
import {
  checkStartTimes,
  checkTerms,
  jobPlanOf,
  plannedItems,
  Plans,
  withCanaries,
  type StoredPlan,
} from './plans.ts'
import { noAuthorization, Runner, type RunnerOptions } from './runner.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

export { openListedJobs, type ListedJob, type ListedJobs } from './listed-jobs.ts'
export { localWindow } from './start-window.ts'

/** A job that waits for its start time or window, with its action and time. */
export interface ScheduledJob extends JobTiming, Pick<Job, 'kind' | 'asked' | 'target' | 'zones'> {}

export interface ActiveJobs {
  readonly running: number
  readonly waiting: readonly ScheduledJob[]
}

/** Jobs of one organization. Reject with Failed. */
export interface Jobs {
  plan(draft: JobDraft, task?: RunningTask): Promise<JobPlan>
  planned(query: {
    readonly plan: string
    readonly start: number
    readonly count: number
    readonly product?: number
  }): Promise<{ items: readonly PlannedItem[]; total: number }>
  /**
   * `writes-locked`, `invalid` (field `plan`, `typed`, `items` or one of the terms).
   */
  start(start: JobStart): Promise<Job>
  list(query: JobQuery): Promise<JobPage>
  get(id: string): Promise<Job>
  items(query: JobItemQuery): Promise<JobItemPage>
  /** What the items that were not sent yet wait for. */
  waits(id: string): Promise<readonly JobWait[]>
  /** Rooms that are being restarted now. */
  restarts(): Promise<readonly RoomRestart[]>
  pause(id: string): Promise<Job>
  resume(resume: { readonly id: string; readonly unlock: boolean }): Promise<Job>
  cancel(id: string): Promise<Job>
  /** `item`: only this one. */
  retry(id: string, task?: RunningTask, item?: number | null): Promise<JobPlan>
  check(item: number): Promise<JobItemPage>
  /**
   * The same jobs; a job started or resumed here is authorized by those writes, and ends with them unless it
   * is detached.
   */
  through(writes: Writes): Jobs
  /** Number of jobs that continue in this program without a person; paused jobs do not count. */
  active(): ActiveJobs
  /** Jobs changed. Returns the function that ends it. */
  onChange(listener: (ids: readonly string[]) => void): () => void
  /** Sends nothing more, and waits for items in flight: close the writes at the same time. */
  close(): Promise<void>
}

export interface JobsOptions extends Omit<RunnerOptions, 'repository' | 'changed'> {
  readonly organizationId: string
  /** Read when a plan is made: an organization may be renamed. */
  readonly organizationName: () => string
  readonly workbook: Pick<Workbook, 'query' | 'write'>
  /** The operating system's user. */
  readonly who: string
  /** IANA name, for times of rooms without a zone. */
  readonly timeZone: () => Promise<string>
  /** IANA names by device id, for devices whose room's record names one. */
  readonly zonesOf: (deviceIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly log: Log
}

const pageJobs = 500
const pageItems = 500

export function openJobs(options: JobsOptions): Jobs {
  const { organizationId, workbook, budget, clock, newId, who, workers } = options
  const listeners = new Listeners<[ids: readonly string[]]>()
  const changed = (id: string): void => listeners.notify([id])
  const repository = new JobRepository({ workbook, now: () => clock.now(), log: options.log })
  const runner = new Runner({ ...options, repository, changed })
  const plans = new Plans(clock)
  let closed = false

  /** Paused, except that accepted items are watched: one step, so nothing is left half done if it fails. */
  const openLeft = async (): Promise<void> => {
    const ids = await repository.pauseLeft(organizationId)
    const left = await Promise.all(
      (await queryOpenJobs(workbook, organizationId)).map(
        async (job) => [await loaded(job), await queryMonitored(job)] as const,
      ),
    )
    if (closed) return
    for (const [job, monitored] of left) runner.add(job, monitored)
    if (ids.length > 0) listeners.notify(ids)
  }
  const loaded = async ({ listed, ...job }: StoredJob): Promise<RunningJob> => {
    const [timeZone, queue, tried] = await Promise.all([
      options.timeZone(),
      workbook.query(queueSql, [job.number]),
      listed.canary ? queryTried(workbook, job.number) : [],
    ])
    const begun = listed.startedAt !== null
    const stored = { ...listed, ...job, terms: listed, begun, timeZone, queue: queue.map(queueItemOf), tried }
    const running = new RunningJob(stored, clock)
    running.state = job.state === 'stopping' ? 'stopping' : 'paused'
    running.pausedFor = 'locked'
    if (running.state === 'stopping') running.stop.abort()
    return running
  }
  const queryMonitored = async (job: StoredJob): Promise<Parameters<Runner['add']>[1]> => {
    const rows = await workbook.query(
      `SELECT id, state FROM job_item WHERE job = ? AND state IN ('checking', 'watching')`,
      [job.number],
    )
    const items = await Promise.all(rows.map((row) => queryItem(workbook, organizationId, Number(row['id']))))
    return items.flatMap((found) => {
      const state = found?.item.state
      return found !== null && (state === 'checking' || state === 'watching')
        ? [{ item: found.toRun, state }]
        : []
    })
  }
  let opening: Promise<void> | null = null
  /** Once; tried again at the next call if the file could not be read or written. */
  const opened = (): Promise<void> =>
    (opening ??= openLeft().catch((error: unknown) => {
      opening = null
      options.log.write('warn', 'Jobs that an earlier run left cannot be paused', { error: String(error) })
      throw error
    }))
  /** For queries: stored jobs are shown even if they cannot be paused. */
  const openedIfPossible = (): Promise<void> => opened().catch(() => undefined)
  void openedIfPossible()

  const mustBeOpen = async (): Promise<void> => {
    if (closed) throw new Failed({ kind: 'cancelled' })
    await opened()
  }

  const stored = (id: string): Promise<StoredJob> => storedJob(workbook, organizationId, id)
  const { current, waitsForItsTime, inItsWindow } = openCurrentJobs({ runner, budget, clock })
  const now = async (id: string): Promise<Job> => current(await stored(id))

  const runningJob = async (id: string): Promise<RunningJob | null> => {
    const job = await stored(id)
    if (job.state === 'ended') return null
    await mustBeOpen()
    return runner.get(id) ?? null
  }

  /** Devices are in the zones of their rooms. */
  const inTheirZones = async (items: readonly WorkItem[]): Promise<readonly WorkItem[]> => {
    const zones = await options.zonesOf(
      items.flatMap(({ planned: { target } }) => (target.of === 'device' ? [target.id] : [])),
    )
    return items.map((item) => {
      const timeZone = zones.get(item.planned.target.id)
      if (timeZone === undefined) return item
      return {
        ...item,
        planned: { ...item.planned, timeZone },
        memory: { ...(item.memory as JsonObject), timeZone },
      }
    })
  }

  const planOf = async (
    writes: Writes,
    draft: JobDraft,
    retryOf: string | null,
    task: RunningTask,
  ): Promise<JobPlan> => {
    checkTerms(draft, draft)
    // Before its reads: if the file cannot store line or slot, no item of this plan could be sent.
    await writes.mustBeOpen(true)
    const planned = await workers[draft.work.kind].plan(draft.work, task)
    await openedIfPossible()
    const isIn = (devices: ReadonlySet<string>) => (item: WorkItem) =>
      item.planned.devices.some(({ id }) => devices.has(id))
    const deviceIds = planned.items.flatMap(({ planned: { devices } }) => devices.map(({ id }) => id))
    const others = await queryJobsOf(workbook, organizationId, deviceIds)
    const marked = planned.items.map((item) => {
      const alsoIn = others.find(({ devices }) => isIn(devices)(item))?.job.id
      return alsoIn === undefined ? item : { ...item, planned: { ...item.planned, alsoIn } }
    })
    const { withoutOthers = false, withoutZones = [] } = draft.work.kind === 'reboot-rooms' ? draft.work : {}
    const whyLeft = ({ planned: { alsoIn: other, timeZone } }: WorkItem): SkipReason | null =>
      withoutOthers && other !== undefined
        ? 'in-other-job'
        : withoutZones.includes(timeZone ?? 'local')
          ? 'in-use'
          : null
    const zoned = await inTheirZones(marked)
    const kept = zoned.filter((item) => whyLeft(item) === null)
    const items = draft.work.kind === 'change-settings' ? kept : withCanaries(kept, draft.first ?? [])
    const work: WorkPlan = {
      ...planned,
      items,
      skipped: [
        ...planned.skipped,
        ...zoned.flatMap((item) => {
          const skipped = whyLeft(item)
          return skipped === null ? [] : [{ ...item.planned, skipped }]
        }),
      ],
    }
    const alsoIn = others.flatMap(({ job, devices }) => {
      const theirs = items.filter(isIn(devices))
      if (theirs.length === 0) return []
      return {
        job: current(job),
        devices: devices.size,
        items: theirs.length,
        first: theirs.slice(0, 3).map(({ planned: { target } }) => target.name ?? target.id),
      }
    })
    const plan = jobPlanOf(draft, work, {
      id: newId(),
      alsoIn,
      organization: { id: organizationId, name: options.organizationName() },
      lock: writes.lock(),
      budget: budget.state(),
      now: clock.now(),
    })
    plans.keep({ plan, work, retryOf })
    return plan
  }

  /** Rejects with Failed if a condition for starting is not met. */
  const checkStart = ({ plan, work }: StoredPlan, { typed }: JobStart, terms: JobTerms): void => {
    checkTerms(plan.draft, terms)
    checkStartTimes(work, terms, clock.now())
    if (work.items.length === 0) throw Failed.invalid('items', 'This plan has no items to run.')
    if (plan.typeNumber !== null && typed !== plan.typeNumber)
      throw Failed.invalid('typed', `Type ${plan.typeNumber} to confirm.`)
    if (terms.startAt === null) mustNotBeOnHold()
  }

  /** A job started now would be paused at once. */
  const mustNotBeOnHold = (): void => {
    const { heldUntilAt } = budget.state()
    if (heldUntilAt !== null)
      throw new Failed({
        kind: 'rate-limited',
        call: { operation: 'job', host: null },
        untilAt: heldUntilAt,
        held: true,
      })
  }

  /**
   * The stored job, armed. A plan that could not be started may be started later, unless another job marked its
   * items.
   */
  const begin = async (writes: Writes, kept: StoredPlan, start: JobStart): Promise<RunningJob> => {
    const { plan, work, retryOf } = kept
    const { id, target, draft } = plan
    const given = start.terms ?? draft
    const terms = { ...given, canary: given.canary && work.items.length > 1 }
    let authorization: Authorization | null = null
    try {
      checkStart(kept, start, terms)
      await mustBeOpen()
      const timeZone = await options.timeZone()
      authorization = await writes.authorize(
        start.unlock,
        { action: draft.work.kind, count: work.items.length },
        start.detached === true ? options.writes : writes,
      )
      const job = { id, work: draft.work, terms }
      const added = await repository.add({
        ...job,
        organizationId,
        who: writes.who ?? who,
        items: work.items,
        callsPlanned: plan.cost.calls,
        watchingAtMost: plan.watchingAtMost,
        retryOf:
          retryOf === null
            ? null
            : { id: retryOf, targets: work.items.map(({ planned }) => planned.target.id) },
      })
      const running = new RunningJob(
        { ...job, ...added, asked: work.items.length, target, begun: false, timeZone, tried: [] },
        clock,
      )
      runner.arm(running, authorization)
      return running
    } catch (error) {
      authorization?.giveBack()
      const isOver = failedWith(error, 'invalid') && error.failure.field === 'plan'
      if (!isOver) plans.keep(kept)
      throw error
    }
  }

  const jobsOf = (writes: Writes): Jobs => ({
    through: jobsOf,
    plan: (draft, task = unwatched) => planOf(writes, draft, null, task),
    async planned({ plan, ...query }) {
      return plannedItems(plans.get(plan), query)
    },
    async start(start) {
      // Removed first: two clicks give one job.
      const kept = plans.take(start.plan)
      const running = await begin(writes, kept, start)
      if (start.unlock) writes.unlock()
      runner.add(running, [])
      if (kept.retryOf !== null) changed(kept.retryOf)
      changed(running.id)
      return now(running.id)
    },
    async list(query) {
      await openedIfPossible()
      const page = { ...query, count: Math.min(query.count, pageJobs) }
      const matching = jobCondition(organizationId, query.where ?? '', clock.now())
      const { jobs, total } = await queryJobs(workbook, matching, page)
      return { jobs: jobs.map(current), total }
    },
    async get(id) {
      await openedIfPossible()
      return now(id)
    },
    async items(query) {
      await openedIfPossible()
      const job = await stored(query.id)
      const page = await queryItems(workbook, job, { ...query, count: Math.min(query.count, pageItems) })
      const running = runner.get(job.id)
      return running?.state === 'running'
        ? { ...page, items: page.items.map((item) => inItsWindow(item, running)) }
        : page
    },
    async waits(id) {
      await openedIfPossible()
      const job = await stored(id)
      const running = runner.get(id)
      const unended = await queryUnended(workbook, job, clock.now())
      return waitsOfItems(
        running === undefined || running.state !== 'running'
          ? unended
          : unended.map((one) => ({ ...one, item: inItsWindow(one.item, running) })),
        current(job),
        clock.now(),
      )
    },
    restarts: () => queryRestarts(workbook, organizationId),
    async pause(id) {
      const running = await runningJob(id)
      if (running?.state === 'running') await runner.pause(running, 'paused')
      return now(id)
    },
    async resume({ id, unlock }) {
      const running = await runningJob(id)
      if (running === null || running.state === 'stopping')
        throw Failed.invalid('id', 'This job has ended. You can retry its failed items.')
      mustNotBeOnHold()
      await runner.authorize(running, unlock, writes)
      if (running.state === 'paused') await runner.resume(running)
      return now(id)
    },
    async cancel(id) {
      const running = await runningJob(id)
      if (running !== null && running.state !== 'stopping') await runner.cancel(running)
      return now(id)
    },
    async retry(id, task = unwatched, item = null) {
      const job = await stored(id)
      const rows = await workbook.query(
        `SELECT target_id FROM job_item WHERE job = ?1 AND state = 'ended' AND outcome = 'failed' AND retried = 0 AND (?2 IS NULL OR id = ?2) ORDER BY position`,
        [job.number, item],
      )
      if (rows.length === 0) throw Failed.invalid('id', 'This job has no items to retry.')
      const ids = rows.map((row) => String(row['target_id']))
      const { keepTrying, canary, ticket } = job.listed
      return planOf(
        writes,
        {
          work: again(job.work, ids),
          startAt: null,
          window: null,
          keepTrying,
          canary: canary && ids.length > 1,
          ...(ticket === undefined ? {} : { ticket }),
        },
        id,
        task,
      )
    },
    async check(item) {
      const found = await queryItem(workbook, organizationId, item)
      if (found === null) throw Failed.notFound(String(item))
      const { toRun } = found
      if (mayBeChecked(found.item)) {
        const nothing = {
          reference: '',
          signal: noAuthorization.signal,
          authorization: noAuthorization,
          unlock: false,
          wait: false,
        }
        let calls = 0
        const tools = {
          write: nothing,
          since: clock.monotonic(),
          signal: new AbortController().signal,
          accepted: async () => undefined,
          called: () => void calls++,
        }
        const ending = await workers[toRun.work.kind].check(toRun, tools)
        if (ending?.kind === 'ended' && ending.outcome !== 'unknown') await repository.foundOut(item, ending)
        await repository.counted(item, calls)
        changed(toRun.jobId)
      }
      const after = await queryItem(workbook, organizationId, item)
      return { items: after === null ? [] : [after.item], total: 1 }
    },
    active() {
      const running = runner.active()
      const waiting = running.filter(waitsForItsTime)
      return {
        running: running.length - waiting.length,
        waiting: waiting.map(({ work, terms, asked, target, zones }) => {
          const { startAt, window, timeZone } = terms
          const zone = timeZone === undefined ? {} : { timeZone }
          return { kind: work.kind, asked, target, startAt, window, ...zone, zones }
        }),
      }
    },
    onChange: listeners.add,
    async close() {
      closed = true
      await runner.close()
      await opening?.catch(() => undefined)
      listeners.clear()
    },
  })
  return jobsOf(options.writes)
}

/** The same work for some of its targets, which are rooms or devices whatever was selected. */
function again(work: JobWork, ids: readonly string[]): JobWork {
  const selection = { kind: 'picked', ids } as const
  if (work.kind === 'reboot-rooms') return { ...work, of: 'rooms', selection }
  if (work.kind === 'change-settings') return { ...work, selection }
  const { of: _, ...update } = work
  return { ...update, selection }
}

export const jobHandlers = (
  session: () => Promise<{ readonly jobs: Jobs }>,
  tasks: Tasks,
  elsewhere: () => Promise<readonly Job[]>,
): Handlers<'jobs'> => {
  const jobs = async (): Promise<Jobs> => (await session()).jobs
  return {
    plan: (draft) => tasks.run('plan', async (task) => (await jobs()).plan(draft, task)),
    planned: async (query) => (await jobs()).planned(query),
    start: async (start) => (await jobs()).start(start),
    list: async (query) => (await jobs()).list(query),
    get: async ({ id }) => (await jobs()).get(id),
    async find({ text }) {
      const opened = await jobs()
      const found = (await opened.list({ start: 0, count: pageJobs })).jobs.filter(({ id }) =>
        id.startsWith(text),
      )
      if (found.length > 1 && found.every(({ id }) => id !== text))
        throw Failed.invalid('job', `${found.length} jobs start with "${text}": type more of the id.`)
      return opened.get(found.length === 1 && found[0] !== undefined ? found[0].id : text)
    },
    items: async (query) => (await jobs()).items(query),
    waits: async ({ id }) => (await jobs()).waits(id),
    restarts: async () => (await jobs()).restarts(),
    elsewhere,
    pause: async ({ id }) => (await jobs()).pause(id),
    resume: async (resume) => (await jobs()).resume(resume),
    cancel: async ({ id }) => (await jobs()).cancel(id),
    retry: ({ id, item }) => tasks.run('plan', async (task) => (await jobs()).retry(id, task, item)),
    check: async ({ item }) => (await jobs()).check(item),
  }
}
