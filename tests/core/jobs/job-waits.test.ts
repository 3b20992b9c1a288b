import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobItem } from '../../../electron/contract/api/jobs.ts'
import { waitsOfItems } from '../../../electron/core/jobs/listed-jobs.ts'
import { AHome, AProgram, rooms } from './a-bench.ts'

const NOW = 1_000_000
const item = (id: string, more: Partial<JobItem> = {}): JobItem => ({
  id: 1,
  jobId: 'job-1',
  target: { of: 'device', id, name: id },
  deviceIds: [id],
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
const running = { state: 'running', canary: false, waitsFor: null, waitsUntil: null } as const

describe('items that were not sent yet', () => {
  it('wait for the device of their product that is tried first', () => {
    const unended = [
      { item: item('A1', { state: 'watching' }), family: 'A' },
      { item: item('A2'), family: 'A' },
      { item: item('B1', { state: 'sending' }), family: 'B' },
      { item: item('B2'), family: 'B' },
      { item: item('B3'), family: 'B' },
      { item: item('C1'), family: 'C' },
    ]
    const groups = waitsOfItems(unended, { ...running, canary: true, waitsFor: 'canary' }, NOW)
    expect(groups.map(({ reason, after, count }) => [reason, after?.id, count])).toEqual([
      ['canary', 'B1', 2],
      ['canary', 'A1', 1],
      [null, undefined, 1],
    ])
  })
  it('wait for the minute of their devices until the first of them is over', () => {
    const unended = [NOW + 40, NOW + 20, NOW - 1].map((earliestAt, index) => ({
      item: item(`D${index}`, { earliestAt }),
      family: null,
    }))
    expect(
      waitsOfItems(unended, running, NOW).map(({ reason, until, count }) => [reason, until, count]),
    ).toEqual([
      ['device-minute', NOW + 20, 2],
      [null, null, 1],
    ])
  })
  it('are apart if their time is another one', () => {
    const unended = [5, 6, 6].map((hour) => ({
      item: item(`D${hour}`, { waitsFor: 'start-time', earliestAt: NOW + hour }),
      family: null,
    }))
    expect(waitsOfItems(unended, running, NOW).map(({ until, count }) => [until, count])).toEqual([
      [NOW + 6, 2],
      [NOW + 5, 1],
    ])
  })
})

describe('a paused job of many items', () => {
  let home: AHome
  let program: AProgram
  beforeEach(async () => {
    home = await AHome.open()
    program = new AProgram(home)
  })
  it('has one group with the first 100 of them', async () => {
    const { id } = await program.start(rooms(250), { startAt: program.clock.now() + 3_600_000 })
    await program.jobs.pause(id)
    const [group, ...others] = await program.jobs.waits(id)
    expect([group?.reason, group?.count, group?.targets.length, others]).toEqual(['paused', 250, 100, []])
  })
  it('reads no more of them', async () => {
    const { id } = await program.start(rooms(250), { startAt: program.clock.now() + 3_600_000 })
    await program.jobs.pause(id)
    const query = vi.spyOn(home.workbook, 'query')
    await program.jobs.waits(id)
    const read = await Promise.all(query.mock.results.map(({ value }) => value as Promise<unknown[]>))
    expect(Math.max(...read.map(({ length }) => length))).toBe(100)
  })
})
