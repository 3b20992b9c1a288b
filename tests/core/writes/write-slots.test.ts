import { expect, it } from 'vitest'
import { openWriteSlots } from '../../../electron/core/writes/lock-and-slots.ts'
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

it('the slot of a device is one for every spelling of its id', () => {
  const spellings = [
    'Device-1',
    ' device-1 ',
    'DEVICE\u200b-1',
    '\u2066device-1\u2069',
    '\ufeff device-1\u00ad',
  ]
  const waits = spellings.map((spelling) => {
    const slots = openWriteSlots(new FakeClock())
    slots.take([spelling])
    return spellings.map((other) => slots.take([other]))
  })
  expect(new Set(waits.flat())).toEqual(new Set([null]))
})
