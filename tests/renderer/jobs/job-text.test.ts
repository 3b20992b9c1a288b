import { beforeEach, describe, expect, it } from 'vitest'
import type {
  Job,
  JobCounts,
  JobItem,
  JobKind,
  JobWait,
  WaitReason,
} from '../../../electron/contract/api/jobs.ts'
import {
  canaryText,
  detailOf,
  itemWait,
  markOfItem,
  wordOfItem,
  markOfJob,
  targetName,
  partsOfTarget,
  scheduledFor,
  segmentsOf,
  stateOf,
  restText,
  titleOfJob,
  versionsOf,
  waitingText,
  waitOf,
} from '../../../renderer/jobs/job-text.ts'
import { minutesOf } from '../../../renderer/components/clock.ts'
import type { StatusKind } from '../../../renderer/components/status-kind.ts'
import { setTimeZone } from '../../../renderer/components/format.ts'
import { inZones } from '../../in-zones.ts'

describe('a typed time of day', () => {
  it.each<[string, number | null]>([
    ['22:00', 1320],
    ['7', 420],
    ['7.30', 450],
    ['0730', 450],
    [' 00:00 ', 0],
    ['23:59', 1439],
    ['24:00', null],
    ['12:60', null],
    ['7:3', null],
    ['730 pm', null],
    ['-1', null],
    ['', null],
    ['soon', null],
  ])('"%s"', (typed, minutes) => {
    expect(minutesOf(typed)).toBe(minutes)
  })
})

describe('the subject of an item', () => {
  it.each<[JobItem['target'], string]>([
    [{ of: 'room', id: '33cf36d0', name: 'Ceres 2.20' }, 'Ceres 2.20'],
    [{ of: 'room', id: '33cf36d0', name: null }, 'Room 33cf36d0'],
    [{ of: 'device', id: 'D1', name: null }, 'D1'],
  ])('%o', (target, name) => {
    expect(targetName(target)).toBe(name)
  })
})

describe('the state of an ended job', () => {
  const none: JobCounts = { done: 0, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 }
  it.each<[Partial<JobCounts>, StatusKind, string, string, number?, number?]>([
    [{ done: 4 }, 'ok', 'Done', 'done 4'],
    [{ done: 4 }, 'warn', '2 not confirmed', 'done 2, not-confirmed 2', 2],
    [{ done: 3, failed: 1 }, 'bad', '1 failed, 1 not confirmed', 'done 2, failed 1, not-confirmed 1', 1],
    [
      { done: 1, failed: 1, 'not-found': 1, 'not-supported': 1 },
      'bad',
      '1 failed, 1 not found, 1 not supported',
      'done 1, failed 1, not-found 1, not-supported 1',
    ],
    [{ done: 2, unknown: 2 }, 'warn', '2 unknown', 'done 2, unknown 2'],
    [{ done: 1, failed: 3 }, 'bad', 'Cancelled: 1 failed, 2 not sent', 'done 1, failed 1, not-sent 2', 0, 2],
    [{ done: 1, failed: 3 }, 'idle', 'Cancelled: 3 not sent', 'done 1, not-sent 3', 0, 3],
    [
      { done: 1, failed: 3 },
      'warn',
      'Cancelled: 1 not confirmed, 3 not sent',
      'not-confirmed 1, not-sent 3',
      1,
      3,
    ],
  ])('%j is %s: %s', (counts, mark, said, bar, unseen = 0, notSent = 0) => {
    const job = {
      state: 'ended',
      kind: 'reboot-rooms',
      missed: null,
      asked: 4,
      underWay: 0,
      unseen,
      notSent,
      counts: { ...none, ...counts },
    } as Job
    const segments = segmentsOf(job).map(({ key, count }) => `${key} ${count}`)
    expect([markOfJob(job), stateOf(job), segments.join(', ')]).toEqual([mark, said, bar])
  })
})

