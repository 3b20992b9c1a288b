import { expect, test } from 'vitest'
import { faultOfProxy, overRoute, proxiesOf } from '../../electron/adapters/proxies.ts'
import { openProxySignIns, type SignIn } from '../../electron/adapters/proxy-sign-ins.ts'
import type { Via } from '../../electron/contract/failure.ts'
import { settle } from '../fake-clock.ts'
import { nodeSignIns, openProxySignIn } from '../../electron/main/proxy-sign-in.ts'

const via: Via = { host: 'proxy', port: 8080 }
const signIn: SignIn = { user: 'ann', password: 'secret' }

function opened(kept: SignIn | null, keep: () => Promise<void> = async () => undefined) {
  let changes = 0
  const stored: unknown[] = []
  const asked = openProxySignIn({
    ...openProxySignIns({
      get: async () => (kept === null ? null : JSON.stringify({ 'proxy:8080': kept })),
      set: keep,
    }),
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
  expect([await asked.answer(via, null), asked.wanted(), changes()]).toEqual([signIn, null, 0])
})

test('without one the proxy is named until a person gave it, and it is kept', async () => {
  const { asked, stored, changes } = opened(null)
  const before = [await asked.answer(via, null), asked.wanted()]
  await asked.give(signIn)
  expect([before, asked.wanted(), await asked.answer(via, null), stored, changes()]).toEqual([
    [null, via],
    null,
    signIn,
    [[via, signIn]],
    2,
  ])
})

test('one that the proxy refused is asked for again', async () => {
  const { asked } = opened(null)
  await asked.answer(via, null)
  await asked.give(signIn)
  expect([await asked.answer(via, signIn), asked.wanted()]).toEqual([null, via])
})

test('a kept one that the proxy refused is not given again: a person is asked', async () => {
  const { asked } = opened(signIn)
  const first = await asked.answer(via, null)
  const refused = [await asked.answer(via, first), asked.wanted()]
  const later = [await asked.answer(via, null), await asked.answer(via, null)]
  expect([first, refused, later]).toEqual([signIn, [null, via], [null, null]])
})

test('a refused one that a person gives again is given again', async () => {
  const { asked } = opened(signIn)
  await asked.answer(via, signIn)
  await asked.give(signIn)
  expect([await asked.answer(via, null), asked.wanted()]).toEqual([signIn, null])
})

test('a late refusal of the previous one does not refuse the one that was given since', async () => {
  const { asked } = opened(signIn)
  await asked.answer(via, signIn)
  const other = { user: 'ann', password: 'new' }
  await asked.give(other)
  expect([await asked.answer(via, signIn), asked.wanted()]).toEqual([other, null])
})

test('one that its proxy has not taken yet is given to one request, and the others wait for its end', async () => {
  const { asked } = opened(signIn)
  const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
  const answers: unknown[] = []
  const ask = (ended?: Promise<boolean>) =>
    void asked.answer(via, null, ended).then((given) => answers.push(given))
  ask(first.promise)
  ask(second.promise)
  ask()
  const counts: number[] = []
  for (const end of [() => undefined, () => first.resolve(false), () => second.resolve(true)]) {
    end()
    await settle()
    counts.push(answers.length)
  }
  expect([counts, answers]).toEqual([
    [1, 2, 3],
    [signIn, signIn, signIn],
  ])
})

test("a request of Chromium's waits for Node's that tries the same one, and does not send it when it is refused", async () => {
  const { asked } = opened(signIn)
  const proxies = proxiesOf({
    environment: { HTTPS_PROXY: 'http://proxy:8080' },
    signIns: nodeSignIns(asked),
  })
  const tries = Promise.withResolvers<void>()
  const ofNode = overRoute(proxies, { url: 'https://a.example', signal: null }, async (proxy) => {
    if (proxy!.username !== '') await tries.promise
    return faultOfProxy(Object.assign(new Error('wanted'), { statusCode: 407 }), proxy!)
  })
  await settle()
  const answers: unknown[] = []
  void asked.answer(via, null).then((given) => answers.push(given))
  await settle()
  const before = [...answers]
  tries.resolve()
  await ofNode
  await settle()
  expect([before, answers, asked.wanted()]).toEqual([[], [null], via])
})

test('one that is refused is given to one of several requests', async () => {
  const { asked } = opened(signIn)
  const ended = Promise.withResolvers<boolean>()
  const first = await asked.answer(via, null, ended.promise)
  const others = [asked.answer(via, null), asked.answer(via, null)]
  ended.resolve(false)
  const again = asked.answer(via, first)
  expect([first, await again, await Promise.all(others), asked.wanted()]).toEqual([
    signIn,
    null,
    [null, null],
    via,
  ])
})

test('one that cannot be kept holds for this run', async () => {
  const { asked } = opened(null, () => Promise.reject(new Error('locked')))
  await asked.answer(via, null)
  await expect(asked.give(signIn)).rejects.toThrow('locked')
  expect([asked.wanted(), await asked.answer(via, null)]).toEqual([null, signIn])
})

test('nothing is kept when no proxy wants one', async () => {
  const { asked, stored } = opened(null)
  await asked.give(signIn)
  expect(stored).toEqual([])
})
