// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Job, JobPlan, JobTerms, JobWork, PlannedItem } from '../../../electron/contract/api/jobs.ts'
import {
  endOf,
  inUseOf,
  planSentences,
  stepsOf,
  versionsText,
  whenOf,
} from '../../../renderer/jobs/plan-sentences.ts'
import { setTimeZone } from '../../../renderer/components/format.ts'
import { inZones } from '../../in-zones.ts'

const nowAt = Date.UTC(2026, 10, 21, 14, 2)
const at = (hour: number, minute = 0, day = 21): number => Date.UTC(2026, 10, day, hour, minute)
const now: JobTerms = { startAt: null, window: null, keepTrying: false, canary: false }
const atTen: JobTerms = { ...now, startAt: at(22) }
const byNight: JobTerms = { ...now, window: { from: 22 * 60, to: 5 * 60 } }

const reboot: JobWork = {
  kind: 'reboot-rooms',
  of: 'rooms',
  selection: { kind: 'picked', ids: ['R1', 'R2', 'R3'] },
}
const change: JobWork = {
  kind: 'change-settings',
  selection: { kind: 'picked', ids: ['D1'] },
  changes: [{ name: 'videoStiching', value: 'hybrid' }],
}
const aPlan = (changed: Partial<JobPlan> = {}, work: JobWork = reboot): JobPlan => ({
  id: 'p',
  organization: { id: 'nordlys', name: 'Nordlys' },
  draft: { work, ...now },
  madeAt: nowAt,
  items: 3,
  skipped: [],
  devices: 7,
  offline: 0,
  alsoIn: [],
  cost: { calls: 6, aboutInMs: 900, shareOfWindow: 0.0006 },
  watchingAtMost: 0,
  savedCalls: null,
  typeNumber: null,
  lock: { unlocked: false, untilAt: null },
  zones: inZones('local'),
  target: null,
  ...changed,
})
const room: PlannedItem = {
  target: { of: 'room', id: 'R1', name: 'Aarhus 3' },
  devices: [],
  earliestAt: at(14, 3),
  changes: [],
  skipped: null,
}
const locked = { unlocked: false, remainingInMs: 0 }
const said = (
  plan: JobPlan,
  terms = now,
  lock: { unlocked: boolean; remainingInMs: number } = locked,
  isRetry = false,
  rows: readonly PlannedItem[] = [],
) => planSentences({ plan, rowAt: (place) => rows[place], terms, isRetry, lock, unlockMinutes: 15 })

beforeEach(() => setTimeZone('UTC'))
afterEach(() => setTimeZone(null))

const update: JobWork = {
  kind: 'update-firmware',
  selection: { kind: 'picked', ids: ['D1', 'D2', 'D3'] },
  version: 'advised',
  allowDowngrade: false,
  watchForInMinutes: 30,
}

