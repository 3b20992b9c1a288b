import { beforeEach, describe, expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import { operations } from '../../../electron/contract/operations.ts'
import type { PlannedWrite } from '../../../electron/core/writes/writes.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { aProgram, aWrite, type AProgram } from './a-writes.ts'
import { failureOf } from '../../failure-of.ts'

const call = { operation: 'RebootRoom', host: 'fake' }
const minute = 60_000
let clock: FakeClock
let program: AProgram
beforeEach(() => {
  clock = new FakeClock()
  program = aProgram(clock)
})

/** Counts the writes that reach the service. */
const counting = (ending: Failure | null = null): { sent: number; readonly send: PlannedWrite['send'] } => {
  const counted = {
    sent: 0,
    send: async (_signal: AbortSignal | null, beforeDispatch: () => Promise<void>) => {
      await beforeDispatch()
      counted.sent++
      if (ending !== null) throw new Failed(ending)
      return { status: 200 }
    },
  }
  return counted
}

describe('the window of a write', () => {
  const opensAt = (): number => clock.now() + 60 * minute
  it('is checked last: closed meanwhile, nothing is sent, and no line and no slot is left', async () => {
    let isOpen = true
    const service = counting()
    const report = await program.writes.execute(
      aWrite({
        window: { isOpen: () => isOpen, opensAt },
        send: (signal, beforeDispatch) => {
          isOpen = false
          return service.send(signal, beforeDispatch)
        },
      }),
    )
    expect(report).toEqual({ outcome: 'waiting', failure: null, earliestAt: opensAt(), journalId: null })
    expect([service.sent, program.journal.begun, program.writes.earliest(['D1', 'D2'])]).toEqual([
      0,
      [],
      null,
    ])
  })
  it('may close after the line: a second attempt with another key is the same write', async () => {
    let isOpen = true
    const report = await program.writes.execute(
      aWrite({
        window: { isOpen: () => isOpen, opensAt },
        send: async (_signal, beforeDispatch) => {
          await beforeDispatch()
          isOpen = false
          await beforeDispatch()
          return { status: 200 }
        },
      }),
    )
    expect([report.outcome, report.journalId]).toEqual(['accepted', 1])
  })
})

describe('the lock', () => {
  it.each(operations.filter(({ effect }) => effect !== null).map((operation) => operation.name))(
    'rejects %s while locked: nothing is sent, no slot is reserved, nothing is in the journal',
    async (operation) => {
      const service = counting()
      expect(
        await failureOf(program.writes.execute(aWrite({ operation, unlock: false, send: service.send }))),
      ).toEqual({ kind: 'writes-locked' })
      expect([service.sent, program.journal.begun, program.writes.earliest(['D1', 'D2'])]).toEqual([
        0,
        [],
        null,
      ])
    },
  )

  it.each(operations.filter(({ effect }) => effect === null).map((operation) => operation.name))(
    'never accepts %s, which only reads, as a write',
    async (operation) => {
      const service = counting()
      expect(
        await failureOf(program.writes.execute(aWrite({ operation, send: service.send }))),
      ).toMatchObject({
        kind: 'invalid',
        field: 'operation',
      })
      expect(service.sent).toBe(0)
    },
  )

  it('is unlocked by a confirmed write, for a quarter of an hour from the last start', async () => {
    const heard: boolean[] = []
    program.writes.onChange(() => heard.push(program.writes.lock().unlocked))
    expect(program.writes.lock()).toEqual({ unlocked: false, untilAt: null })
    await program.writes.execute(aWrite())
    expect(program.writes.lock()).toEqual({ unlocked: true, untilAt: clock.now() + 15 * minute })
    await clock.advance(10 * minute)
    await program.writes.execute(aWrite({ unlock: false }))
    expect(program.writes.lock()).toEqual({ unlocked: true, untilAt: clock.now() + 15 * minute })
    await clock.advance(15 * minute - 1)
    expect(program.writes.lock().unlocked).toBe(true)
    await clock.advance(1)
    expect(program.writes.lock()).toEqual({ unlocked: false, untilAt: null })
    expect(await failureOf(program.writes.execute(aWrite({ unlock: false })))).toEqual({
      kind: 'writes-locked',
    })
    expect(heard).toEqual([true, true, false])
  })

  it('is unlocked for a quarter of an hour from the start of a job, too', async () => {
    program.writes.unlock()
    await clock.advance(14 * minute)
    await program.writes.authorize(false, { action: 'reboot-rooms', count: 1 })
    expect(program.writes.lock()).toEqual({ unlocked: true, untilAt: clock.now() + 15 * minute })
  })

  it('asks before each start until a person has confirmed one, and again after it closed', async () => {
    const [asked, answers] = [[] as unknown[], ['no', 'once', 'once', 'yes', 'no'] as const]
    const asking = aProgram(clock, undefined, {
      mayUnlock: async (start) => answers[asked.push(start) - 1]!,
    })
    const reboot = { action: 'reboot-rooms', count: 40 }
    const started: unknown[] = []
    const start = async (work: Promise<unknown>): Promise<void> =>
      void started.push([
        await work.then(
          () => 'started',
          (error: Failed) => error.failure.kind,
        ),
        asked.length,
      ])
    await start(asking.writes.execute(aWrite({ deviceIds: ['D1'] })))
    await start(asking.writes.execute(aWrite({ deviceIds: ['D1'] })))
    await start(asking.writes.execute(aWrite({ deviceIds: ['D2'], unlock: false })))
    await start(asking.writes.authorize(true, reboot))
    await start(asking.writes.authorize(false, reboot))
    await start(asking.writes.execute(aWrite({ deviceIds: ['D3'], unlock: false })))
    asking.writes.lockNow()
    await start(asking.writes.execute(aWrite({ deviceIds: ['D4'] })))
    expect([started, asked[0], asked[3]]).toEqual([
      [
        ['writes-locked', 1],
        ['started', 2],
        ['started', 3],
        ['started', 4],
        ['started', 4],
        ['started', 4],
        ['writes-locked', 5],
      ],
      { organization: 'Nordlys', action: 'RebootRoom', count: 1 },
      { organization: 'Nordlys', ...reboot },
    ])
  })

  it('closes sooner when a policy shortens an unlock that has begun', () => {
    let lasts = 15 * minute
    const policy = { unlockedForInMs: () => lasts, refusal: () => null, begins: () => undefined }
    const { writes } = aProgram(clock, undefined, { policy })
    writes.unlock()
    lasts = 10 * minute
    writes.followPolicy()
    expect(writes.lock()).toEqual({ unlocked: true, untilAt: clock.now() + 10 * minute })
  })

  it('ends with sleep, which timers do not notice', () => {
    program.writes.unlock()
    clock.jumpWall(15 * minute)
    expect(program.writes.lock()).toEqual({ unlocked: false, untilAt: null })
  })

  it('locked while a write waits for its minute prevents sending it', async () => {
    const service = counting()
    await program.writes.execute(aWrite())
    const waiting = failureOf(program.writes.execute(aWrite({ wait: true, send: service.send })))
    await clock.advance(30_000)
    program.writes.lockNow()
    await clock.advance(60_000)
    expect([await waiting, service.sent]).toEqual([{ kind: 'writes-locked' }, 0])
  })
})

describe('write slots', () => {
  it('are reserved for all devices of a room at once or for none', async () => {
    const service = counting()
    await program.writes.execute(aWrite({ deviceIds: ['D2'] }))
    expect(
      await program.writes.execute(aWrite({ deviceIds: ['D1', 'D2', 'D3'], send: service.send })),
    ).toEqual({
      outcome: 'waiting',
      failure: null,
      earliestAt: clock.now() + 61_000,
      journalId: null,
    })
    expect([service.sent, program.writes.earliest(['D1', 'D3']), program.journal.begun.length]).toEqual([
      0,
      null,
      1,
    ])
  })

  it('are free 61 s after the end of the last write, not after its start', async () => {
    let answer = (): void => undefined
    const slow = program.writes.execute(
      aWrite({
        send: async (_signal, beforeDispatch) => {
          await beforeDispatch()
          return new Promise((resolve) => (answer = () => resolve({ status: 200 })))
        },
      }),
    )
    await clock.advance(80_000)
    expect((await program.writes.execute(aWrite())).outcome).toBe('waiting')
    answer()
    await slow
    expect(program.writes.earliest(['D1'])).toBe(clock.now() + 61_000)
    await clock.advance(60_999)
    expect((await program.writes.execute(aWrite())).outcome).toBe('waiting')
    await clock.advance(1)
    expect((await program.writes.execute(aWrite())).outcome).toBe('accepted')
  })

  it('are waited for on request, and the room is read again afterwards', async () => {
    const sent: string[] = []
    await program.writes.execute(aWrite({ deviceIds: ['D1'] }))
    const waiting = program.writes.execute(
      aWrite({
        deviceIds: ['D1', 'D2'],
        wait: true,
        deviceIdsAgain: async () => ['D1', 'D9'],
        send: async (_signal, beforeDispatch) => {
          await beforeDispatch()
          sent.push(`at ${clock.monotonic()}`)
          return { status: 202 }
        },
      }),
    )
    await clock.advance(60_000)
    expect(sent).toEqual([])
    await clock.advance(2_000)
    expect([(await waiting).outcome, sent]).toEqual(['accepted', ['at 61000']])
    expect(program.journal.begun.at(-1)).toMatchObject({ deviceIds: ['D1', 'D9'] })
    expect([program.writes.earliest(['D2']), program.writes.earliest(['D9'])]).toEqual([
      null,
      clock.now() + 60_000,
    ])
  })

  it('are waited for, and what is sent and noted is what is found afterwards', async () => {
    const [first, again] = [counting(), counting()]
    const found = { before: 'b=2', after: 'b=3', send: again.send }
    const write = aWrite({
      wait: true,
      before: 'b=1',
      after: 'b=3',
      send: first.send,
      again: async () => found,
    })
    await program.writes.execute(write)
    expect([first.sent, again.sent]).toEqual([1, 0])
    const waiting = program.writes.execute(write)
    await clock.advance(62_000)
    expect([(await waiting).outcome, first.sent, again.sent]).toEqual(['accepted', 1, 1])
    expect(program.journal.begun.map(({ before }) => before)).toEqual(['b=1', 'b=2'])
  })

  it('are free again if what is to be sent cannot be found after the wait', async () => {
    const refused: Failure = { kind: 'invalid', field: 'settings.b', message: 'gone' }
    await program.writes.execute(aWrite())
    const waiting = failureOf(
      program.writes.execute(aWrite({ wait: true, again: () => Promise.reject(new Failed(refused)) })),
    )
    await clock.advance(62_000)
    expect([await waiting, program.writes.earliest(['D1', 'D2']), program.journal.begun.length]).toEqual([
      refused,
      null,
      1,
    ])
  })

  it.each(['d4-0', ' D4-0', 'D4-0 ', '\td4-0\n'])(
    'are shared by all spellings of a device id: %j',
    async (spelled) => {
      await program.writes.execute(aWrite({ deviceIds: ['D4-0'] }))
      expect((await program.writes.execute(aWrite({ deviceIds: [spelled] }))).outcome).toBe('waiting')
      expect(program.writes.earliest([spelled])).toBe(clock.now() + 61_000)
      await clock.advance(61_000)
      expect((await program.writes.execute(aWrite({ deviceIds: [spelled, 'D4-0'] }))).outcome).toBe(
        'accepted',
      )
    },
  )

  it('of a write that lasts are kept, also of one id in two spellings', async () => {
    const send: PlannedWrite['send'] = async (_signal, beforeDispatch) => {
      await beforeDispatch()
      return new Promise(() => undefined)
    }
    void program.writes.execute(aWrite({ deviceIds: ['D1', 'd1 '], send }))
    await clock.advance(20 * minute)
    expect([
      (await program.writes.execute(aWrite({ deviceIds: ['D1'] }))).outcome,
      program.writes.earliest(['D1']),
    ]).toEqual(['waiting', clock.now() + 61_000])
  })

  it.each<Failure>([
    { kind: 'offline', call, message: 'no network' },
    { kind: 'timed-out', call, afterInMs: 90_000 },
    { kind: 'key-missing' },
    {
      kind: 'key-not-bound',
      slot: 'primary',
      boundTo: 'https://other.example',
      wouldGoTo: 'https://api.example',
    },
    { kind: 'key-unreadable', slot: 'primary' },
    { kind: 'keychain-unavailable', reason: 'locked', message: 'locked' },
    { kind: 'too-busy', waiting: 50_000 },
  ])('are freed when nothing was sent: $kind', async (failure) => {
    expect(await program.writes.execute(aWrite({ send: counting(failure).send }))).toMatchObject({
      outcome: 'refused',
      failure,
    })
    expect(program.writes.earliest(['D1'])).toBe(null)
  })

  it.each<Failure>([
    { kind: 'rate-limited', call, untilAt: null },
    { kind: 'refused', call, status: 400, message: null },
    { kind: 'not-found', call, what: 'room' },
    { kind: 'key-refused', slot: 'primary', message: null },
    { kind: 'unconfirmed', call, message: 'cut' },
  ])('keep the minute when the service was reached: $kind', async (failure) => {
    await program.writes.execute(aWrite({ send: counting(failure).send }))
    expect(program.writes.earliest(['D1'])).toBe(clock.now() + 61_000)
  })

  it('need device ids: a write without any is rejected', async () => {
    for (const deviceIds of [[], [''], [' ', '\t']])
      expect(await failureOf(program.writes.execute(aWrite({ deviceIds })))).toMatchObject({
        kind: 'invalid',
        field: 'devices',
      })
  })
})

describe('the record of a write', () => {
  it.each<[string, Failure | null, { outcome: string; status: number | null; message: string | null }]>([
    ['accepted', null, { outcome: 'accepted', status: 200, message: null }],
    [
      'refused by the service',
      { kind: 'refused', call, status: 403, message: 'no' },
      { outcome: 'refused', status: 403, message: 'refused: no' },
    ],
    [
      'a room that no longer exists',
      { kind: 'not-found', call, what: 'room' },
      { outcome: 'refused', status: 404, message: 'not-found: room' },
    ],
    [
      'rate limited',
      { kind: 'rate-limited', call, untilAt: 1 },
      { outcome: 'refused', status: 429, message: 'rate-limited' },
    ],
    [
      'the key refused',
      { kind: 'key-refused', slot: 'primary', message: null },
      { outcome: 'refused', status: 401, message: 'key-refused' },
    ],
    [
      'answered by 503',
      { kind: 'unconfirmed', call, message: '503', status: 503 },
      { outcome: 'unconfirmed', status: 503, message: 'unconfirmed: 503' },
    ],
    [
      'without a response',
      { kind: 'unconfirmed', call, message: 'cut' },
      { outcome: 'unconfirmed', status: null, message: 'unconfirmed: cut' },
    ],
  ])('%s: sent once, a journal entry before and after', async (_, failure, entry) => {
    const service = counting(failure)
    const report = await program.writes.execute(aWrite({ send: service.send }))
    expect([service.sent, report]).toEqual([
      1,
      { outcome: entry.outcome, failure, earliestAt: null, journalId: 1 },
    ])
    expect(program.journal.begun).toMatchObject([
      {
        organization: { id: 'org', name: 'Nordlys' },
        operation: 'RebootRoom',
        target: { of: 'room', id: 'room-1', name: 'Aarhus 1' },
        deviceIds: ['D1', 'D2'],
      },
    ])
    expect(program.journal.ended).toEqual([{ id: 1, entry: { ...entry, endedAt: clock.now() } }])
  })

  it('an error of our own while sending counts as unconfirmed, because it may have happened', async () => {
    const report = await program.writes.execute(
      aWrite({
        send: async (_signal, beforeDispatch) => {
          await beforeDispatch()
          throw new TypeError('x is not a function')
        },
      }),
    )
    expect(report).toMatchObject({ outcome: 'unconfirmed', failure: { kind: 'unconfirmed' } })
    expect(program.lines).toEqual(['error A write ended unexpectedly'])
    expect(program.writes.earliest(['D1'])).toBe(clock.now() + 61_000)
  })

  it('without a journal nothing is sent, and the devices stay free', async () => {
    const service = counting()
    const full: Failure = { kind: 'cache-unusable', file: 'workbook', reason: 'disk-full', message: 'full' }
    program.journal.fail = () => new Failed(full)
    expect(await failureOf(program.writes.execute(aWrite({ send: service.send })))).toEqual({
      ...full,
      refusesWrite: true,
    })
    expect([service.sent, program.writes.earliest(['D1'])]).toEqual([0, null])
  })

  it('a journal that fails afterwards does not hide how the write ended, and gets the outcome when it can', async () => {
    const send: PlannedWrite['send'] = async (_signal, beforeDispatch) => {
      await beforeDispatch()
      program.journal.fail = () =>
        new Failed({ kind: 'cache-unusable', file: 'workbook', reason: 'disk-full', message: 'full' })
      return { status: 200 }
    }
    expect((await program.writes.execute(aWrite({ send }))).outcome).toBe('accepted')
    const endedAt = clock.now()
    await clock.advance(25_000)
    const before = [...program.journal.ended]
    program.journal.fail = null
    await clock.advance(10_000)
    expect([before, program.journal.ended.map(({ entry }) => entry), program.lines]).toEqual([
      [],
      [{ outcome: 'accepted', status: 200, message: null, endedAt }],
      ['warn The outcome of a write cannot be saved in the journal yet'],
    ])
  })
})

describe('when the program ends', () => {
  it('waiting writes are cancelled, and no more are accepted', async () => {
    await program.writes.execute(aWrite())
    const service = counting()
    const waiting = failureOf(program.writes.execute(aWrite({ wait: true, send: service.send })))
    await settle(60)
    await program.writes.close()
    expect([await waiting, await failureOf(program.writes.execute(aWrite())), service.sent]).toEqual([
      { kind: 'cancelled' },
      { kind: 'cancelled' },
      0,
    ])
  })

  it('a write in flight has five seconds for its response, then is reported as unconfirmed', async () => {
    const send: PlannedWrite['send'] = async (signal, beforeDispatch) => {
      await beforeDispatch()
      return new Promise((_, reject) =>
        signal?.addEventListener('abort', () =>
          reject(new Failed({ kind: 'unconfirmed', call, message: 'ended' })),
        ),
      )
    }
    const work = program.writes.execute(aWrite({ send }))
    await settle(60)
    const closed = program.writes.close()
    await clock.advance(4_999)
    expect(program.journal.ended).toEqual([])
    await clock.advance(1)
    await closed
    expect([(await work).outcome, program.journal.ended.length]).toEqual(['unconfirmed', 1])
  })
})
