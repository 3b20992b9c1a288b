import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { PlannedWrite } from '../../../electron/core/writes/writes.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { LedgerDatabase } from '../call-budget/ledger-database.ts'
import { cases } from '../../setup/cases.ts'
import { aProgram, aWrite, type AProgram } from './a-writes.ts'

const place = { operation: 'RebootRoom', host: 'fake' }
const endings: readonly (Failure | null)[] = [
  null,
  { kind: 'unconfirmed', call: place, message: 'no answer' },
  { kind: 'refused', call: place, status: 400, message: null },
  { kind: 'rate-limited', call: place, untilAt: null },
]

interface Sent {
  readonly devices: readonly string[]
  readonly startedAt: number
  endedAt: number
}

const devices = ['D1', 'D2', 'D3', 'D4']
const write = fc.record({
  do: fc.constant('write' as const),
  program: fc.nat(2),
  devices: fc.subarray(devices, { minLength: 1 }),
  operation: fc.constantFrom('RebootRoom', 'UpdateDeviceSettings'),
  wait: fc.boolean(),
  /** The service-client ends a write after 90 s. */
  lasts: fc.constantFrom(0, 40, 5_000, 31_000, 90_000),
  ending: fc.constantFrom(...endings),
})
const step = fc.oneof(
  { weight: 6, arbitrary: write },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('time' as const),
      inMs: fc.constantFrom(1, 900, 20_000, 59_000, 61_000, 70_000, 200_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), program: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const), program: fc.nat(2) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set back' as const),
      byInMs: fc.constantFrom(30_000, 3_600_000),
    }),
  },
)

it('R4: 60 s pass between the end of one write to a device and the start of the next, over programs, restarts, kills and clocks set back', async () => {
  const numRuns = cases(600)
  let sendings = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const clock = new FakeClock()
      const ledger = new LedgerDatabase()
      const sent: Sent[] = []
      const programs: AProgram[] = [0, 1, 2].map(() => aProgram(clock, ledger))
      for (const one of steps) {
        if (one.do === 'time') await clock.advance(one.inMs)
        else if (one.do === 'set back') clock.jumpWall(-one.byInMs)
        else if (one.do === 'write') {
          const program = programs[one.program]!
          const send: PlannedWrite['send'] = (signal, beforeDispatch) => {
            beforeDispatch?.()
            const attempt: Sent = {
              devices: one.devices,
              startedAt: clock.monotonic(),
              endedAt: clock.monotonic() + one.lasts,
            }
            sent.push(attempt)
            return new Promise((resolve, reject) => {
              program.clock.after(one.lasts, () =>
                one.ending === null ? resolve({ status: 200 }) : reject(new Failed(one.ending)),
              )
              signal?.addEventListener('abort', () => reject(new Failed(endings[1]!)))
            })
          }
          void program.writes
            .execute(aWrite({ operation: one.operation, deviceIds: one.devices, wait: one.wait, send }))
            .catch(() => undefined)
          await settle(60)
        } else {
          const program = programs[one.program]!
          if (one.do === 'close') void program.writes.close()
          else program.clock.killed = true
          await settle(60)
          programs[one.program] = aProgram(clock, ledger)
        }
      }
      await clock.advance(400_000)
      sendings += sent.length
      for (const device of devices) {
        const own = sent
          .filter((attempt) => attempt.devices.includes(device))
          .sort((a, b) => a.startedAt - b.startedAt)
        for (const [index, attempt] of own.entries()) {
          const before = own[index - 1]
          if (before) expect(attempt.startedAt - before.endedAt).toBeGreaterThanOrEqual(60_000)
        }
      }
      await ledger.close()
    }),
    { numRuns },
  )
  // Otherwise the property would also hold for writes that never start.
  expect(sendings).toBeGreaterThan(2 * numRuns)
})
