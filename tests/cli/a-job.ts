import type { Job, JobItem, JobPlan, PlannedItem } from '../../electron/contract/api/jobs.ts'
import type { Jobs } from '../../electron/core/jobs/jobs.ts'
import { inZones } from '../in-zones.ts'

const none = { done: 0, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 } as const

export const aJob = (given: Partial<Job> = {}): Job => ({
  id: 'job-1',
  organizationId: 'nordlys',
  kind: 'reboot-rooms',
  who: 'kim',
  target: null,
  missed: null,
  state: 'running',
  waitsFor: null,
  waitsUntil: null,
  changes: [],
  keepTrying: false,
  canary: false,
  asked: 2,
  unseen: 0,
  underWay: 0,
  callsUsed: 0,
  callsPlanned: 4,
  watchingAtMost: 20,
  createdAt: 1000,
  startedAt: 1000,
  endedAt: null,
  leftInMs: null,
  retryOf: null,
  retryable: 0,
  startAt: null,
  window: null,
  ...given,
  counts: { ...none, ...given.counts },
})

export const anItem = (given: Partial<JobItem> = {}): JobItem => ({
  id: 1,
  jobId: 'job-1',
  target: { of: 'room', id: 'room-1', name: 'Aarhus 3' },
  deviceIds: ['D1'],
  state: 'ended',
  waitsFor: null,
  earliestAt: null,
  outcome: 'done',
  detail: 'back-online',
  failure: null,
  callsUsed: 3,
  startedAt: 1000,
  endedAt: 2000,
  journalId: 7,
  ...given,
})

export const aPlannedRoom = (given: Partial<PlannedItem> = {}): PlannedItem => ({
  target: { of: 'room', id: 'room-1', name: 'Aarhus 3' },
  devices: [{ id: 'D1', name: 'PanaCast 50', status: 'online' }],
  earliestAt: null,
  changes: [],
  skipped: null,
  ...given,
})

export const aPlan = (given: Partial<JobPlan> = {}): JobPlan => ({
  id: 'plan-1',
  organization: { id: 'nordlys', name: 'Nordlys' },
  draft: {
    work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: ['room-1', 'room-2'] } },
    startAt: null,
    window: null,
    keepTrying: false,
    canary: false,
  },
  madeAt: 1000,
  items: 2,
  skipped: [],
  devices: 3,
  offline: 2,
  cost: { calls: 4, aboutInMs: 2000, shareOfWindow: 0.0004 },
  watchingAtMost: 20,
  savedCalls: null,
  typeNumber: null,
  zones: inZones('local'),
  target: null,
  lock: { unlocked: false, untilAt: null },
  ...given,
})

export interface Scripted {
  readonly jobs: Jobs
  /** The calls made to it, except reads. */
  readonly asked: unknown[]
}

/** Jobs of which one goes through the given states, one per read; pausing and cancelling do what `on` specifies. */
export function scriptedJobs(given: {
  readonly states: readonly Job[]
  readonly items?: readonly JobItem[]
  readonly plan?: JobPlan
  readonly planned?: readonly PlannedItem[]
  readonly onPause?: readonly Job[]
  readonly onCancel?: readonly Job[]
}): Scripted {
  const asked: unknown[] = []
  const listeners = new Set<(ids: readonly string[]) => void>()
  let states = [...given.states]
  let now = states[0] ?? aJob()
  const tellSoon = (): void => queueMicrotask(() => listeners.forEach((listener) => listener([now.id])))
  const step = (): Job => {
    now = states.shift() ?? now
    tellSoon()
    return now
  }
  const jobs: Jobs = {
    through: () => jobs,
    plan: async (draft) => {
      asked.push(['plan', draft])
      return given.plan ?? aPlan({ draft })
    },
    planned: async ({ start, count }) => ({
      items: (given.planned ?? [aPlannedRoom()]).slice(start, start + count),
      total: (given.planned ?? [1]).length,
    }),
    start: async (start, how) => {
      asked.push(['start', start, ...(how?.detached === true ? ['detached'] : [])])
      return now
    },
    list: async () => ({ jobs: [now], total: 1 }),
    get: async () => step(),
    restarts: async () => [],
    active: () => ({ running: 1, waiting: [] }),
    items: async ({ show, start, count }) => {
      const items = (given.items ?? [anItem()]).filter(
        (item) => show === null || (show === 'open' ? item.state !== 'ended' : item.outcome === show),
      )
      return { items: items.slice(start, start + count), total: items.length }
    },
    pause: async (id) => {
      asked.push(['pause', id])
      states = [...(given.onPause ?? [])]
      return now
    },
    resume: async (resume) => {
      asked.push(['resume', resume])
      return now
    },
    cancel: async (id) => {
      asked.push(['cancel', id])
      states = [...(given.onCancel ?? [])]
      return now
    },
    retry: async (id) => {
      asked.push(['retry', id])
      return given.plan ?? aPlan()
    },
    check: async (item) => {
      asked.push(['check', item])
      return { items: [], total: 0 }
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => undefined,
  }
  return { jobs, asked }
}
