import { beforeEach, describe, expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { AHome, AProgram, answered, rooms } from './a-bench.ts'
import { nobody, slow, statusOf } from './asking-a-program.ts'
import { failureOf } from '../../failure-of.ts'

const minute = 60_000

let home: AHome
let program: AProgram
beforeEach(async () => {
  home = await AHome.open()
  program = new AProgram(home)
})

describe('pause, resume, cancel', () => {
  it('a paused job sends nothing more, writes in flight end, and it continues without unlocking', async () => {
    const service = slow()
    program.send = service.send
    const { id } = await program.start(rooms(20))
    await program.after(0)
    await program.jobs.pause(id)
    service.answer()
    await program.after(60 * minute)
    expect(await statusOf(program, id)).toEqual({
      state: 'paused',
      waitsFor: 'paused',
      counts: { ...nobody, done: 16 },
      underWay: 0,
    })
    program.send = answered(200)
    await program.jobs.resume({ id, unlock: false })
    await program.after(0)
    expect(await statusOf(program, id)).toMatchObject({ state: 'ended', counts: { done: 20 } })
  })

  it('a cancelled job sends nothing more, and waits for writes in flight', async () => {
    const service = slow()
    program.send = service.send
    const { id } = await program.start(rooms(20))
    await program.after(0)
    expect(await program.jobs.cancel(id)).toMatchObject({
      state: 'stopping',
      underWay: 16,
      counts: { failed: 4 },
      retryable: 4,
    })
    service.answer()
    await program.after(60 * minute)
    expect(await statusOf(program, id)).toEqual({
      state: 'ended',
      waitsFor: null,
      counts: { ...nobody, done: 16, failed: 4 },
      underWay: 0,
    })
    expect(
      (await program.items(id)).filter(({ detail }) => detail === 'cancelled').map(({ target }) => target.id),
    ).toEqual(['R17', 'R18', 'R19', 'R20'])
  })

  it.each([
    ['a cancel', (id: string) => program.jobs.cancel(id), { state: 'ended', counts: { failed: 3 } }],
    [
      'a pause, after which its item can continue',
      (id: string) => program.jobs.pause(id),
      { state: 'paused', counts: nobody, underWay: 0 },
    ],
  ])('a write waiting in the call budget is not sent after %s', async (_, stop, expected) => {
    program.send = (_item, signal, beforeDispatch) =>
      new Promise((resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Failed({ kind: 'cancelled' })))
        program.clock.after(5 * minute, () => {
          beforeDispatch().then(() => resolve({ status: 200 }), reject)
        })
      })
    const { id } = await program.start(rooms(3))
    await program.after(minute)
    await stop(id)
    await program.after(10 * minute)
    expect([program.sent, await statusOf(program, id)]).toMatchObject([[], expected])
  })

  it('a job that is cancelled while it resumes is cancelled', async () => {
    const service = slow()
    program.send = service.send
    const { id } = await program.start(rooms(20))
    await program.after(0)
    await program.jobs.pause(id)
    const { promise: slowDisk, resolve: written } = Promise.withResolvers<void>()
    const { promise: begins, resolve: writes } = Promise.withResolvers<void>()
    const write = home.workbook.write.bind(home.workbook)
    home.workbook.write = async (work) => {
      home.workbook.write = write
      writes()
      const result = await write(work)
      await slowDisk
      return result
    }
    const resumed = program.jobs.resume({ id, unlock: false })
    await begins
    await program.jobs.cancel(id)
    written()
    await resumed
    expect(await statusOf(program, id)).toMatchObject({
      state: 'stopping',
      underWay: 16,
      counts: { failed: 4 },
    })
    service.answer()
    await program.after(0)
    expect(await statusOf(program, id)).toMatchObject({ state: 'ended', counts: { done: 16, failed: 4 } })
  })

  it('a job whose cancelling cannot be stored sends nothing, and ends when the file can be written again', async () => {
    const { id } = await program.start(rooms(2), { startAt: program.clock.now() + minute })
    const full = { kind: 'cache-unusable', file: 'workbook', reason: 'disk-full', message: 'full' } as const
    home.workbook.fail = () => new Failed(full)
    const before = program.reported.length
    expect([await failureOf(program.jobs.cancel(id)), program.reported.slice(before)]).toEqual([full, [id]])
    await program.after(2 * minute)
    expect([program.sent, await statusOf(program, id)]).toMatchObject([[], { state: 'stopping' }])
    home.workbook.fail = null
    await program.after(minute)
    expect([program.sent, await statusOf(program, id)]).toMatchObject([
      [],
      { state: 'ended', counts: { failed: 2 } },
    ])
  })

  it('a job without sent items ends at once when it is cancelled', async () => {
    const { id } = await program.start(rooms(2), { startAt: program.clock.now() + minute })
    expect(await program.jobs.cancel(id)).toMatchObject({ state: 'ended', counts: { failed: 2 } })
    expect(await failureOf(program.jobs.resume({ id, unlock: true }))).toMatchObject({
      kind: 'invalid',
      field: 'id',
    })
  })
})