describe('the confirmation of a firmware update', () => {
  const skipped = [{ reason: 'downgrade', count: 1 }] as const

  it('shows what goes down, what is skipped, and the cost', () => {
    const {
      title,
      summary,
      skipped: left,
      cost,
    } = said(aPlan({ devices: 3, watchingAtMost: 54, skipped }, update))
    expect([title, summary, left, cost]).toEqual([
      'Update firmware of 3 devices',
      'Updates 3 devices. They are not available during the update.',
      '1 device left out: runs a newer version, and a downgrade is not confirmed',
      '6 calls, about 1 s, under 1% of the five-minute limit, and up to 54 to confirm the results',
    ])
  })

  it.each([
    [false, 'Updates 3 devices. They are not available during the update.'],
    [
      true,
      'Updates 3 devices. They are not available during the update. 2 of them are offline: unless they come back while they are watched, their results stay unknown.',
    ],
  ])('says what is offline where that is no choice: of a retry %s', (isRetry, summary) => {
    expect(said(aPlan({ devices: 3, offline: 2 }, update), now, locked, isRetry).summary).toBe(summary)
  })

  it.each<[string, JobWork, items: number, offline: number, summary: string]>([
    ['change', change, 1, 0, 'Changes 1 device with one request, then reads it back.'],
    [
      'change',
      change,
      1,
      1,
      'Changes 1 device with one request, then reads it back. It is offline: it may not take the change.',
    ],
    [
      'change',
      change,
      2,
      1,
      'Changes 2 devices with one request each, then reads them back. 1 of them is offline: it may not take the change.',
    ],
    [
      'change',
      change,
      2,
      2,
      'Changes 2 devices with one request each, then reads them back. 2 of them are offline: they may not take the change.',
    ],
    [
      'update',
      update,
      1,
      1,
      'Updates 1 device with one request. It is not available during the update. It is offline: unless it comes back while it is watched, its result stays unknown.',
    ],
    [
      'update',
      update,
      2,
      1,
      'Updates 2 devices. They are not available during the update. 1 of them is offline: unless it comes back while it is watched, its result stays unknown.',
    ],
    ['reboot', reboot, 1, 0, 'This device reboots. The room cannot be used until it is back.'],
    [
      'reboot',
      reboot,
      1,
      1,
      'This device reboots. The room cannot be used until it is back. Not reached, because offline: 1 device.',
    ],
    ['reboot', reboot, 2, 2, 'Reboots 2 devices in 2 rooms. 2 devices in them are offline and not reached.'],
  ])('counts in the sentence of a plan: $0, $2 items, $3 offline', (_, work, items, offline, summary) => {
    expect(said(aPlan({ items, devices: items, offline }, work), now, locked, true).summary).toBe(summary)
  })

  it('counts the versions that the devices of a product run', () => {
    expect([
      versionsText({ from: [{ version: '2.9.0', devices: 3 }] }),
      versionsText({
        from: [
          { version: '2.9.0', devices: 2 },
          { version: null, devices: 1 },
        ],
      }),
      versionsText({ from: ['3.0', '2.0', '1.0'].map((version) => ({ version, devices: 4 })) }, 2),
    ]).toEqual(['2.9.0', '2.9.0 ×2, an unknown version ×1', '3.0 ×4, 2.0 ×4, +1'])
  })

  it('lists several reasons for leaving out, each with its count', () => {
    const several = [...skipped, { reason: 'as-wanted', count: 12 }] as const
    const { skipped: label, reasons } = said(aPlan({ skipped: several }, update))
    expect([label, reasons]).toEqual([
      '13 devices left out',
      ['1 × runs a newer version, and a downgrade is not confirmed', '12 × already as requested'],
    ])
  })
})

