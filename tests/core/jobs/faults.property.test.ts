import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import { jobOutcomes } from '../../../electron/contract/job.ts'
import type { JobItem } from '../../../electron/contract/api/jobs.ts'
import { openCallBudget } from '../../../electron/core/call-budget/call-budget.ts'
import type { WireResponse, WireFault } from '../../../electron/core/platform.ts'
import { openManagementClient } from '../../../electron/core/service-client/service-client.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { answer, FakeTransport } from '../../fake-transport.ts'
import { aFault, aWrite, TwoKeys } from '../service-client/a-request.ts'
import { cases } from '../../setup/cases.ts'
import { AHome, AProgram, rooms } from './a-bench.ts'

/** What the service, or the network, does with a write; `hangs`: no response before the time-out. */
const faults = [
  '200',
  '202',
  '404',
  '400',
  '403',
  '429',
  '500',
  '503',
  'html',
  'offline',
  'cut',
  'hangs',
  '401',
] as const
type Fault = (typeof faults)[number]
const events = [
  'nothing',
  'pause',
  'resume',
  'cancel',
  'lock',
  'lock starting',
  'kill',
  'close',
  'sleep',
  'clock back',
  'clock forward',
] as const
type Event = (typeof events)[number]

interface Attempt {
  readonly item: string
  readonly fault: Fault
  readonly afterCancel: boolean
}

const wireOf = (fault: Fault): WireResponse | WireFault => {
  if (fault === 'offline') return aFault('offline', 'no')
  if (fault === 'cut') return aFault('broken', 'maybe')
  if (fault === 'hangs') return aFault('timeout', 'maybe')
  if (fault === 'html') return { ...answer(200, '<html>'), headers: { 'content-type': 'text/html' } }
  return answer(Number(fault), '', fault === '429' ? { 'retry-after': '2' } : {})
}

/** One home, one service with these faults, and successive programs. */
class World {
  readonly clock = new FakeClock()
  readonly attempts: Attempt[] = []
  readonly #faults: readonly Fault[]
  cancelled = false
  program!: AProgram
  home!: AHome
  constructor(ofAttempts: readonly Fault[]) {
    this.#faults = ofAttempts
  }

  async begin(): Promise<void> {
    this.home ??= await AHome.open()
    const clock = this.clock
    const program = new AProgram(this.home, { clock })
    const { own } = program
    const transport = new FakeTransport(async ({ url, signal }) => {
      const fault = this.#faults[this.attempts.length % this.#faults.length] ?? '200'
      this.attempts.push({ item: url.split('/').at(-2) ?? '', fault, afterCancel: this.cancelled })
      const lasts = fault === 'hangs' ? 90_000 : 700
      return new Promise((resolve) => {
        own.after(lasts, () => resolve(wireOf(fault)))
        signal?.addEventListener('abort', () => resolve(aFault('aborted', 'maybe')))
      })
    })
    const budget = await openCallBudget({ clock: own, random: () => 0, history: null })
    const client = openManagementClient({
      transport,
      budget,
      clock: own,
      random: () => 1,
      baseUrl: 'https://api.example/',
      apiVersion: 2,
      keys: new TwoKeys({ primary: 'the-key-of-this-organization' }),
    })
    program.connection = 'online'
    program.send = (item, signal, beforeDispatch) =>
      client.send(
        aWrite({
          path: `/rooms/${item.target.id}/reboot`,
          signal,
          beforeDispatch,
        }),
      )
    program.passBudget(budget)
    this.program = program
  }

  async do(event: Event, id: string): Promise<void> {
    const { program, clock } = this
    const { jobs } = program
    const asked = async (work: () => Promise<unknown>): Promise<void> => {
      await work().catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error
      })
    }
    if (event === 'pause') await asked(() => jobs.pause(id))
    if (event === 'resume') await asked(() => jobs.resume({ id, unlock: true }))
    if (event === 'cancel') {
      await asked(async () => {
        const { state } = await jobs.cancel(id)
        this.cancelled = state === 'stopping' || state === 'ended'
      })
    }
    if (event === 'lock') program.writes.lockNow()
    if (event === 'lock starting') program.writes.lockNow('starting')
    if (event === 'kill') {
      program.kill()
      await this.begin()
    }
    if (event === 'close') {
      const closed = program.close()
      await clock.advance(10_000)
      await closed
      await this.begin()
    }
    if (event === 'sleep') clock.jumpWall(3 * 3_600_000)
    if (event === 'clock back') clock.jumpWall(-2 * 3_600_000)
    if (event === 'clock forward') clock.jumpWall(40_000)
  }
}

