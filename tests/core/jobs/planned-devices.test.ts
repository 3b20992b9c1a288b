import { expect, it } from 'vitest'
import type { PlannedItem } from '../../../electron/contract/api/jobs.ts'
import type { WorkItem } from '../../../electron/core/jobs/job-work.ts'
import { jobPlanOf } from '../../../electron/core/jobs/plans.ts'
import { aDraft } from './a-bench.ts'

const item = (of: 'room' | 'device', statuses: readonly string[]): WorkItem => ({
  planned: {
    target: { of, id: statuses.join(), name: null },
    devices: statuses.map((status) => ({ id: status, name: status, status })),
    earliestAt: null,
    changes: [],
    skipped: null,
  } satisfies PlannedItem,
  calls: 1,
  watchingAtMost: 0,
  memory: null,
})
const budget = {
  second: { used: 0, limit: 95 },
  fiveMinutes: { used: 0, limit: 9_500 },
  waiting: 0,
  pausedUntil: null,
  heldUntilAt: null,
  waitReason: null,
  history: null,
} as const

it.each<[string, WorkItem, { devices: number; offline: number }]>([
  [
    'a room counts what restarts, and apart what is offline',
    item('room', ['online', 'offline', 'rebooting', 'Faulty']),
    { devices: 3, offline: 1 },
  ],
  ['a device that is offline is written to', item('device', ['offline']), { devices: 1, offline: 1 }],
])('%s', (_, planned, counts) => {
  const work = { items: [planned], skipped: [], savedCalls: null }
  const lock = { unlocked: false, untilAt: null }
  const about = { id: 'p', organization: { id: 'o', name: 'O' }, alsoIn: [], lock, budget, now: 0 }
  const { devices, offline } = jobPlanOf(aDraft([]), work, about)
  expect({ devices, offline }).toEqual(counts)
})
