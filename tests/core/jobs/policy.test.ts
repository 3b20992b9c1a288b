import { beforeEach, describe, expect, it } from 'vitest'
import type { FailureOf } from '../../../electron/contract/failure.ts'
import { unlockedForInMs, type WritePolicy } from '../../../electron/core/writes/writes.ts'
import { failureOf } from '../../failure-of.ts'
import type { FakeClock } from '../../fake-clock.ts'
import { AHome, AProgram, rooms } from './a-bench.ts'
import { nobody, slow, statusOf } from './asking-a-program.ts'

const minute = 60_000
const lookOnly: FailureOf<'policy'> = {
  kind: 'policy',
  rule: 'look-only',
  file: '/etc/headroom/policy.json',
  detail: null,
}

let home: AHome
let forbidden: FailureOf<'policy'> | null
let begun: number
let most: number
let lasts: number
const policy: WritePolicy = {
  unlockedForInMs: () => lasts,
  refusal: (count) => forbidden ?? (begun + count > most ? { ...lookOnly, rule: 'most-items' } : null),
  begins: () => void begun++,
}
const open = (more: { readonly send?: AProgram['send']; readonly clock?: FakeClock } = {}): AProgram =>
  new AProgram(home, { policy, ...more })
beforeEach(async () => {
  home = await AHome.open()
  forbidden = null
  begun = 0
  most = Infinity
  lasts = unlockedForInMs
})
const forbid = (program: AProgram): void => {
  forbidden = lookOnly
  program.writes.followPolicy()
}

describe('a policy that forbids actions', () => {
  it('pauses a running job at once; what was sent ends', async () => {
    const { send, answer } = slow()
    const program = open({ send })
    const { id } = await program.start(rooms(20))
    await program.after(0)
    forbid(program)
    await program.after(0)
    const before = await statusOf(program, id)
    answer()
    await program.after(5 * minute)
    expect([before, await statusOf(program, id), program.sent.length]).toEqual([
      { state: 'paused', waitsFor: 'policy', counts: nobody, underWay: 16 },
      { state: 'paused', waitsFor: 'policy', counts: { ...nobody, done: 16 }, underWay: 0 },
      16,
    ])
  })
  it('leaves a scheduled job scheduled and locked, and at its time it is missed', async () => {
    const program = open()
    const { id } = await program.start(rooms(2), { startAt: program.clock.now() + 10 * minute })
    await program.after(0)
    forbid(program)
    await program.after(0)
    const before = await program.jobs.get(id)
    await program.after(10 * minute)
    const after = await program.jobs.get(id)
    expect([before.state, before.waitsFor, after.state, after.missed, program.sent]).toEqual([
      'unarmed',
      'locked',
      'ended',
      'in-this-run',
      [],
    ])
  })
  it('refuses to start and to resume a job, and lets it be planned, paused and cancelled', async () => {
    const program = open()
    const { id } = await program.start(rooms(1), { startAt: program.clock.now() + 10 * minute })
    forbid(program)
    await program.after(0)
    expect([
      await failureOf(program.start(rooms(1))),
      await failureOf(program.jobs.resume({ id, unlock: true })),
      (await program.jobs.cancel(id)).state,
      program.sent,
    ]).toEqual([lookOnly, lookOnly, 'ended', []])
  })
  it('holds for a job whose item waits for its minute', async () => {
    const program = open()
    await program.start(['R1'])
    await program.after(0)
    const { id } = await program.start(['R1'])
    await program.after(30_000)
    forbidden = lookOnly
    await program.after(40_000)
    expect([await statusOf(program, id), program.sent]).toEqual([
      { state: 'paused', waitsFor: 'policy', counts: nobody, underWay: 0 },
      ['R1'],
    ])
  })
  it('that ends lets the job be resumed, and nothing is sent twice', async () => {
    const { send, answer } = slow()
    const program = open({ send })
    const { id } = await program.start(rooms(20))
    await program.after(0)
    forbid(program)
    answer()
    await program.after(0)
    forbidden = null
    await program.jobs.resume({ id, unlock: true })
    await program.after(0)
    answer()
    await program.after(0)
    expect([await statusOf(program, id), program.sent]).toEqual([
      { state: 'ended', waitsFor: null, counts: { ...nobody, done: 20 }, underWay: 0 },
      rooms(20),
    ])
  })
})

describe('the most items of a policy', () => {
  it('are counted when a job starts, with those before it', async () => {
    most = 3
    const program = open()
    await program.start(rooms(2))
    await program.after(0)
    expect([await failureOf(program.start(['R3', 'R4'])), program.sent]).toEqual([
      { ...lookOnly, rule: 'most-items' },
      ['R1', 'R2'],
    ])
  })
  it('are counted again when each item begins: two jobs do not exceed them together', async () => {
    most = 3
    const program = open()
    const startAt = program.clock.now() + minute
    const jobs = [
      await program.start(['R1', 'R2'], { startAt }),
      await program.start(['R3', 'R4'], { startAt }),
    ]
    await program.after(5 * minute)
    const states = await Promise.all(jobs.map(({ id }) => program.jobs.get(id)))
    expect([
      program.sent.length,
      states.filter(({ state, waitsFor }) => state === 'paused' && waitsFor === 'policy').length,
    ]).toEqual([3, 1])
  })
})

describe('an unlock under a policy', () => {
  it('lasts as long as the policy says', async () => {
    lasts = 5 * minute
    const program = open()
    program.writes.unlock()
    await program.after(5 * minute - 1)
    const before = program.writes.lock().unlocked
    await program.after(1)
    expect([before, program.writes.lock().unlocked]).toEqual([true, false])
  })
  it('becomes shorter at once', async () => {
    const program = open()
    program.writes.unlock()
    await program.after(minute)
    lasts = 5 * minute
    program.writes.followPolicy()
    await program.after(5 * minute)
    expect(program.writes.lock().unlocked).toBe(false)
  })
})