describe('a scheduled job', () => {
  const tonight = {
    kind: 'reboot-rooms',
    asked: 1,
    target: { of: 'room', id: 'room-1', name: 'Oslo Fjord 2' },
    changes: [],
    startAt: Date.UTC(2026, 10, 22, 21, 0),
    window: null,
    missed: null,
    timeZone: 'Europe/Oslo',
  } as unknown as Job
  beforeEach(() => setTimeZone('UTC'))
  it.each<[string, Partial<Job>, string, string]>([
    ['not armed', { state: 'unarmed' }, 'Scheduled, needs unlocking', '22 Nov 2026 22:00 (Europe/Oslo)'],
    [
      'not armed, with a window',
      { state: 'unarmed', startAt: null, window: { from: 1_320, to: 300 }, timeZone: 'UTC' },
      'Scheduled, needs unlocking',
      '22:00 to 05:00',
    ],
    [
      'not armed, with a window in the zone of all its rooms',
      { state: 'unarmed', startAt: null, window: { from: 1_320, to: 300 }, zones: inZones('Asia/Tokyo') },
      'Scheduled, needs unlocking',
      '22:00 to 05:00 (Asia/Tokyo)',
    ],
    [
      'not armed, with a window in several zones and a room without a zone',
      {
        state: 'unarmed',
        startAt: null,
        window: { from: 1_320, to: 300 },
        zones: inZones('Asia/Tokyo', 'Europe/Oslo', 'local'),
        timeZone: 'UTC',
      },
      'Scheduled, needs unlocking',
      '22:00 to 05:00, in each room’s own time zone (Asia/Tokyo, Europe/Oslo, UTC)',
    ],
    [
      'missed',
      { state: 'ended', missed: 'earlier' },
      'Missed, 22 Nov 2026 22:00 (Europe/Oslo): nothing was sent',
      '22 Nov 2026 22:00 (Europe/Oslo)',
    ],
  ])('%s', (_, changed, said, when) => {
    const job = { ...tonight, ...changed }
    expect([titleOfJob(job), stateOf(job), scheduledFor(job), markOfJob(job)]).toEqual([
      'Reboot Oslo Fjord 2',
      said,
      when,
      'warn',
    ])
  })
})

const NOW = Date.parse('2026-11-21T13:58:00Z')
const item = (more: Partial<JobItem>): JobItem => ({
  id: 1,
  jobId: 'job-1',
  target: { of: 'room', id: 'room-1', name: 'Oslo Fjord 1' },
  deviceIds: [],
  state: 'queued',
  waitsFor: null,
  earliestAt: null,
  outcome: null,
  detail: null,
  failure: null,
  callsUsed: 0,
  startedAt: null,
  endedAt: null,
  journalId: null,
  ...more,
})

describe('an item of a job', () => {
  it.each<[string, Partial<JobItem>, WaitReason | null, unknown]>([
    [
      'waits for its own reason',
      { waitsFor: 'rate-limited', earliestAt: NOW + 5 },
      'window',
      { reason: 'rate-limited', until: NOW + 5 },
    ],
    [
      'waits for the minute of its devices',
      { earliestAt: NOW + 46_000 },
      'device-minute',
      { reason: 'device-minute', until: NOW + 46_000 },
    ],
    ['waits for the reason of its job', {}, 'offline', { reason: 'offline', until: NOW + 1 }],
    [
      'waits for its job when the minute of its devices is over',
      { earliestAt: NOW - 1 },
      'paused',
      { reason: 'paused', until: NOW + 1 },
    ],
    ['waits for nothing when only other items come first', {}, 'call-budget', null],
    ['waits for nothing when it is in flight', { state: 'watching', startedAt: NOW }, 'offline', null],
    ['waits for nothing in a job that continues', {}, null, null],
  ])('%s', (_what, more, jobWaitsFor, reported) => {
    const job = { kind: 'reboot-rooms', waitsFor: jobWaitsFor, waitsUntil: NOW + 1 } as const
    expect(itemWait(item(more), job, NOW)).toEqual(reported && { ...reported, kind: 'reboot-rooms' })
  })
  it('rejected with 429 is not shown as continuing automatically', () => {
    const failure = {
      kind: 'rate-limited',
      until: NOW + 20_000,
      call: { operation: 'RebootRoom', host: 'api.cloud.jabra.com' },
    } as unknown as NonNullable<JobItem['failure']>
    expect(detailOf(item({ state: 'ended', outcome: 'failed', failure, endedAt: NOW }), NOW)).toBe(
      'not done: the service answered 429 (too many calls)',
    )
  })
  it.each(['cancelled', 'missed'] as const)('that was %s shows that, and that nothing was sent', (detail) => {
    const one = item({ state: 'ended', outcome: 'failed', detail, endedAt: NOW })
    expect([markOfItem(one), wordOfItem(one, 'reboot-rooms'), detailOf(one, NOW)]).toEqual([
      'idle',
      'Not sent',
      { cancelled: 'cancelled, nothing sent', missed: 'missed its start time, nothing sent' }[detail],
    ])
  })
  it('of an update shows from which version to which, or only to which', () => {
    const versions = (from: string | null): string | null =>
      versionsOf(item({ firmware: { from, to: '2.11.1' } }))
    expect([versions('2.8.0'), versions(null), versionsOf(item({}))]).toEqual([
      '2.8.0 → 2.11.1',
      '→ 2.11.1',
      null,
    ])
  })
  it.each(['did-not-come-back', 'not-watched', 'applies-later'] as const)(
    'that ended %s is not called done',
    (detail) => {
      const one = item({ state: 'ended', outcome: 'done', detail, endedAt: NOW })
      expect([markOfItem(one), wordOfItem(one, 'update-firmware')]).toEqual(['warn', 'Not confirmed'])
    },
  )
  it('that differed from its plan shows what differed, if that is known', () => {
    const failure = { kind: 'invalid', field: 'firmware', message: 'The version was revoked.' } as const
    const conflict = { state: 'ended', outcome: 'failed', detail: 'conflict', endedAt: NOW } as const
    expect([detailOf(item({ ...conflict, failure }), NOW), detailOf(item(conflict), NOW)]).toEqual([
      'The version was revoked.',
      'changed since the plan, nothing sent',
    ])
  })
  it.each([
    [80_000, 'for 1:20'],
    [2 * 3_600_000, 'for 2 h'],
  ])('in flight shows for how long (%i ms)', (lasts, said) => {
    expect(detailOf(item({ state: 'watching', startedAt: NOW }), NOW + lasts)).toBe(said)
  })
})

