import { expect, it } from 'vitest'
import { openWriteSlots } from '../../../electron/core/writes/write-slots.ts'
import { FakeClock } from '../../fake-clock.ts'

it('of two writes of earlier runs the later one counts, in either order', () => {
  for (const agoInMs of [
    [10_000, 50_000],
    [50_000, 10_000],
  ]) {
    const slots = openWriteSlots(new FakeClock())
    const alone = openWriteSlots(new FakeClock())
    for (const ago of agoInMs) slots.fill(['D1'], ago)
    alone.fill(['D1'], 10_000)
    expect([slots.freeInMs(['D1']), slots.freeInMs(['D2'])]).toEqual([alone.freeInMs(['D1']), 0])
  }
})
