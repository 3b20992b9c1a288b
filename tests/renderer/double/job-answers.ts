import type { Device } from '../../../electron/contract/api/devices.ts'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import { jobOutcomes } from '../../../electron/contract/job.ts'
import type {
  Job,
  JobDetail,
  JobDraft,
  JobItem,
  JobItemPage,
  JobOutcome,
  JobState,
  WaitReason,
} from '../../../electron/contract/api/jobs.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { Announce } from '../../../electron/core/announcer.ts'
import { planner, type KeptPlan, type PlanWorld } from './job-plans.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const HOST = 'api.cloud.jabra.com'
/** Written to at once while the job runs; watched ones apart. */
const AT_ONCE = 4

export interface JobDoubleOptions {
  readonly nowAt: number
  readonly offline: boolean
  readonly empty: boolean
  /** No job was ever made. */
  readonly jobless: boolean
  /** Another program works for the organization. */
  readonly otherProgram: boolean
}
export interface JobDouble {
  readonly answers: Pick<AllHandlers, 'jobs'>
  /** Running jobs go a step further: some of what is under way ends, something waiting is sent. */
  readonly step: () => void
}

interface KeptJob {
  head: Omit<Job, 'asked' | 'counts' | 'unseen' | 'underWay' | 'callsUsed' | 'leftInMs' | 'retryable'>
  readonly draft: JobDraft
  items: JobItem[]
}

