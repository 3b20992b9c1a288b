import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { PlannedWrite } from '../../../electron/core/writes/writes.ts'
import { FakeClock, settle } from '../../fake-clock.ts'
import { MemoryWorkbook } from '../storage/memory-workbook.ts'
import { cases } from '../../setup/cases.ts'
import { aWrite, nextProgram } from './a-writes.ts'

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
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'close' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set back' as const),
      byInMs: fc.constantFrom(30_000, 3_600_000),
    }),
  },
)

it('60 s pass between the end of one write to a device and the start of the next, over restarts, kills and clocks set back', async () => {
  const numRuns = cases(600)
  let sendings = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const clock = new FakeClock()
      const workbook = new MemoryWorkbook()
      const sent: Sent[] = []
      let program = await nextProgram(clock, workbook)
      for (const one of steps) {
        if (one.do === 'time') await clock.advance(one.inMs)
        else if (one.do === 'set back') clock.jumpWall(-one.byInMs)
        else if (one.do === 'write') {
          const { writes, clock: own } = program
          const send: PlannedWrite['send'] = async (signal, beforeDispatch) => {
            await beforeDispatch()
            const attempt: Sent = {
              devices: one.devices,
              startedAt: clock.monotonic(),
              endedAt: clock.monotonic() + one.lasts,
            }
            sent.push(attempt)
            return new Promise((resolve, reject) => {
              own.after(one.lasts, () =>
                one.ending === null ? resolve({ status: 200 }) : reject(new Failed(one.ending)),
              )
              signal?.addEventListener('abort', () => reject(new Failed(endings[1]!)))
            })
          }
          void writes
            .execute(aWrite({ operation: one.operation, deviceIds: one.devices, wait: one.wait, send }))
            .catch(() => undefined)
          await settle(60)
        } else {
          if (one.do === 'close') {
            const closed = program.writes.close()
            await clock.advance(5_000)
            await closed
          }
          program.clock.killed = true
          // Connections end with their program.
          for (const attempt of sent) attempt.endedAt = Math.min(attempt.endedAt, clock.monotonic())
          program = await nextProgram(clock, workbook)
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
      await workbook.close()
    }),
    { numRuns },
  )
  // Otherwise the property would also hold for writes that never start.
  expect(sendings).toBeGreaterThan(2 * numRuns)
})
