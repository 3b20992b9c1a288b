import { describe, expect, it } from 'vitest'
import { done, failed, type Outcome } from '../../../electron/contract/failure.ts'
import { latestResult } from '../../../renderer/components/latest-result.ts'

const later = <T>(): { promise: Promise<Outcome<T>>; answer: (outcome: Outcome<T>) => void } => {
  const { promise, resolve } = Promise.withResolvers<Outcome<T>>()
  return { promise, answer: resolve }
}

describe('the latest response to a query', () => {
  it('is kept when an earlier one arrives late', async () => {
    const answer = latestResult<string>()
    const first = later<string>()
    const second = later<string>()
    const slow = answer.take(first.promise)
    const quick = answer.take(second.promise)
    second.answer(done('second'))
    expect(await quick).toBe(true)
    first.answer(done('first'))
    expect(await slow).toBe(false)
    expect({ value: answer.value.value, busy: answer.busy.value }).toEqual({ value: 'second', busy: false })
  })

  it('stays beside a failure, and the next good one clears the failure', async () => {
    const answer = latestResult<string>()
    await answer.take(Promise.resolve(done('read')))
    await answer.take(Promise.resolve(failed({ kind: 'cancelled' })))
    expect([answer.value.value, answer.failure.value]).toEqual(['read', { kind: 'cancelled' }])
    await answer.take(Promise.resolve(done('again')))
    expect([answer.value.value, answer.failure.value]).toEqual(['again', null])
  })

  it('is not set after clearing by a response in flight', async () => {
    const answer = latestResult<string>()
    const slow = later<string>()
    const taking = answer.take(slow.promise)
    answer.clear()
    slow.answer(done('too late'))
    expect(await taking).toBe(false)
    expect([answer.value.value, answer.failure.value, answer.busy.value]).toEqual([null, null, false])
  })
})