/** Outcomes in which something was certainly or possibly changed. */
const counts: ReadonlySet<Fault> = new Set(['200', '202', '500', '503', 'html', 'cut', 'hangs'])

it('with any faults, pauses, locks, cancels and restarts every item has one of five outcomes, and no room restarts twice', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        asked: fc.integer({ min: 1, max: 24 }),
        keepTrying: fc.boolean(),
        faults: fc.array(
          fc.oneof(
            { weight: 6, arbitrary: fc.constant<Fault>('200') },
            { weight: 5, arbitrary: fc.constantFrom(...faults) },
          ),
          {
            minLength: 1,
            maxLength: 30,
          },
        ),
        events: fc.array(
          fc.record({
            event: fc.constantFrom(...events),
            afterInMs: fc.constantFrom(0, 1, 300, 800, 2_500, 25_000),
          }),
          { maxLength: 8 },
        ),
      }),
      async ({ asked, keepTrying, faults: ofAttempts, events: happening }) => {
        const world = new World(ofAttempts)
        await world.begin()
        const { id } = await world.program.start(rooms(asked), { keepTrying })
        for (const { event, afterInMs } of happening) {
          await world.clock.advance(afterInMs)
          await world.do(event, id)
          await settle(60)
        }
        // A technician resumes the job until it ends.
        for (let turn = 0; turn < 60; turn++) {
          const { state, waitsFor } = await world.program.jobs.get(id)
          if (state === 'ended') break
          // The technician enters another key.
          if (waitsFor === 'key') await world.do('close', id)
          if (state === 'paused') await world.do('resume', id)
          await settle(60)
          await world.clock.advance(30_000)
        }
        const job = await world.program.jobs.get(id)
        const items = await world.program.items(id)
        const { attempts } = world
        const wasKilled = happening.some(({ event }) => event === 'kill')
        const sum = jobOutcomes.reduce((all, outcome) => all + job.counts[outcome], 0)
        expect([job.state, sum, job.asked, job.underWay]).toEqual(['ended', asked, asked, 0])
        expect(job.counts).toEqual(
          Object.fromEntries(
            jobOutcomes.map((outcome) => [outcome, items.filter((item) => item.outcome === outcome).length]),
          ),
        )
        expect(attempts.filter(({ afterCancel }) => afterCancel)).toEqual([])
        for (const item of items) {
          const own = attempts.filter(({ item: of }) => of === item.target.id)
          const reported = JSON.stringify({ item, own })
          expect(own.filter(({ fault }) => counts.has(fault)).length, reported).toBeLessThanOrEqual(1)
          // Only a 429 of a job with "keep trying" is followed by another attempt.
          const before = own.slice(0, -1).map(({ fault }) => fault)
          expect(
            before.every((fault) => fault === '429' && keepTrying),
            reported,
          ).toBe(true)
          expect(mayEndSo(item, own, wasKilled), reported).toBe(true)
          seen.set(String(item.outcome), (seen.get(String(item.outcome)) ?? 0) + 1)
        }
        const lines = await world.home.rows('SELECT reference FROM journal_begin')
        expect(new Set(lines.map((line) => line['reference'])).size).toBe(lines.length)
        expect(lines.length).toBeGreaterThanOrEqual(attempts.length)
        expect(world.program.lines.filter((line) => line.startsWith('error'))).toEqual([])
        // Memory outside the heap: a thousand homes would stay until a garbage collection.
        await world.home.close()
      },
    ),
    { numRuns: cases(1_000) },
  )
  // The runs covered every result of this service.
  expect([...seen.keys()].sort()).toEqual(['done', 'failed', 'not-found', 'unknown'])
})

/** The reported result of an item is what happened to it. */
function mayEndSo({ outcome }: JobItem, own: readonly Attempt[], wasKilled: boolean): boolean {
  const last = own.at(-1)?.fault
  if (outcome === 'done') return last === '200' || last === '202'
  if (outcome === 'not-found') return last === '404'
  // The program may have ended before the response arrived, or immediately before sending: the journal line
  // alone does not show which.
  if (outcome === 'unknown') return last !== undefined || wasKilled
  return last === undefined || !counts.has(last)
}
