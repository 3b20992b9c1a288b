import { expect, test } from 'vitest'
import type { SignIn } from '../../electron/adapters/proxy-sign-ins.ts'
import type { Via } from '../../electron/contract/failure.ts'
import { openProxySignIn } from '../../electron/main/proxy-sign-in.ts'

const via: Via = { host: 'proxy', port: 8080 }
const signIn: SignIn = { user: 'ann', password: 'secret' }

function opened(kept: SignIn | null, keep: () => Promise<void> = async () => undefined) {
  let changes = 0
  const stored: unknown[] = []
  const asked = openProxySignIn({
    get: async () => kept,
    keep: async (at, given) => {
      stored.push([at, given])
      await keep()
    },
  })
  asked.onChange(() => void changes++)
  return { asked, stored, changes: () => changes }
}

test('a kept sign-in is given, and nobody is asked', async () => {
  const { asked, changes } = opened(signIn)
  expect([await asked.answer(via, false), asked.wanted(), changes()]).toEqual([signIn, null, 0])
})

test('without one the proxy is named until a person gave it, and it is kept', async () => {
  const { asked, stored, changes } = opened(null)
  const before = [await asked.answer(via, false), asked.wanted()]
  await asked.give(signIn)
  expect([before, asked.wanted(), await asked.answer(via, false), stored, changes()]).toEqual([
    [null, via],
    null,
    signIn,
    [[via, signIn]],
    2,
  ])
})

test('one that the proxy refused is asked for again', async () => {
  const { asked } = opened(null)
  await asked.answer(via, false)
  await asked.give(signIn)
  expect([await asked.answer(via, true), asked.wanted()]).toEqual([null, via])
})

test('one that cannot be kept holds for this run', async () => {
  const { asked } = opened(null, () => Promise.reject(new Error('locked')))
  await asked.answer(via, false)
  await expect(asked.give(signIn)).rejects.toThrow('locked')
  expect([asked.wanted(), await asked.answer(via, false)]).toEqual([null, signIn])
})

test('nothing is kept when no proxy wants one', async () => {
  const { asked, stored } = opened(null)
  await asked.give(signIn)
  expect(stored).toEqual([])
})