/** Jobs that can be planned, started, paused and watched: a step each time `jobs.changed` is announced from outside. */
export function jobAnswers(
  options: JobDoubleOptions,
  world: PlanWorld,
  unlock: () => void,
  announce: Announce,
): JobDouble {
  const { nowAt } = options
  const plan = planner(world)
  const plans = new Map<string, KeptPlan>()
  const jobs: KeptJob[] = options.jobless || options.empty ? [] : pastJobs(nowAt, world.devices, world.rooms)
  let items = jobs.reduce((greatest, job) => Math.max(greatest, ...job.items.map((item) => item.id)), 0)
  let made = jobs.length

  const keep = (kept: KeptPlan): KeptPlan['plan'] => {
    plans.set(kept.plan.id, kept)
    return kept.plan
  }
  const planOf = (id: string): KeptPlan => {
    const kept = plans.get(id)
    if (!kept) throw new Failed({ kind: 'not-found', call: null, what: 'plan' })
    return kept
  }
  const jobOf = (id: string): KeptJob => {
    const job = jobs.find((one) => one.head.id === id)
    if (!job) throw new Failed({ kind: 'not-found', call: null, what: 'job' })
    return job
  }
  const mayWrite = (): void => {
    if (options.otherProgram)
      throw new Failed({
        kind: 'other-program',
        name: 'headroom at a prompt, process 4711',
        since: nowAt - 12 * MINUTE,
      })
    if (!world.lock().unlocked) throw new Failed({ kind: 'writes-locked' })
  }
  const tell = (job: KeptJob): Job => {
    announce('jobs.changed', { ids: [job.head.id] })
    return told(job)
  }
  const put = (
    job: KeptJob,
    state: JobState,
    waitsFor: WaitReason | null,
    waitsUntil: number | null = null,
  ): void => {
    job.head = { ...job.head, state, waitsFor, waitsUntil, endedAt: state === 'ended' ? Date.now() : null }
  }

  return {
    step: () => {
      for (const job of jobs) stepOf(job, put)
    },
    answers: {
      jobs: {
        plan: async (draft) => {
          if (options.offline && draft.work.kind === 'change-settings')
            throw new Failed({
              kind: 'offline',
              call: { operation: 'GetDeviceSettings', host: HOST },
              message: 'ENOTFOUND',
            })
          return keep(await plan(draft, null))
        },
        planned: async ({ plan: id, start, count }) => {
          const kept = planOf(id)
          return { items: kept.items.slice(start, start + count), total: kept.items.length }
        },
        start: async ({ plan: id, unlock: wanted, typed, terms }) => {
          const kept = planOf(id)
          if (kept.plan.typeNumber !== null && typed !== kept.plan.typeNumber)
            throw new Failed({
              kind: 'invalid',
              field: 'typed',
              message: `${kept.plan.typeNumber} is to be typed.`,
            })
          if (wanted) unlock()
          mayWrite()
          plans.delete(id)
          const draft = { ...kept.plan.draft, ...terms }
          const later = draft.startAt !== null && draft.startAt > Date.now()
          const job: KeptJob = {
            draft,
            head: headOf({
              id: `job-${++made}`,
              draft,
              createdAt: Date.now(),
              state: later || draft.window ? 'waiting' : 'running',
              waitsFor: later ? 'start-time' : draft.window ? 'window' : null,
              waitsUntil: later ? draft.startAt : draft.window ? Date.now() + 7 * HOUR : null,
              callsPlanned: kept.plan.cost.calls,
              watchingAtMost: kept.plan.watchingAtMost,
              retryOf: kept.retryOf,
            }),
            items: kept.items
              .filter((item) => item.skipped === null)
              .map((item, i) =>
                queued(
                  ++items,
                  `job-${made}`,
                  item.target,
                  item.devices.map((device) => device.id),
                  draft.canary && i > 0 ? 'canary' : null,
                ),
              ),
          }
          jobs.unshift(job)
          return tell(job)
        },
        list: async ({ start, count }) => ({
          jobs: jobs.slice(start, start + count).map(told),
          total: jobs.length,
          otherProgram: options.otherProgram
            ? { name: 'headroom at a prompt, process 4711', since: nowAt - 12 * MINUTE }
            : null,
        }),
        get: async ({ id }) => told(jobOf(id)),
        items: async ({ id, show, start, count }) => {
          const shown = jobOf(id).items.filter(
            (item) => show === null || (show === 'open' ? item.outcome === null : item.outcome === show),
          )
          return { items: shown.slice(start, start + count), total: shown.length }
        },
        pause: async ({ id }) => {
          const job = jobOf(id)
          put(job, 'paused', 'paused')
          return tell(job)
        },
        resume: async ({ id, unlock: wanted }) => {
          const job = jobOf(id)
          if (wanted) unlock()
          mayWrite()
          put(job, 'running', null)
          return tell(job)
        },
        cancel: async ({ id }) => {
          const job = jobOf(id)
          job.items = job.items.map((item) =>
            item.state === 'queued' ? ended(item, 'failed', 'cancelled', null, Date.now()) : item,
          )
          put(job, job.items.some((item) => item.outcome === null) ? 'stopping' : 'ended', null)
          return tell(job)
        },
        retry: async ({ id }) => {
          const job = jobOf(id)
          const ids = job.items.filter((item) => item.outcome === 'failed').map((item) => item.target.id)
          const { work } = job.draft
          const selection = { kind: 'picked', ids } as const
          const again =
            work.kind === 'reboot-rooms'
              ? { ...work, of: 'rooms' as const, selection }
              : { ...work, selection }
          return keep(await plan({ ...job.draft, work: again, startAt: null, window: null }, id))
        },
        check: async ({ item: id }): Promise<JobItemPage> => {
          const job = jobs.find((one) => one.items.some((item) => item.id === id))
          if (!job) throw new Failed({ kind: 'not-found', call: null, what: 'item' })
          if (options.offline)
            throw new Failed({
              kind: 'offline',
              call: { operation: 'GetRoom', host: HOST },
              message: 'ENOTFOUND',
            })
          // Of every second one nobody can say more than before.
          job.items = job.items.map((item) =>
            item.id === id && item.outcome === 'unknown' && id % 2 === 0
              ? {
                  ...item,
                  outcome: 'done',
                  detail: job.head.kind === 'reboot-rooms' ? 'back-online' : 'verified',
                  failure: null,
                }
              : item,
          )
          tell(job)
          return { items: job.items.filter((item) => item.id === id), total: 1 }
        },
      },
    },
  }
}

function told({ head, items }: KeptJob): Job {
  const counts = Object.fromEntries(
    jobOutcomes.map((outcome) => [outcome, items.filter((item) => item.outcome === outcome).length]),
  ) as Job['counts']
  const open = items.filter((item) => item.outcome === null)
  return {
    ...head,
    asked: items.length,
    counts,
    unseen: items.filter(
      ({ detail }) =>
        detail !== null && ['did-not-come-back', 'not-watched', 'applies-later'].includes(detail),
    ).length,
    underWay: open.filter((item) => item.state !== 'queued').length,
    callsUsed: items.reduce((sum, item) => sum + item.callsUsed, 0),
    leftInMs:
      head.state === 'running' && head.waitsFor === null ? open.length * 3 * SECOND + 20 * SECOND : null,
    retryable: items.filter((item) => item.outcome === 'failed').length,
  }
}