describe('the name of an item', () => {
  it.each<[string, string, string]>([
    ['Anne Müller · Evolve2 65 · 00A1D4F7657', 'Anne Müller', 'Evolve2 65 · …\u2060F7657'],
    ['Oslo 12 · Fjord · PanaCast 50 · 00A1D4F7657', 'Oslo 12 · Fjord', 'PanaCast 50 · …\u2060F7657'],
    ['Anne Müller · Evolve2 65', 'Anne Müller', 'Evolve2 65'],
    ['Evolve2 65', 'Evolve2 65', ''],
  ])('"%s" has a title, and a product and serial number that tell it from others', (name, title, detail) => {
    expect(partsOfTarget({ of: 'device', id: 'D1', name })).toMatchObject({ title, detail })
  })
})

describe('items that wait for the same', () => {
  const wait = (more: Partial<JobWait>): JobWait => ({
    reason: null,
    until: null,
    count: 92,
    targets: [],
    ...more,
  })
  const after = { of: 'device', id: 'D1', name: 'Anneliese Bækgaard · Engage 50 II · 00A1D4F7657' } as const
  it.each<[JobWait, string]>([
    [wait({ reason: 'canary', after }), '92 wait until Anneliese Bækgaard’s Engage 50 II is back'],
    [wait({ reason: 'canary', after, count: 1 }), '1 waits until Anneliese Bækgaard’s Engage 50 II is back'],
    [wait({ reason: 'start-time', until: NOW + 80_000 }), '92 waiting: starts in 1:20'],
    [wait({}), '92 wait for their turn'],
  ])('%#: %j', (group, said) => {
    expect(waitingText(group, 'update-firmware', NOW)).toBe(said)
  })
  it('in the sentence of an update, items that wait for the first of their product are counted once', () => {
    const counts = { done: 1, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 }
    const job = { kind: 'update-firmware', state: 'running', asked: 24, underWay: 3, counts } as Job
    expect([restText({ ...job, waitsFor: 'canary' }), restText({ ...job, waitsFor: null })]).toEqual([
      '3 in progress, 20 wait for the first of their product',
      '3 in progress, 20 waiting',
    ])
  })
  it.each<[JobKind, number, string[]]>([
    ['reboot-rooms', 7, ['One room first', 'waits for the first to come back']],
    ['update-firmware', 0, ['One of each product first', 'waits for the first of its product']],
    ['update-firmware', 1, ['One of each product first', '1 waits for the first of its product']],
    ['update-firmware', 296, ['One of each product first', '296 wait for the first of their product']],
  ])('what goes first is named by the kind of the job: %s, %i waiting', (kind, n, said) => {
    expect([canaryText({ kind }), waitOf({ reason: 'canary', until: null, kind }, NOW, n)]).toEqual(said)
  })
})
