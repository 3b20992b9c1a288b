import { describe, expect, it } from 'vitest'
import { laidOut, type Line } from '../../electron/cli/table.ts'
import * as tables from '../../electron/cli/job-tables.ts'
import type { JobTiming, JobWork } from '../../electron/contract/api/jobs.ts'
import { noSettingNames } from '../../electron/contract/setting-name.ts'
import { aJob, anItem, aPlan, aPlannedRoom } from './a-job.ts'
import { inZones } from '../in-zones.ts'

const throughPipe =
  <A extends readonly unknown[]>(text: (...given: A) => readonly Line[]) =>
  (...given: A): string[] =>
    text(...given).map((line) => laidOut(line, null))
const planText = throughPipe(tables.planText)
const resultText = throughPipe(tables.resultText)
const { progressText } = tables
const draft = aPlan().draft

describe('text output', () => {
  const window = { startAt: null, window: { from: 1_320, to: 300 } }
  const tonight = { startAt: Date.UTC(2026, 10, 21, 21, 0), window: null, timeZone: 'Europe/Oslo' }
  it.each<[JobTiming, readonly string[], string]>([
    [window, ['local'], 'Starts only within 22:00-05:00 (local time).'],
    [window, ['Asia/Tokyo'], 'Starts only within 22:00-05:00 (Asia/Tokyo).'],
    [
      window,
      ['Asia/Tokyo', 'Europe/Oslo', 'local'],
      "Starts only within 22:00-05:00 (each room's own time: Asia/Tokyo 1 device, Europe/Oslo 1 device, local time 1 device).",
    ],
    [tonight, ['Europe/Oslo'], 'Starts at 2026-11-21 22:00 (Europe/Oslo).'],
    [
      tonight,
      ['Asia/Tokyo', 'local'],
      "Starts at 2026-11-21 22:00 (each room's own time: Asia/Tokyo 1 device, local time 1 device).",
    ],
  ])('says when a plan and a waiting job start: %j in %j', (timing, names, said) => {
    const zones = inZones(...names)
    const plan = aPlan({ draft: { ...draft, ...timing }, zones })
    expect([
      planText(plan, [aPlannedRoom()], 1).includes(said),
      resultText(aJob({ state: 'waiting', ...timing, zones }), [], 0).includes(said),
      resultText(aJob({ state: 'ended', ...timing, zones }), [], 0).includes(said),
    ]).toEqual([true, true, false])
  })
  it('describes a plan', () => {
    const skipped = aPlannedRoom({
      target: { of: 'room', id: 'room-2', name: null },
      skipped: 'nothing-online',
      devices: [],
    })
    expect(
      planText(
        aPlan({ items: 1, devices: 1, skipped: [{ reason: 'nothing-online', count: 1 }] }),
        [aPlannedRoom(), skipped],
        2,
      ),
    ).toEqual([
      '1 room of Nordlys: 1 device restarts, 2 not reached, because offline.',
      'Room      When                 Devices',
      'Aarhus 3  now                  PanaCast 50 (online)',
      'room-2    not: nothing online  –',
      'Left out: 1 room, nothing online.',
      '4 calls, about 2 s, 0.04% of the calls allowed in five minutes; at most 20 more to confirm results.',
    ])
  })

  it('says which jobs the devices of a plan are in', () => {
    const alsoIn = [
      { job: aJob({ id: 'job-7', state: 'paused', asked: 2 }), devices: 2, items: 2, first: ['A', 'B'] },
    ]
    expect(planText(aPlan({ alsoIn }), [aPlannedRoom()], 1)).toContain(
      '2 devices are also in the job “job-7, reboot of 2 rooms” (paused): A, B. They would be rebooted twice.',
    )
  })

  it.each([
    ['nothing-online', 'nothing online'],
    ['members-unknown', 'devices unknown'],
    ['no-room', 'no room'],
    ['as-wanted', 'already as requested'],
    ['not-allowed', 'value not allowed'],
    ['settings-unknown', 'settings could not be read'],
    ['gone', 'gone'],
  ] as const)('describes what is left out, one or many: %s', (reason, words) => {
    const work = { kind: 'change-settings' as const, selection: draft.work.selection, changes: [] }
    const leftOut = (count: number): string | undefined =>
      planText(aPlan({ draft: { ...draft, work }, skipped: [{ reason, count }] }), [], 1).find((line) =>
        line.startsWith('Left out'),
      )
    expect([leftOut(1), leftOut(5)]).toEqual([
      `Left out: 1 device, ${words}.`,
      `Left out: 5 devices, ${words}.`,
    ])
  })

  it('reports that the end of a watched reboot was not seen', () => {
    const [, line] = resultText(aJob({ state: 'ended' }), [anItem({ detail: 'not-watched' })], 1)
    expect(line).toMatch(
      / not confirmed .+ accepted, but Headroom stopped watching before the result was known$/,
    )
  })

  it('uses the singular for one call, one item, one waiting call', () => {
    const plan = aPlan({
      cost: { calls: 1, aboutInMs: 0, shareOfWindow: 0 },
      watchingAtMost: 0,
      savedCalls: 1,
    })
    expect([...planText(plan, [], 1).slice(-2), progressText(aJob({ callsUsed: 1 }))]).toEqual([
      '1 call, about a second, 0.00% of the calls allowed in five minutes.',
      'Reading settings in pages saves 1 call.',
      '0 of 2 done, 1 call',
    ])
  })

  it('describes planned settings: current value, new value, or why they are skipped', () => {
    const plan = aPlan({
      draft: {
        ...draft,
        work: { kind: 'change-settings', selection: { kind: 'picked', ids: ['D1'] }, changes: [] },
      },
      items: 1,
      offline: 0,
      watchingAtMost: 0,
    })
    const change = {
      name: 'videoStiching',
      now: null,
      new: 'hybrid',
      allowed: true,
      reason: null,
      restarts: true,
    }
    const item = aPlannedRoom({
      target: { of: 'device', id: 'D1', name: 'PanaCast 50' },
      changes: [
        change,
        {
          ...change,
          name: 'zoom',
          now: 'on',
          new: 'off',
          allowed: false,
          reason: 'The device does not have this setting.',
          restarts: null,
        },
      ],
    })
    const names = { ...noSettingNames, labels: new Map([['zoom', 'Distance']]) }
    expect(planText(plan, [item], 1, names).slice(0, 4)).toEqual([
      '1 device of Nordlys would be changed.',
      'Device       Setting        Label           Now            New     Restarts  When',
      'PanaCast 50  zoom           Distance        on             off     –         not: The device does not have this setting.',
      'PanaCast 50  videoStiching  Video stiching  not available  hybrid  yes       now',
    ])
  })

  const selection = { kind: 'picked', ids: [] } as const
  const works: Readonly<Record<'change' | 'update' | 'reboot', JobWork>> = {
    change: { kind: 'change-settings', selection, changes: [] },
    update: {
      kind: 'update-firmware',
      selection,
      version: 'advised',
      allowDowngrade: false,
      watchForInMinutes: 30,
    },
    reboot: draft.work,
  }
  it.each<[keyof typeof works, items: number, devices: number, offline: number, said: string]>([
    ['change', 0, 0, 0, 'No device of Nordlys would be changed.'],
    ['update', 0, 0, 0, 'No device of Nordlys would be updated.'],
    ['reboot', 0, 0, 0, 'No room of Nordlys would be rebooted.'],
    ['change', 1, 1, 0, '1 device of Nordlys would be changed.'],
    ['change', 1, 1, 1, '1 device of Nordlys would be changed. It is offline: it may not take the change.'],
    [
      'change',
      2,
      2,
      1,
      '2 devices of Nordlys would be changed. 1 of them is offline: it may not take the change.',
    ],
    [
      'change',
      2,
      2,
      2,
      '2 devices of Nordlys would be changed. 2 of them are offline: they may not take the change.',
    ],
    [
      'update',
      1,
      1,
      1,
      '1 device of Nordlys would be updated, and is not available meanwhile. It is offline: unless it comes back while it is watched, its result stays unknown.',
    ],
    [
      'update',
      2,
      2,
      1,
      '2 devices of Nordlys would be updated, and are not available meanwhile. 1 of them is offline: unless it comes back while it is watched, its result stays unknown.',
    ],
    ['reboot', 1, 1, 0, '1 room of Nordlys: 1 device restarts.'],
    ['reboot', 1, 1, 1, '1 room of Nordlys: 1 device restarts, 1 not reached, because offline.'],
    ['reboot', 2, 2, 2, '2 rooms of Nordlys: 2 devices restart, 2 not reached, because offline.'],
  ])(
    'counts in the plan of one %s: %i items, %i devices, %i offline',
    (work, items, devices, offline, said) => {
      const plan = aPlan({ draft: { ...draft, work: works[work] }, items, devices, offline })
      expect(planText(plan, [], 2)[0]).toBe(said)
    },
  )

  it('explains what to do before resuming a job that stopped for its key', () => {
    const job = aJob({ state: 'paused', waitsFor: 'key', counts: { ...aJob().counts, done: 1 } })
    expect(resultText(job, [], 0)).toEqual([
      'Job job-1 paused: 1 done, 1 not done yet, of 2; 0 calls.',
      'The subscription key is refused, missing or not bound to its host: headroom key check shows details, headroom key set primary --stdin sets another key.',
      'Resume it with headroom jobs resume job-1 --unlock',
    ])
  })

  it('adds ids when all devices are named by their product', () => {
    const item = (id: string): ReturnType<typeof anItem> =>
      anItem({ target: { of: 'device', id, name: 'Jabra Speak 710' }, detail: null, endedAt: null })
    expect(resultText(aJob({ state: 'ended' }), [item('D1'), item('D2')], 2).slice(0, 3)).toEqual([
      'Of               Id  Outcome  Calls  Ended  Why',
      'Jabra Speak 710  D1  done     3      –      –',
      'Jabra Speak 710  D2  done     3      –      –',
    ])
  })

  it('shows progress', () => {
    expect(
      progressText(
        aJob({
          asked: 40,
          counts: { ...aJob().counts, done: 12, failed: 1 },
          underWay: 3,
          waitsFor: 'call-budget',
          leftInMs: 100_000,
          callsUsed: 34,
        }),
      ),
    ).toBe('12 of 40 done, 1 failed, 3 in progress, waits for the call limit, about 2 min left, 34 calls')
  })

  it('shows how long it takes at most while the first is tried', () => {
    const job = aJob({ asked: 67, underWay: 1, waitsFor: 'canary', leftInMs: 1_140_000, callsUsed: 2 })
    expect(progressText(job)).toBe(
      '0 of 67 done, 1 in progress, waits for the first to come back, at most 19 min left, 2 calls',
    )
  })

  it('lists at the end what was accepted and not confirmed', () => {
    const job = aJob({
      state: 'ended',
      asked: 3,
      counts: { ...aJob().counts, done: 3 },
      unseen: 2,
      callsUsed: 9,
    })
    expect(resultText(job, [], 3).slice(1)).toEqual([
      'Job job-1 ended: 1 done, 2 not confirmed, of 3; 9 calls.',
    ])
  })
  it('lists at the end what can be checked and what can be tried again', () => {
    const job = aJob({
      state: 'ended',
      asked: 3,
      counts: { ...aJob().counts, done: 1, failed: 1, unknown: 1 },
      retryable: 1,
      callsUsed: 9,
    })
    expect(resultText(job, [], 3).slice(1)).toEqual([
      'Job job-1 ended: 1 done, 1 failed, 1 unknown, of 3; 9 calls.',
      'Items with an unknown outcome may have happened and are never sent again automatically: headroom jobs check job-1',
      '1 can be retried: headroom jobs retry job-1 --yes --unlock',
    ])
  })
})
