import { expect, test } from 'vitest'
import { Failed } from '../../../electron/contract/failure.ts'
import type { UpdateRule } from '../../../electron/core/firmware/firmware.ts'
import { ReleaseQuestions } from '../../../electron/core/jobs/release-questions.ts'
import { FakeClock } from '../../fake-clock.ts'

const minute = 60_000
const failure = { kind: 'releases-unread', product: 'Camera', observedAt: 5 } as const
const rule: UpdateRule = {
  name: 'Camera',
  releases: [],
  observedAt: 0,
  downgradeAllowed: false,
  approved: () => null,
}

function open() {
  const clock = new FakeClock()
  const asked: number[] = []
  const state: { failsAs: Failed | null } = { failsAs: null }
  const questions = new ReleaseQuestions(clock, async (productId) => {
    asked.push(productId)
    if (state.failsAs !== null) throw state.failsAs
    return rule
  })
  const start = clock.monotonic()
  const signal = new AbortController().signal
  const get = (since = start, productId = 1) => questions.rule(productId, since, signal)
  return { clock, asked, state, get, start }
}

test('one question serves all items of a product for 15 minutes', async () => {
  const { clock, asked, get } = open()
  expect(await Promise.all([get(), get(), get(undefined, 2)])).toEqual(Array(3).fill({ kind: 'rule', rule }))
  await clock.advance(15 * minute - 1)
  await get()
  expect(asked).toEqual([1, 2])
  await clock.advance(1)
  await Promise.all([get(), get()])
  expect(asked).toEqual([1, 2, 1])
})

test('an answer from 15 minutes before does not count, though the computer slept meanwhile', async () => {
  const { clock, asked, get } = open()
  await get()
  clock.sleep(15 * minute)
  await get()
  expect(asked).toEqual([1, 1])
})

test('an answer from before a pause does not count', async () => {
  const { clock, asked, get } = open()
  await get()
  await clock.advance(1)
  await get(clock.monotonic())
  expect(asked).toEqual([1, 1])
})

test('a list that cannot be read is asked for again each minute, for 30 minutes', async () => {
  const { clock, asked, state, get } = open()
  state.failsAs = new Failed(failure)
  for (let minutes = 0; minutes < 30; minutes++) {
    const again = clock.now() + minute
    expect(await Promise.all([get(), get()])).toEqual(Array(2).fill({ kind: 'unread', again, failure }))
    await clock.advance(minute)
  }
  expect(await get()).toEqual({ kind: 'unread', again: null, failure })
  expect(asked).toHaveLength(31)
})

test('a resumed job has another 30 minutes, and one answer ends the count', async () => {
  const { clock, state, get } = open()
  state.failsAs = new Failed(failure)
  await get()
  for (let minutes = 0; minutes < 31; minutes++) {
    await clock.advance(minute)
    await get()
  }
  const resumedAt = clock.monotonic()
  await clock.advance(minute)
  expect(await get(resumedAt)).toMatchObject({ again: clock.now() + minute })
  state.failsAs = null
  await clock.advance(minute)
  expect(await get(resumedAt)).toEqual({ kind: 'rule', rule })
  state.failsAs = new Failed(failure)
  await clock.advance(15 * minute)
  expect(await get()).toMatchObject({ again: clock.now() + minute })
})

test('a cancelled question is no answer: the next item asks', async () => {
  const { asked, state, get } = open()
  state.failsAs = new Failed({ kind: 'cancelled' })
  await expect(get()).rejects.toMatchObject({ failure: { kind: 'cancelled' } })
  state.failsAs = null
  expect(await get()).toEqual({ kind: 'rule', rule })
  expect(asked).toEqual([1, 1])
})