describe('what happens', () => {
  const product = {
    vendorId: 2830,
    name: 'Camera',
    version: '3.0.0',
    listedAt: 0,
    deviceIds: [],
    from: [],
    first: '',
    firstStatus: 'online',
  }
  const ofTwo = { items: 9, products: [1, 2].map((productId) => ({ ...product, productId })) }
  it.each<[string, JobPlan, JobTerms, readonly (readonly [string, string])[]]>([
    ['all at once', aPlan(), now, [['7 devices in 3 rooms', 'now']]],
    ['all in a window', aPlan(), byNight, [['7 devices in 3 rooms', 'between 22:00 and 05:00']]],
    ['all at a time', aPlan(), atTen, [['7 devices in 3 rooms', 'from 22:00']]],
    [
      'one room first',
      aPlan(),
      { ...now, canary: true },
      [
        ['First 1 room', 'now'],
        ['Then 2 rooms', 'when the first is back'],
      ],
    ],
    [
      'one of each product first',
      aPlan(ofTwo, update),
      { ...byNight, canary: true },
      [
        ['First 2 devices, one of each product', 'between 22:00 and 05:00'],
        ['Then 7 devices', 'when the first of its product is back'],
      ],
    ],
    [
      'each product has one device',
      aPlan({ ...ofTwo, items: 2, devices: 2 }, update),
      { ...now, canary: true },
      [['2 devices of 2 products', 'now']],
    ],
    [
      'a product that gets two versions has one first device',
      aPlan(
        { items: 9, products: [ofTwo.products[0]!, { ...ofTwo.products[0]!, version: '2.0.0' }] },
        update,
      ),
      { ...now, canary: true },
      [
        ['First 1 device', 'now'],
        ['Then 8 devices', 'when the first is back'],
      ],
    ],
  ])('%s', (_, plan, terms, steps) => {
    expect(stepsOf(plan, terms, nowAt, null).map(({ what, when }) => [what, when])).toEqual(steps)
  })
  it('names the room that goes first with its own time, and says what happens if it does not come back', () => {
    expect(stepsOf(aPlan(), { ...now, canary: true }, nowAt, room)).toEqual([
      { what: 'First Aarhus 3', when: 'from 14:03', isFirst: true },
      {
        what: 'Then 2 rooms',
        when: 'when the first is back',
        otherwise: 'If it does not succeed, the job pauses.',
        isFirst: false,
      },
    ])
  })
  it.each([
    [0, undefined],
    [1, '1 is offline: unless it comes back within 30 min, the job pauses.'],
    [2, '2 are offline: unless they come back within 30 min, the job pauses.'],
  ])('says that of the first devices of two products are offline: %i', (off, otherwise) => {
    const products = ofTwo.products.map((one, place) => ({
      ...one,
      firstStatus: place < off ? 'offline' : 'online',
    }))
    const [first] = stepsOf(aPlan({ ...ofTwo, products }, update), { ...now, canary: true }, nowAt, null)
    expect(first?.otherwise).toBe(otherwise)
  })
  it('has the name and the time of the only room', () => {
    const [only] = stepsOf(aPlan({ items: 1 }), now, nowAt, room)
    expect(only).toEqual({ what: 'Aarhus 3', when: 'from 14:03', isFirst: false })
  })

  const canary = { ...now, canary: true }
  it.each<[string, JobPlan, JobTerms, number | null]>([
    ['ten minutes after its start', aPlan(), now, at(14, 12)],
    ['as long again with one room first', aPlan(), canary, at(14, 22)],
    ['when devices are no longer watched', aPlan({}, update), now, at(14, 32)],
    [
      'after the start where the clock is furthest behind',
      aPlan({ zones: inZones('Europe/Oslo', 'America/New_York') }),
      { ...atTen, timeZone: 'Europe/Oslo' },
      at(4, 10, 22),
    ],
    ['at once, if nothing is watched', aPlan({}, change), now, null],
    ['at a time that a window decides', aPlan(), byNight, null],
  ])('ends %s', (_, plan, terms, end) => {
    expect(endOf({ ...plan, cost: { ...plan.cost, aboutInMs: 0 } }, terms, nowAt)).toBe(end)
  })

  it.each<[string, string, number, JobTerms, string | null]>([
    ['a Tuesday morning', 'local', at(10, 20, 24), now, 'It is 10:20: the room may be in use.'],
    [
      'the same in another zone',
      'Europe/Oslo',
      at(7, 0, 24),
      now,
      'It is 08:00 Oslo time: the room may be in use.',
    ],
    ['the evening', 'local', at(17, 0, 24), now, null],
    ['a Saturday', 'local', at(10, 20, 28), now, null],
    ['a time in the evening', 'local', at(10, 20, 24), { ...now, startAt: at(22, 0, 24) }, null],
    [
      'a time in the morning, by the clock of the rooms',
      'Asia/Tokyo',
      at(22, 0, 23),
      { ...now, startAt: at(9, 0, 24), timeZone: 'UTC' },
      '09:00 on Tuesday: the room may be in use.',
    ],
    [
      'the same, chosen by their clock',
      'Asia/Tokyo',
      at(22, 0, 23),
      { ...now, startAt: at(0, 0, 24), timeZone: 'Asia/Tokyo' },
      '09:00 on Tuesday: the room may be in use.',
    ],
    ['a window, which was chosen', 'local', at(10, 20, 24), { ...now, window: { from: 600, to: 660 } }, null],
  ])('within working hours rooms may be in use: %s', (_, zone, when, terms, sentence) => {
    expect(inUseOf(aPlan({ items: 1, zones: inZones(zone) }), terms, when)?.words ?? null).toBe(sentence)
  })
  it.each([
    ['the room', reboot, 1],
    ['2 rooms', reboot, 2],
    ['the device', change, 1],
    ['2 devices', change, 2],
  ])('within working hours %s may be in use', (what, work, items) => {
    const zones = inZones('local').map((one) => ({ ...one, items }))
    expect(inUseOf(aPlan({ items, zones }, work), now, at(10, 20, 24))).toEqual({
      words: `It is 10:20: ${what} may be in use.`,
      zones: ['local'],
    })
  })
  it('within working hours in the second of two zones its rooms may be in use', () => {
    const zones = inZones('America/New_York', 'Europe/Oslo')
    expect(inUseOf(aPlan({ zones }), now, at(7, 0, 24))).toEqual({
      words: 'It is 08:00 Oslo time: 1 room may be in use.',
      zones: ['Europe/Oslo'],
    })
  })
  it.each([
    ['Europe/Oslo', 7, '08:00 on Tuesday, Oslo time'],
    ['local', 8, '08:00 on Tuesday, your time'],
  ])(
    'within working hours in several zones their rooms are counted, and the zone with most devices is named: %s',
    (most, hour, place) => {
      const zones = inZones('America/New_York', 'Asia/Tokyo', 'Europe/Oslo', 'local').map((one) =>
        one.zone === most ? { ...one, count: 3 } : one,
      )
      expect(inUseOf(aPlan({ zones }), now, at(hour, 0, 24))?.words).toBe(
        `Working hours for 2 of 4 rooms, such as ${place}: they may be in use.`,
      )
    },
  )
})

