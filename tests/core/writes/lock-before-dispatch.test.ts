import { beforeEach, describe, expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { ServiceRequest } from '../../../electron/core/service-client/service-client.ts'
import type { PlannedWrite } from '../../../electron/core/writes/writes.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { answer } from '../../fake-transport.ts'
import { aManagementClient, aRead, aWrite as aWriteRequest, type Bench } from '../service-client/a-request.ts'
import { aProgram, aWrite, type AProgram } from './a-writes.ts'

const minute = 60_000
const locked = { kind: 'writes-locked' }

describe('a write that waits in the call budget', () => {
  let bench: Bench
  let program: AProgram
  let send: PlannedWrite['send']
  const writesSent = (): number =>
    bench.transport.attempts.filter(({ freshConnection }) => freshConnection).length

  /** The service returned 429 with ten minutes: all calls with this key are paused. */
  beforeEach(async () => {
    bench = await aManagementClient((_, index) =>
      index === 0 ? answer(429, '', { 'retry-after': '600' }) : answer(200, ''),
    )
    program = aProgram(bench.clock)
    send = (signal, beforeDispatch) => bench.client.send(aWriteRequest({ signal, beforeDispatch }))
    void bench.client.send(aRead({ once: true })).catch(() => undefined)
    await settle(60)
  })

  it('is not sent once the technician locks, nor later; it has no journal line, and the devices are free', async () => {
    const work = program.writes.execute(aWrite({ send }))
    await settle(60)
    program.writes.lockNow()
    await settle(60)
    expect(await work).toEqual({ outcome: 'refused', failure: locked, earliestAt: null, journalId: null })
    await bench.clock.advance(20 * minute)
    expect([writesSent(), program.journal.begun, program.writes.earliest(['D1'])]).toEqual([0, [], null])
  })

  it('is not sent when the unlocked time ends first', async () => {
    const work = program.writes.execute(aWrite({ send }))
    await bench.clock.advance(5 * minute)
    bench.budget.pauseUntil(bench.clock.now() + 12 * minute)
    await bench.clock.advance(10 * minute)
    expect(await work).toMatchObject({ outcome: 'refused', failure: locked })
    await bench.clock.advance(20 * minute)
    expect(writesSent()).toBe(0)
  })

  it('is not sent when sleep ended the lock without a timer event', async () => {
    const work = program.writes.execute(aWrite({ send }))
    await settle(60)
    bench.clock.jumpWall(15 * minute)
    await bench.clock.advance(11 * minute)
    expect([await work, writesSent()]).toMatchObject([{ outcome: 'refused', failure: locked }, 0])
  })

  it.each<Failure>([
    { kind: 'cache-unusable', file: 'workbook.sqlite', reason: 'unknown', message: 'replaced' },
    { kind: 'data-folder', reason: 'replaced', holder: null, detail: null },
  ])('is not sent when its journal entry could not be stored: $kind', async (storageProblem) => {
    const work = program.writes.execute(aWrite({ send }))
    await settle(60)
    program.storageProblem = storageProblem
    await bench.clock.advance(11 * minute)
    const refusesWrite = storageProblem.kind === 'cache-unusable' ? { refusesWrite: true } : {}
    expect([await work, writesSent()]).toMatchObject([
      { outcome: 'refused', failure: { ...storageProblem, ...refusesWrite } },
      0,
    ])
  })

  it('is sent when it is not locked, and has its journal line only then', async () => {
    const work = program.writes.execute(aWrite({ send }))
    await bench.clock.advance(9 * minute)
    const before = program.journal.begun.length
    await bench.clock.advance(2 * minute)
    expect([before, (await work).outcome, writesSent(), program.journal.begun.length]).toEqual([
      0,
      'accepted',
      1,
      1,
    ])
  })

  it('is cancelled at once when the program ends', async () => {
    const work = program.writes.execute(aWrite({ send }))
    await settle(60)
    await program.writes.close()
    expect([await work, writesSent()]).toMatchObject([
      { outcome: 'refused', failure: { kind: 'cancelled' } },
      0,
    ])
  })
})

it('a write that waits for its minute ends at once when everything is locked, and reserves nothing', async () => {
  const clock = new FakeClock()
  const program = aProgram(clock)
  await program.writes.execute(aWrite({ deviceIds: ['D1'] }))
  const waiting = program.writes.execute(aWrite({ deviceIds: ['D1'], wait: true })).then(
    () => 'sent',
    (error: unknown) => (error instanceof Failed ? error.failure : error),
  )
  await settle(60)
  program.writes.lockNow()
  await settle(60)
  expect([await waiting, program.journal.begun.length]).toEqual([locked, 1])
})

it('locking does not interrupt a write in flight', async () => {
  let reply = (): void => undefined
  const { clock, client } = await aManagementClient(
    ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () =>
          resolve({ kind: 'fault', reason: 'aborted', sent: 'maybe', message: 'cut' }),
        )
        reply = () => resolve(answer(200, ''))
      }),
  )
  const program = aProgram(clock)
  const work = program.writes.execute(
    aWrite({ send: (signal, beforeDispatch) => client.send(aWriteRequest({ signal, beforeDispatch })) }),
  )
  await settle(60)
  program.writes.lockNow()
  await settle(60)
  reply()
  expect((await work).outcome).toBe('accepted')
})

