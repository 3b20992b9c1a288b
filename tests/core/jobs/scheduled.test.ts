import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../../electron/contract/api/jobs.ts'
import { createCore } from '../../../electron/core/app.ts'
import { FakeClock } from '../../fake-clock.ts'
import { AHome, AProgram, rooms } from './a-bench.ts'
import { AJobCore } from './a-job-core.ts'

const minute = 60_000
const hour = 60 * minute
let home: AHome
let clock: FakeClock
beforeEach(async () => {
  home = await AHome.open()
  clock = new FakeClock()
})
const open = (): AProgram => new AProgram(home, { clock })
const stateOf = ({ state, waitsFor, missed, counts }: Job) => ({ state, waitsFor, missed, counts })
const none = { done: 0, failed: 0, 'not-found': 0, 'not-supported': 0, unknown: 0 }

/** A job for 22:00 in a program that was closed; another program is opened. */
async function reopened(afterInMs: number) {
  const first = open()
  const startAt = clock.now() + 9 * hour
  const { id } = await first.start(rooms(2), { startAt })
  await first.after(0)
  await first.close()
  clock.sleep(afterInMs)
  const second = open()
  return { second, id, startAt, currentState: async () => stateOf(await second.jobs.get(id)) }
}

describe('a scheduled job after a restart', () => {
  it('needs unlocking, reports it, and does not count as running', async () => {
    const { second, currentState } = await reopened(hour)
    expect([await currentState(), second.jobs.active()]).toEqual([
      { state: 'unarmed', waitsFor: 'locked', missed: null, counts: none },
      { running: 0, waiting: [] },
    ])
  })
  it('is armed by resuming with unlock, and then starts at its time', async () => {
    const { second, id, startAt, currentState } = await reopened(hour)
    const armed = await second.jobs.resume({ id, unlock: true })
    await second.after(startAt - clock.now() - 1)
    const before = [...second.sent]
    await second.after(1)
    expect([armed.state, before, await currentState(), second.sent]).toEqual([
      'waiting',
      [],
      { state: 'ended', waitsFor: null, missed: null, counts: { ...none, done: 2 } },
      ['R1', 'R2'],
    ])
  })
  it('misses its time unless armed: it ends, nothing is sent, and it can be tried again', async () => {
    const { second, id, startAt, currentState } = await reopened(hour)
    await second.jobs.list({ start: 0, count: 1 })
    await second.after(startAt - clock.now())
    await second.after(hour)
    const { retryable } = await second.jobs.get(id)
    expect([await currentState(), retryable, second.sent]).toEqual([
      { state: 'ended', waitsFor: null, missed: 'in-this-run', counts: { ...none, failed: 2 } },
      2,
      [],
    ])
    expect((await second.items(id)).map(({ detail }) => detail)).toEqual(['missed', 'missed'])
  })
  it('whose time passed while nothing ran is missed, and a later run does not report it again', async () => {
    const { second, id, currentState } = await reopened(10 * hour)
    await second.jobs.list({ start: 0, count: 1 })
    await second.after(0)
    const found = await currentState()
    await second.close()
    const third = open()
    expect([found.missed, (await third.jobs.get(id)).missed, second.sent, third.sent]).toEqual([
      'in-this-run',
      'earlier',
      [],
      [],
    ])
  })
  it('with a time window needs unlocking too, and is not missed, because the window comes again', async () => {
    const first = open()
    const { id } = await first.start(rooms(1), { window: { from: 22 * 60, to: 23 * 60 } })
    await first.close()
    clock.sleep(24 * hour)
    const second = open()
    await second.jobs.list({ start: 0, count: 1 })
    await second.after(hour)
    expect([stateOf(await second.jobs.get(id)), second.sent]).toEqual([
      { state: 'unarmed', waitsFor: 'locked', missed: null, counts: none },
      [],
    ])
  })
  it('with a start time and a window is not missed either: it can be armed until the window opens, and later', async () => {
    // From 18:00 in Copenhagen, between 22:00 and 05:00; restarted at 20:02.
    const startAt = Date.UTC(2026, 10, 21, 17, 0)
    const window = { from: 22 * 60, to: 5 * 60 }
    const first = open()
    const { id } = await first.start(rooms(1), { startAt, window })
    await first.after(5 * hour)
    await first.close()
    const second = open()
    await second.jobs.list({ start: 0, count: 1 })
    await second.after(0)
    const before = stateOf(await second.jobs.get(id))
    await second.jobs.resume({ id, unlock: true })
    await second.after(Date.UTC(2026, 10, 21, 21, 0) - clock.now() - 1)
    const sent = [...second.sent]
    await second.after(1)
    expect([before, sent, second.sent, stateOf(await second.jobs.get(id))]).toEqual([
      { state: 'unarmed', waitsFor: 'locked', missed: null, counts: none },
      [],
      ['R1'],
      { state: 'ended', waitsFor: null, missed: null, counts: { ...none, done: 1 } },
    ])
  })
  it('with a start time and a window is sent late within the window after the computer slept', async () => {
    const program = open()
    const startAt = Date.UTC(2026, 10, 21, 17, 0)
    await program.start(rooms(1), { startAt, window: { from: 22 * 60, to: 5 * 60 } })
    await program.after(0)
    clock.sleep(Date.UTC(2026, 10, 21, 23, 0) - clock.now())
    await program.after(30_000)
    expect(program.sent).toEqual(['R1'])
  })
})

