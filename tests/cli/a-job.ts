import type { CoreClient } from '../../electron/cli/core-client.ts'
import type {
  Job,
  JobDraft,
  JobItem,
  JobItemQuery,
  JobPlan,
  JobStart,
  PlannedItem,
} from '../../electron/contract/api/jobs.ts'
import { itemResult } from '../../electron/contract/job-result.ts'
import { inZones } from '../in-zones.ts'
import { aCore } from './a-core.ts'

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
  notSent: 0,
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
  alsoIn: [],
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
  readonly core: CoreClient
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
  /** Of other features. */
  readonly handlers?: Parameters<typeof aCore>[0]['handlers']
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
  const jobs = {
    plan: async (draft: JobDraft) => {
      asked.push(['plan', draft])
      return given.plan ?? aPlan({ draft })
    },
    planned: async ({ start, count }: Pick<JobItemQuery, 'start' | 'count'>) => ({
      items: (given.planned ?? [aPlannedRoom()]).slice(start, start + count),
      total: (given.planned ?? [1]).length,
    }),
    start: async (start: JobStart) => {
      asked.push(['start', start])
      return now
    },
    list: async () => ({ jobs: [now], total: 1 }),
    find: async ({ text }: { readonly text: string }) => ({ ...step(), id: text }),
    get: async () => step(),
    items: async ({ show, start, count }: JobItemQuery) => {
      const items = (given.items ?? [anItem()]).filter(
        (item) =>
          show === null ||
          (show === 'open'
            ? item.state !== 'ended'
            : show === 'attention'
              ? itemResult(item) !== 'done' && itemResult(item) !== 'not-sent'
              : show === 'not-sent'
                ? itemResult(item) === show
                : item.outcome === show),
      )
      return { items: items.slice(start, start + count), total: items.length }
    },
    pause: async ({ id }: { readonly id: string }) => {
      asked.push(['pause', id])
      states = [...(given.onPause ?? [])]
      return now
    },
    resume: async (resume: object) => {
      asked.push(['resume', resume])
      return now
    },
    cancel: async ({ id }: { readonly id: string }) => {
      asked.push(['cancel', id])
      states = [...(given.onCancel ?? [])]
      return now
    },
    retry: async ({ id }: { readonly id: string }) => {
      asked.push(['retry', id])
      return given.plan ?? aPlan()
    },
    check: async ({ item }: { readonly item: number }) => {
      asked.push(['check', item])
      return { items: [], total: 0 }
    },
  }
  const core = aCore({
    handlers: {
      jobs,
      organizations: { current: async () => ({ name: 'Nordlys' }) },
      devices: { find: async ({ text }) => ({ id: text }) },
      ...given.handlers,
    },
    onEvent: (listener) => {
      const hear = (ids: readonly string[]): void => listener('jobs.changed', { ids })
      listeners.add(hear)
      return () => listeners.delete(hear)
    },
  })
  return { core, asked }
}
