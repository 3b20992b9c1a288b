import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ItemEnding } from '../../../electron/core/jobs/job-work.ts'
import { AHome, AProgram, done } from './a-bench.ts'

/** For each item: its room, and for how long the job had been sending without a break. */
const begun: [string, number][] = []
let home: AHome
let program: AProgram
let ending: () => ItemEnding
beforeEach(async () => {
  begun.length = 0
  ending = () => ({ ...done, detail: 'back-online' })
  home = await AHome.open()
  program = new AProgram(home, {
    worker: {
      run: async (item, tools) => {
        begun.push([item.target.id, program.clock.monotonic() - tools.since])
        return ending()
      },
    },
  })
})
afterEach(async () => {
  await program.close()
  await home.close()
})
const state = async (id: string) => {
  const { state: is, waitsFor, waitsUntil } = await program.jobs.get(id)
  return { is, waitsFor, waitsUntil }
}
const minutesOfDay = (at: number): number => Math.floor(at / 60_000) % 1_440

describe('a job sends without a break since', () => {
  it('its start, for all items', async () => {
    await program.start(['R1', 'R2'])
    await program.after(0)
    expect(begun).toEqual([
      ['R1', 0],
      ['R2', 0],
    ])
  })

  it('the end of its canary', async () => {
    await program.start(['R1', 'R2'], { canary: true })
    await program.after(5_000)
    expect(begun.map(([room]) => room)).toEqual(['R1', 'R2'])
    expect(begun[1]![1]).toBe(0)
  })

  it('it was resumed', async () => {
    ending = () => ({ kind: 'again', at: null, waitsFor: 'device-minute', failure: null })
    const { id } = await program.start(['R1'])
    await program.after(0)
    await program.jobs.pause(id)
    await program.after(40_000)
    await program.jobs.resume({ id, unlock: true })
    await program.after(0)
    expect(begun.map(([, since]) => since)).toEqual([0, 0])
  })

  it('its window opened', async () => {
    const from = (minutesOfDay(program.clock.now()) + 10) % 1_440
    await program.start(['R1@UTC'], { window: { from, to: (from + 60) % 1_440 } })
    await program.after(11 * 60_000)
    expect(begun).toHaveLength(1)
    expect(begun[0]![1]).toBeLessThan(2_000)
  })
})

describe('a release list that cannot be read', () => {
  const failure = { kind: 'releases-unread', product: 'Camera', observedAt: 5 } as const

  it('is shown while items wait for it, and pauses the job when it was asked for long enough', async () => {
    const at = program.clock.now() + 60_000
    ending = () => ({ kind: 'again', at, waitsFor: 'releases', failure })
    const { id } = await program.start(['R1'])
    await program.after(0)
    expect(await state(id)).toEqual({ is: 'running', waitsFor: 'releases', waitsUntil: at })
    ending = () => ({ kind: 'again', at: null, waitsFor: 'releases', failure })
    await program.after(60_000)
    expect([await state(id), (await program.jobs.get(id)).unreadReleases, begun.length]).toEqual([
      { is: 'paused', waitsFor: 'releases', waitsUntil: null },
      failure,
      2,
    ])
  })

  it('pauses the job at the end of its window', async () => {
    const from = minutesOfDay(program.clock.now())
    ending = () => ({ kind: 'again', at: program.clock.now() + 60_000, waitsFor: 'releases', failure })
    const { id } = await program.start(['R1@UTC'], { window: { from, to: (from + 3) % 1_440 } })
    await program.after(60_000)
    expect(await state(id)).toMatchObject({ is: 'running', waitsFor: 'releases' })
    await program.after(60_000)
    await program.after(60_000)
    expect(await state(id)).toMatchObject({ is: 'paused', waitsFor: 'releases' })
  })
})