describe('the confirmation of a job', () => {
  it('shows what restarts, the cost, that it unlocks, and starts', () => {
    expect(said(aPlan())).toEqual({
      title: 'Reboot 3 rooms',
      summary: 'Reboots 7 devices in 3 rooms.',
      alsoIn: [],
      skipped: '',
      reasons: [],
      cost: '6 calls, about 1 s, under 1% of the five-minute limit',
      lock: 'Unlocks actions for 15 minutes. This job goes on after that.',
      start: 'Unlock and reboot 3 rooms',
    })
  })
  const off = (name: string, product: string): PlannedItem => ({
    ...room,
    target: { of: 'room', id: name, name },
    devices: [
      { id: `${name} bar`, name: 'Jabra PanaCast 50 · 00A1D4F7657', status: 'online' },
      { id: `${name} other`, name: `${product} · 00A1D4F7658`, status: 'offline' },
    ],
  })
  const rows = [off('Aarhus 3', 'Jabra Scheduler'), off('Oslo 4', 'Jabra Speak2 75')]
  it.each<[string, Partial<JobPlan>, readonly PlannedItem[], string]>([
    [
      'by name',
      { items: 2, offline: 2 },
      rows,
      'Reboots 7 devices in 2 rooms. Not reached, because offline: Aarhus 3 Jabra Scheduler, Oslo 4 Jabra Speak2 75.',
    ],
    [
      'by the product, in the only room',
      { items: 1, devices: 1, offline: 1 },
      rows.slice(0, 1),
      'This device reboots. The room cannot be used until it is back. Not reached, because offline: Jabra Scheduler.',
    ],
    [
      'by their number, if they are many',
      { items: 4, offline: 4 },
      [...rows, ...rows],
      'Reboots 7 devices in 4 rooms. 4 devices in them are offline and not reached.',
    ],
    [
      'by their number until the rooms are loaded',
      { items: 2, offline: 2 },
      rows.slice(1),
      'Reboots 7 devices in 2 rooms. 2 devices in them are offline and not reached.',
    ],
  ])('tells the devices that are not reached %s', (_, changed, loaded, sentence) => {
    expect(said(aPlan(changed), now, locked, false, loaded).summary).toBe(sentence)
  })
  it('tells the jobs that its devices are in, and which these are', () => {
    const job = { kind: 'update-firmware', asked: 130, changes: [], target: null, state: 'running' } as const
    const other = { ...job, kind: 'reboot-rooms', asked: 2, state: 'unarmed' } as const
    const alsoIn = [
      {
        job: job as unknown as Job,
        devices: 1_310,
        items: 1_204,
        first: ['Ceres 2.20', 'Oslo 1.04', 'Anne'],
      },
      { job: other as unknown as Job, devices: 1, items: 1, first: ['Oslo 1.04'] },
    ]
    expect(said(aPlan({ alsoIn })).alsoIn).toEqual([
      '1,310 devices are also in the job “Update firmware of 130 devices” (running): Ceres 2.20, Oslo 1.04, Anne and 1,201 more rooms. A reboot can interrupt an update.',
      '1 device is also in the job “Reboot 2 rooms” (scheduled, needs unlocking): Oslo 1.04. It would be rebooted twice.',
    ])
  })
  it.each([
    [
      'rooms',
      undefined,
      'All 69 rooms are also in the job “Reboot 69 rooms” (running). They would be rebooted twice.',
    ],
    ['devices', change, 'All 69 devices are also in the job “Reboot 69 rooms” (running).'],
    [
      'devices',
      update,
      'All 69 devices are also in the job “Reboot 69 rooms” (running). A reboot can interrupt an update.',
    ],
  ] as const)('tells without names that all its %s are in another job', (_, draft, sentence) => {
    const job = { kind: 'reboot-rooms', asked: 69, changes: [], target: null, state: 'running' } as const
    const alsoIn = [{ job: job as unknown as Job, devices: 205, items: 69, first: ['A', 'B', 'C'] }]
    expect(said(aPlan({ items: 69, alsoIn }, draft)).alsoIn).toEqual([sentence])
  })
  it('of settings lists them, what is skipped and why, and the remaining unlocked time', () => {
    const plan = aPlan(
      {
        items: 1,
        devices: 1,
        skipped: [{ reason: 'as-wanted', count: 2 }],
        cost: { calls: 3, aboutInMs: 0, shareOfWindow: 0.0003 },
      },
      change,
    )
    expect(said(plan, now, { unlocked: true, remainingInMs: 61_000 }, true)).toEqual({
      title: 'Retry: Change 1 setting of 1 device',
      summary: 'Changes 1 device with one request, then reads it back.',
      alsoIn: [],
      skipped: '2 devices left out: already as requested',
      reasons: [],
      cost: '3 calls, about 1 s, under 1% of the five-minute limit',
      lock: 'Actions are unlocked for 1 more minute.',
      start: 'Change 1 device',
    })
  })
  it.each([
    [
      'two minutes',
      { calls: 10_000, aboutInMs: 99_000, shareOfWindow: 1 },
      '10,000 calls, about 2 min, 100% of the five-minute limit',
    ],
    [
      'above one window',
      { calls: 12_038, aboutInMs: 320_380, shareOfWindow: 1.2038 },
      '12,038 calls, about 6 min, more than the five-minute limit, so it pauses in between',
    ],
  ])('never promises less time than the calls take: %s', (_, cost, sentence) => {
    expect(said(aPlan({ cost })).cost).toBe(sentence)
  })
  it.each([
    [1, '1 call'],
    [2, '2 calls'],
  ])('counts the calls that are saved: %i', (savedCalls, calls) => {
    expect(said(aPlan({ savedCalls })).cost).toBe(
      `6 calls, about 1 s, under 1% of the five-minute limit, reading in pages saves ${calls}`,
    )
  })
  it.each([
    ['a time', atTen, '6 calls, about 1 s,', 'at 21 Nov 2026 22:00'],
    ['a daily window', byNight, '6 calls,', 'between 22:00 and 05:00'],
  ])(
    'for %s the cost has a time if nothing waits, and the button names its start',
    (_, terms, calls, when) => {
      const { cost, start } = said(aPlan({ watchingAtMost: 40, savedCalls: 9 }), terms)
      expect([cost, start, said(aPlan(), terms, { unlocked: true, remainingInMs: 0 }).start]).toEqual([
        `${calls} under 1% of the five-minute limit, and up to 40 to confirm the results, reading in pages saves 9 calls`,
        `Unlock and reboot 3 rooms ${when}`,
        `Reboot 3 rooms ${when}`,
      ])
    },
  )
  it('has no time for its calls if they wait for the first room', () => {
    expect(said(aPlan(), { ...now, canary: true }).cost).toBe('6 calls, under 1% of the five-minute limit')
  })
})

