import { describe, expect, it } from 'vitest'
import { done, failed, type Outcome } from '../../../electron/contract/failure.ts'
import { latestResult, resultOf } from '../../../renderer/components/latest-result.ts'

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

describe('the response about what is current', () => {
  it('stays beside a later failure, in whichever order the two arrive', async () => {
    for (const firstAnswered of [0, 1]) {
      const answer = resultOf<string>(() => 'a')
      const asked = [later<string>(), later<string>()] as const
      const taken = asked.map(({ promise }) => answer.take('a', promise))
      const ends = [
        async () => (asked[0].answer(done('good')), expect(await taken[0]).toBe(true)),
        async () => (asked[1].answer(failed({ kind: 'cancelled' })), expect(await taken[1]).toBe(true)),
      ]
      await ends[firstAnswered]!()
      await ends[1 - firstAnswered]!()
      expect(answer.answer.value).toMatchObject({ value: 'good', failure: { kind: 'cancelled' } })
    }
  })

  it('is dropped when a later good one was answered', async () => {
    const answer = resultOf<string>(() => 'a')
    const [first, second] = [later<string>(), later<string>()]
    const [slow, quick] = [answer.take('a', first.promise), answer.take('a', second.promise)]
    second.answer(done('second'))
    expect(await quick).toBe(true)
    first.answer(done('first'))
    expect(await slow).toBe(false)
    expect(answer.answer.value.value).toBe('second')
  })
})