interface Beginning {
  readonly id: string
  readonly draft: JobDraft
  readonly createdAt: number
  readonly state: JobState
  readonly waitsFor: WaitReason | null
  readonly waitsUntil: number | null
  readonly callsPlanned: number
  readonly watchingAtMost: number
  readonly retryOf: string | null
}
const headOf = ({ draft, ...given }: Beginning): KeptJob['head'] => ({
  ...given,
  organizationId: 'org-1',
  kind: draft.work.kind,
  who: 'm.ito',
  target: null,
  missed: null,
  changes: draft.work.kind === 'change-settings' ? draft.work.changes : [],
  startAt: draft.startAt,
  window: draft.window,
  keepTrying: draft.keepTrying,
  canary: draft.canary,
  startedAt: given.state === 'waiting' ? null : given.createdAt + SECOND,
  endedAt: null,
})

const queued = (
  id: number,
  jobId: string,
  target: JobItem['target'],
  deviceIds: readonly string[],
  waitsFor: WaitReason | null,
): JobItem => ({
  id,
  jobId,
  target,
  deviceIds,
  state: 'queued',
  waitsFor,
  earliestAt: null,
  outcome: null,
  detail: null,
  failure: null,
  callsUsed: 0,
  startedAt: null,
  endedAt: null,
  journalId: null,
})
const ended = (
  item: JobItem,
  outcome: JobOutcome,
  detail: JobDetail | null,
  failure: Failure | null,
  at: number,
): JobItem => ({
  ...item,
  state: 'ended',
  waitsFor: null,
  earliestAt: null,
  outcome,
  detail,
  failure,
  endedAt: at,
})

/** How the item with this number ends: mostly well, and each of the other ways often enough to be seen. */
function endOf(item: JobItem, kind: Job['kind'], at: number): JobItem {
  const call = { operation: kind === 'reboot-rooms' ? 'RebootRoom' : 'UpdateDeviceSettings', host: HOST }
  const way = item.id % 40
  if (way === 9)
    return ended(
      item,
      'failed',
      null,
      { kind: 'refused', call, status: 409, message: 'The room is being updated.' },
      at,
    )
  if (way === 18)
    return ended(item, 'unknown', null, { kind: 'unconfirmed', call, message: 'socket hang up' }, at)
  if (way === 27) return ended(item, 'not-found', null, { kind: 'not-found', call, what: 'room' }, at)
  if (way === 33)
    return ended(
      item,
      'not-supported',
      null,
      { kind: 'refused', call, status: 501, message: 'Not supported by this device.' },
      at,
    )
  if (kind === 'reboot-rooms')
    return ended(item, 'done', way === 5 ? 'did-not-come-back' : 'back-online', null, at)
  return ended(
    item,
    way === 13 ? 'failed' : 'done',
    way === 5 ? 'applies-later' : way === 13 ? 'conflict' : 'verified',
    null,
    at,
  )
}

function stepOf(
  job: KeptJob,
  put: (job: KeptJob, state: JobState, waitsFor: WaitReason | null) => void,
): void {
  if (job.head.state !== 'running' && job.head.state !== 'stopping') return
  const at = Date.now()
  const looks = job.head.kind === 'reboot-rooms' ? 'watching' : 'checking'
  const first = job.items[0]
  const canaryOpen = job.head.canary && first !== undefined && first.outcome === null
  let [finished, sent] = [0, 0]
  job.items = job.items.map((item, i): JobItem => {
    if (item.state === looks && finished < AT_ONCE) {
      finished += 1
      return { ...endOf(item, job.head.kind, at), callsUsed: item.callsUsed + 3 }
    }
    if (item.state === 'sending')
      return { ...item, state: looks, callsUsed: 2, journalId: (item.id % 60) + 1 }
    if (item.state !== 'queued' || job.head.state !== 'running' || sent >= AT_ONCE || (canaryOpen && i > 0))
      return item
    if (item.waitsFor === 'device-minute' && (item.earliestAt ?? 0) > at) return item
    sent += 1
    return { ...item, state: 'sending', waitsFor: null, earliestAt: null, startedAt: at, callsUsed: 1 }
  })
  if (job.items.every((item) => item.outcome !== null)) put(job, 'ended', null)
}