it('locking while the other key is tried prevents the second attempt', async () => {
  const { clock, client, transport } = await aManagementClient((_, index) => {
    if (index === 0) program.writes.lockNow()
    return answer(index === 0 ? 401 : 200, '')
  })
  const program = aProgram(clock)
  const work = program.writes.execute(
    aWrite({ send: (signal, beforeDispatch) => client.send(aWriteRequest({ signal, beforeDispatch })) }),
  )
  await clock.advance(1_000)
  expect([await work, transport.attempts.length]).toMatchObject([{ outcome: 'refused', failure: locked }, 1])
})

it('locking while the journal begins its entry sends nothing', async () => {
  const program = aProgram(new FakeClock())
  const begin = program.journal.begin.bind(program.journal)
  program.journal.begin = (entry) => {
    program.writes.lockNow()
    return begin(entry)
  }
  let sent = 0
  const send: PlannedWrite['send'] = async (_signal, beforeDispatch) => {
    await beforeDispatch()
    return { status: 200 + 0 * sent++ }
  }
  expect([await program.writes.execute(aWrite({ send })), sent, program.journal.ended]).toMatchObject([
    { outcome: 'refused', failure: locked },
    0,
    [{ id: 1, entry: { outcome: 'refused', status: null, message: 'writes-locked' } }],
  ])
})

it('an error before the attempt frees its place in the budget, and nothing is sent', async () => {
  const { transport, run } = await aManagementClient(() => answer(200, ''))
  const refused: Failure = { kind: 'writes-locked' }
  const beforeDispatch: ServiceRequest['beforeDispatch'] = () => Promise.reject(new Failed(refused))
  expect([(await run(aWriteRequest({ beforeDispatch }))).failure, transport.attempts]).toEqual([refused, []])
})

it('the room is read again after any wait, also when the devices are free earlier than expected', async () => {
  const clock = new FakeClock()
  const { writes, journal } = aProgram(clock)
  let fail = (): void => undefined
  const offline: Failure = { kind: 'offline', call: { operation: 'RebootRoom', host: 'fake' }, message: '' }
  void writes.execute(
    aWrite({
      deviceIds: ['D1'],
      send: () => new Promise((_, reject) => (fail = () => reject(new Failed(offline)))),
    }),
  )
  await settle(60)
  let again = 0
  const deviceIdsAgain = async (): Promise<readonly string[]> => {
    again++
    return ['D1', 'D9']
  }
  const waiting = writes.execute(aWrite({ deviceIds: ['D1'], wait: true, deviceIdsAgain }))
  await clock.advance(80_000)
  fail()
  await clock.advance(6_000)
  expect([(await waiting).outcome, again, journal.begun.at(-1)?.deviceIds]).toEqual([
    'accepted',
    1,
    ['D1', 'D9'],
  ])
})