describe('a scheduled job while the program runs', () => {
  it('needs unlocking once everything was locked, and is missed unless armed', async () => {
    const program = open()
    const { id } = await program.start(rooms(1), { startAt: clock.now() + hour })
    program.writes.lockNow()
    await program.after(minute)
    const locked = (await program.jobs.get(id)).state
    await program.after(hour)
    expect([locked, stateOf(await program.jobs.get(id)), program.sent]).toEqual([
      'unarmed',
      { state: 'ended', waitsFor: null, missed: 'in-this-run', counts: { ...none, failed: 1 } },
      [],
    ])
  })
  it('is not missed when paused by hand past its time', async () => {
    const program = open()
    const { id } = await program.start(rooms(1), { startAt: clock.now() + hour })
    await program.jobs.pause(id)
    await program.after(2 * hour)
    expect(stateOf(await program.jobs.get(id))).toEqual({
      state: 'paused',
      waitsFor: 'paused',
      missed: null,
      counts: none,
    })
    await program.jobs.resume({ id, unlock: false })
    await program.after(minute)
    expect([stateOf(await program.jobs.get(id)), program.sent]).toEqual([
      { state: 'ended', waitsFor: null, missed: null, counts: { ...none, done: 1 } },
      ['R1'],
    ])
  })
  it('is missed when unlocked long after its time, before the program noticed that the computer slept', async () => {
    const program = open()
    const { id } = await program.start(rooms(1), { startAt: clock.now() + hour })
    program.writes.lockNow()
    await program.after(0)
    clock.sleep(9 * hour)
    await program.jobs.resume({ id, unlock: true })
    await program.after(0)
    expect([(await program.jobs.get(id)).missed, program.sent]).toEqual(['in-this-run', []])
  })
  it.each([
    [14 * minute, 'ended', null, ['R1']],
    [16 * minute, 'ended', 'in-this-run', []],
  ])('with the computer asleep for %i ms past its time', async (late, state, missed, sent) => {
    const program = open()
    const { id } = await program.start(rooms(1), { startAt: clock.now() + hour })
    await program.after(0)
    clock.sleep(hour + late)
    await program.after(30_000)
    const job = await program.jobs.get(id)
    expect([job.state, job.missed, program.sent]).toEqual([state, missed, sent])
  })
})

describe('the whole core, closed and opened on the same files', () => {
  /** Schedules a reboot of one room in nine hours, in the time zone of the room, and closes the core. */
  async function scheduled(): Promise<{
    it: AJobCore
    id: string
    reopen: (afterInMs: number) => Promise<void>
  }> {
    const program = await AJobCore.open()
    const { rows } = await program.handlers.rooms.list({ where: 'health:ok', sort: [], start: 0, count: 1 })
    const plan = await program.plan(
      { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [rows[0]!.id] } },
      { startAt: program.clock.now() + 9 * hour, timeZone: 'Europe/Oslo' },
    )
    const { id } = await program.start(plan)
    const reopen = async (afterInMs: number): Promise<void> => {
      await program.passing(program.core.close())
      program.clock.sleep(afterInMs)
      program.core = await createCore(program.platform)
    }
    return { it: program, id, reopen }
  }
  it('keeps time and zone, reports a missed time and sends nothing', async () => {
    const { it: program, id, reopen } = await scheduled()
    try {
      await reopen(hour)
      const again = await program.handlers.jobs.get({ id })
      await reopen(10 * hour)
      await program.handlers.jobs.list({ start: 0, count: 1 })
      await program.until(async () => (await program.handlers.jobs.get({ id })).state === 'ended')
      const { missed } = await program.handlers.jobs.get({ id })
      expect([again.state, again.timeZone, missed, program.arrived('RebootRoom')]).toEqual([
        'unarmed',
        'Europe/Oslo',
        'in-this-run',
        0,
      ])
    } finally {
      await program.close()
    }
  })
  it('reboots the room at its time when armed after the restart', async () => {
    const { it: program, id, reopen } = await scheduled()
    try {
      await reopen(hour)
      await program.passing(program.handlers.jobs.resume({ id, unlock: true }))
      program.clock.sleep(8 * hour)
      await program.until(async () => (await program.handlers.jobs.get({ id })).state === 'ended', 20_000)
      expect([(await program.handlers.jobs.get({ id })).counts.done, program.arrived('RebootRoom')]).toEqual([
        1, 1,
      ])
    } finally {
      await program.close()
    }
  })
})