/** What happened lately: one of each state, with every outcome and every reason to wait somewhere. */
function pastJobs(nowAt: number, devices: readonly Device[], rooms: readonly Room[]): KeptJob[] {
  let id = 0
  const peopled = rooms.filter((room) => room.devices?.length)
  const personal = devices.filter((device) => device.room === null && !device.gone)
  const terms = { startAt: null, window: null, keepTrying: false, canary: false }
  const reboot: JobDraft = {
    ...terms,
    work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'matching', where: '', except: [] } },
  }
  const settings: JobDraft = {
    ...terms,
    work: {
      kind: 'change-settings',
      selection: { kind: 'matching', where: 'product:"Evolve2 65"', except: [] },
      changes: [
        { name: 'sidetoneLevel', value: 4 },
        { name: 'busylightEnabled', value: true },
      ],
    },
  }
  const aJob = (
    name: string,
    draft: JobDraft,
    count: number,
    createdAt: number,
    given: Partial<Beginning> = {},
  ): KeptJob => {
    const targets: readonly {
      readonly of: 'room' | 'device'
      readonly id: string
      readonly name: string | null
      readonly ids: readonly string[]
    }[] =
      draft.work.kind === 'reboot-rooms'
        ? peopled.slice(0, count).map((room) => ({
            of: 'room',
            id: room.id,
            name: room.name,
            ids: room.devices?.map((device) => device.id) ?? [],
          }))
        : personal
            .slice(0, count)
            .map((device) => ({ of: 'device', id: device.id, name: device.name, ids: [device.id] }))
    const items = targets.map(({ ids, ...target }) => queued(++id, name, target, ids, null))
    const head = headOf({
      id: name,
      draft,
      createdAt,
      state: 'ended',
      waitsFor: null,
      waitsUntil: null,
      callsPlanned: items.length * (draft.work.kind === 'reboot-rooms' ? 2 : 3),
      watchingAtMost: draft.work.kind === 'reboot-rooms' ? items.length * 12 : 0,
      retryOf: null,
      ...given,
    })
    return { head, draft, items }
  }
  const finish = (job: KeptJob, count: number): KeptJob => {
    job.items = job.items.map((item, i) =>
      i < count
        ? {
            ...endOf(item, job.head.kind, job.head.createdAt + (i + 5) * 2 * SECOND),
            startedAt: job.head.createdAt + i * 2 * SECOND,
            callsUsed: 3,
            journalId: (item.id % 60) + 1,
          }
        : item,
    )
    if (job.head.state === 'ended')
      job.head = { ...job.head, endedAt: job.head.createdAt + (count + 20) * 2 * SECOND }
    return job
  }
  const runs = finish(
    aJob('job-6', reboot, 214, nowAt - 4 * MINUTE, { state: 'running' }),
    Math.floor(Math.min(214, peopled.length) * 0.55),
  )
  runs.items = runs.items.map((item, i, all) => {
    const place = i - all.findIndex((one) => one.outcome === null)
    if (item.outcome !== null) return item
    if (place < 6)
      return {
        ...item,
        state: 'watching',
        startedAt: nowAt - (40 - place * 4) * SECOND,
        callsUsed: 4,
        journalId: (item.id % 60) + 1,
      }
    if (place < 8) return { ...item, state: 'sending', startedAt: nowAt - SECOND, callsUsed: 1 }
    return place < 14
      ? { ...item, waitsFor: 'device-minute', earliestAt: nowAt + (place * 6 - 10) * SECOND }
      : item
  })
  const window = { from: 22 * 60, to: 5 * 60 }
  return [
    runs,
    aJob('job-5', { ...reboot, window, canary: true }, 40, nowAt - 22 * MINUTE, {
      state: 'waiting',
      waitsFor: 'window',
      waitsUntil: nowAt + 7 * HOUR,
    }),
    finish(
      aJob('job-4', { ...settings, keepTrying: true }, 120, nowAt - 26 * MINUTE, {
        state: 'running',
        waitsFor: 'rate-limited',
        waitsUntil: nowAt + 48 * SECOND,
      }),
      71,
    ),
    finish(aJob('job-3', reboot, 30, nowAt - 20 * HOUR, { state: 'paused', waitsFor: 'locked' }), 12),
    finish(aJob('job-2', settings, 500, nowAt - 28 * HOUR), 500),
    finish(aJob('job-1', reboot, 8, nowAt - 52 * HOUR, { retryOf: null }), 8),
  ]
}
