import { beforeEach, describe, expect, it } from 'vitest'
import type { Failure } from '../../../electron/contract/failure.ts'
import { aDraft, AHome, answered, AProgram, failing, offline, rooms } from './a-bench.ts'
import { nobody, slow, statusOf } from './asking-a-program.ts'
import { failureOf } from '../../failure-of.ts'

const minute = 60_000

let home: AHome
let program: AProgram
beforeEach(async () => {
  home = await AHome.open()
  program = new AProgram(home)
})

describe('the lock', () => {
  it('lets a confirmed job continue after its quarter of an hour, and does not extend itself', async () => {
    const { id } = await program.start(rooms(1), { startAt: program.clock.now() + 40 * minute })
    await program.after(39 * minute)
    expect(program.writes.lock().unlocked).toBe(false)
    await program.after(minute)
    expect([program.sent, (await program.jobs.get(id)).state, program.writes.lock().unlocked]).toEqual([
      ['R1'],
      'ended',
      false,
    ])
  })

  it('of a command applies until the command ends; to a detached job only the lock of the app applies', async () => {
    const startAt = program.clock.now() + minute
    const [one, other] = [program.writesOf('client 1'), program.writesOf('client 2')]
    const begun: string[] = []
    for (const [writes, detached, room] of [
      [one, false, 'R1'],
      [other, true, 'R2'],
    ] as const) {
      const jobs = program.jobs.through(writes)
      const { id } = await jobs.plan(aDraft([room], { startAt }))
      begun.push((await jobs.start({ plan: id, unlock: true, typed: null, detached })).id)
      await writes.close()
    }
    await program.after(2 * minute)
    const jobs = await Promise.all(begun.map((id) => program.jobs.get(id)))
    const { lines } = await program.journal.list('org', { where: '', subjectId: null, start: 0, count: 10 })
    expect({
      jobs: jobs.map(({ state, who }) => [state, who]),
      lines: lines.map(({ target, who }) => [target.id, who]),
      unlocked: program.writes.lock().unlocked,
    }).toEqual({
      jobs: [
        ['ended', 'client 1'],
        ['ended', 'client 2'],
      ],
      lines: [['R2', 'client 2']],
      unlocked: false,
    })
  })

  it('of the app pauses a job detached from its command', async () => {
    const writes = program.writesOf('client')
    const jobs = program.jobs.through(writes)
    const plan = await jobs.plan(aDraft(['R1'], { startAt: program.clock.now() + minute }))
    const { id } = await jobs.start({ plan: plan.id, unlock: true, typed: null, detached: true })
    await writes.close()
    program.writes.lockNow()
    await program.after(0)
    expect([(await program.jobs.get(id)).state, program.sent]).toEqual(['unarmed', []])
  })

  it('locked by hand pauses every job until it is resumed and unlocked', async () => {
    const service = slow()
    program.send = service.send
    const { id } = await program.start(rooms(20))
    await program.after(0)
    program.writes.lockNow()
    service.answer()
    await program.after(60 * minute)
    expect(await statusOf(program, id)).toEqual({
      state: 'paused',
      waitsFor: 'locked',
      counts: { ...nobody, done: 16 },
      underWay: 0,
    })
    expect(await failureOf(program.jobs.resume({ id, unlock: false }))).toEqual({ kind: 'writes-locked' })
    program.send = answered(200)
    await program.jobs.resume({ id, unlock: true })
    await program.after(0)
    expect((await program.jobs.get(id)).counts.done).toBe(20)
  })

  it.each<Failure>([
    { kind: 'key-refused', slot: 'primary', message: null },
    { kind: 'key-missing' },
    {
      kind: 'key-not-bound',
      slot: 'primary',
      boundTo: 'https://other.example',
      wouldGoTo: 'https://api.example',
    },
    { kind: 'key-unreadable', slot: 'primary' },
  ])('$kind pauses the job and is shown as the reason; unsent items stay', async (failure) => {
    let asked = 0
    const run = async (
      item: Parameters<AProgram['run']>[0],
      tools: Parameters<AProgram['run']>[1],
    ): ReturnType<AProgram['run']> => {
      if (++asked <= 2) return program.run(item, tools)
      return {
        kind: 'again',
        at: null,
        waitsFor: 'paused',
        failure,
      }
    }
    program = new AProgram(home, { worker: { run } })
    const { id } = await program.start(rooms(60))
    await program.after(60 * minute)
    const { state, waitsFor, counts, underWay } = await statusOf(program, id)
    expect({ state, waitsFor, counts: { ...counts, done: 0 }, underWay, few: asked <= 18 }).toEqual({
      state: 'paused',
      waitsFor: 'key',
      counts: nobody,
      underWay: 0,
      few: true,
    })
  })
})

describe('offline', () => {
  const reads = (): void => {
    program = new AProgram(home, {
      worker: {
        run: async (item, tools) => {
          tools.called()
          return program.connection === 'offline'
            ? { kind: 'again', at: null, waitsFor: 'offline', failure: offline }
            : program.run(item, tools)
        },
      },
    })
  }

  it('a job waits without sending, checks every half minute, and continues when the connection is back', async () => {
    reads()
    program.connection = 'offline'
    const { id } = await program.start(rooms(20))
    await program.after(5 * minute)
    expect(await program.jobs.get(id)).toMatchObject({ state: 'running', waitsFor: 'offline', callsUsed: 11 })
    program.connection = 'online'
    for (const listener of program.reached) listener()
    await program.after(1_000)
    expect([program.sent.length, (await program.jobs.get(id)).state]).toEqual([20, 'ended'])
  })

  it('pauses after a quarter of an hour: nothing is sent later automatically', async () => {
    reads()
    program.connection = 'offline'
    const { id } = await program.start(rooms(20))
    await program.after(16 * minute)
    expect(await statusOf(program, id)).toMatchObject({ state: 'paused', waitsFor: 'offline' })
    program.connection = 'online'
    for (const listener of program.reached) listener()
    await program.after(60 * minute)
    expect(program.sent).toEqual([])
  })

  it('pauses when the computer wakes after hours: only the wall clock advanced', async () => {
    reads()
    program.connection = 'offline'
    const { id } = await program.start(rooms(20))
    await program.after(minute)
    program.clock.jumpWall(180 * minute)
    await program.after(minute)
    expect(await statusOf(program, id)).toMatchObject({ state: 'paused', waitsFor: 'offline' })
    program.connection = 'online'
    for (const listener of program.reached) listener()
    await program.after(60 * minute)
    expect(program.sent).toEqual([])
  })

  it('a write in flight is rejected and not sent later', async () => {
    program.send = failing(offline)
    program.connection = 'offline'
    const { id } = await program.start(rooms(2))
    await program.after(0)
    program.connection = 'online'
    program.send = answered(200)
    await program.after(minute)
    expect((await program.items(id)).map(({ outcome, failure }) => [outcome, failure?.kind])).toEqual([
      ['failed', 'offline'],
      ['done', undefined],
    ])
  })
})