describe('when an item may start', () => {
  it.each<[string, number | null, JobTerms, string]>([
    ['now', null, now, 'now'],
    ['now, its minute being over', at(14, 1), now, 'now'],
    ['now, its minute running', at(14, 3), now, 'from 14:03'],
    ['at 22:00', null, atTen, 'from 22:00'],
    ['at 22:00, its minute running', at(14, 3), atTen, 'from 22:00'],
    ['at 22:00, its minute ending later', at(22, 1), atTen, 'from 22:01'],
    ['on another day', null, { ...now, startAt: at(6, 30, 23) }, 'from 23 Nov 2026 06:30'],
    ['only at night', null, byNight, 'between 22:00 and 05:00'],
    [
      'in the zone of its room, on the next day there',
      null,
      { ...atTen, timeZone: 'Asia/Singapore' },
      'from 22 Nov 2026 06:00 (Asia/Singapore)',
    ],
    ['in the zone of its room', null, { ...atTen, timeZone: 'Europe/Oslo' }, 'from 23:00 (Europe/Oslo)'],
  ])('%s', (_, earliestAt, terms, sentence) => {
    expect(whenOf({ earliestAt }, terms, nowAt)).toBe(sentence)
  })
  it('on the clock of its own room', () => {
    const item = { earliestAt: null, timeZone: 'Europe/Oslo' }
    expect([whenOf(item, { ...atTen, timeZone: 'UTC' }, nowAt), whenOf(item, atTen, nowAt)]).toEqual([
      'from 22:00 (Europe/Oslo)',
      'from 23:00 (Europe/Oslo)',
    ])
  })
  it('after a device, which is named by its room or user', () => {
    const target = { of: 'device', id: 'D2', name: null } as const
    const item = { earliestAt: null, after: 'Aarhus 3 · Jabra PanaCast 50 · 5B877CB2D0A', target }
    expect(whenOf(item, { ...now, canary: true }, nowAt)).toBe('when Aarhus 3 is back')
  })
  it('after the first, when one is tried first', () => {
    const item = { earliestAt: at(14, 3), after: 'Aarhus 3' }
    expect([whenOf(item, { ...atTen, canary: true }, nowAt), whenOf(item, now, nowAt)]).toEqual([
      'when Aarhus 3 is back',
      'from 14:03',
    ])
  })
  it.each([
    ['UTC', 'between 22:00 and 05:00'],
    ['Asia/Tokyo', 'between 22:00 and 05:00 (Asia/Tokyo)'],
  ])('only at night, in a room in %s', (timeZone, sentence) => {
    expect(whenOf({ earliestAt: null, timeZone }, byNight, nowAt)).toBe(sentence)
  })
})
