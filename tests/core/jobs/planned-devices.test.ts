import { expect, it } from 'vitest'
import type { PlannedItem } from '../../../electron/contract/api/jobs.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import type { WorkItem } from '../../../electron/core/jobs/job-work.ts'
import { jobPlanOf } from '../../../electron/core/jobs/plans.ts'
import { roomPlan } from '../../../electron/core/jobs/reboot-rooms-work.ts'
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

it('the first room of a reboot has every device online, if there is one, and the others keep their order', () => {
  const room = (id: string, ...statuses: readonly string[]): Room =>
    ({
      id,
      name: id,
      groupIds: [id],
      timeZone: null,
      gone: false,
      devices: statuses.map((status, index) => ({ id: `${id}-${index}`, name: id, status })),
    }) as unknown as Room
  const order = (...rooms: readonly Room[]): readonly string[] =>
    roomPlan({ rooms, skipped: [] }, () => null).items.map(({ planned }) => planned.target.id)
  const [off, unknown, whole, other] = [
    room('off', 'online', 'offline'),
    room('unknown', 'online', 'Hibernating'),
    room('whole', 'online', 'online'),
    room('other', 'online'),
  ]
  expect([order(off, unknown, whole, other), order(whole, off, other), order(off, unknown)]).toEqual([
    ['whole', 'off', 'unknown', 'other'],
    ['whole', 'off', 'other'],
    ['off', 'unknown'],
  ])
})
