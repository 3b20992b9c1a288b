import { expect, test } from 'vitest'
import { openProxySignIns } from '../../electron/adapters/proxy-sign-ins.ts'

function aKeychain(entry: string | null = null) {
  const entries = new Map(entry === null ? [] : [['proxy sign-ins', entry]])
  return {
    entries,
    get: async (account: string) => entries.get(account) ?? null,
    set: async (account: string, secret: string) => void entries.set(account, secret),
  }
}
const via = { host: 'proxy', port: 8080 }
const signIn = { user: 'ann', password: 'secret' }

test('sign-ins of several proxies are one entry of the keychain', async () => {
  const keychain = aKeychain()
  const signIns = openProxySignIns(keychain)
  await signIns.keep(via, signIn)
  await signIns.keep({ host: 'other', port: 1 }, { user: 'bob', password: 'x' })
  expect([
    await signIns.get(via),
    await signIns.get({ host: 'proxy', port: 1 }),
    [...keychain.entries.keys()],
  ]).toEqual([signIn, null, ['proxy sign-ins']])
})

test.each(['', 'nothing', '[]', '{"proxy:8080":"ann"}', '{"proxy:8080":{"user":1}}'])(
  'an entry of another form, %j, is none, and is replaced',
  async (entry) => {
    const signIns = openProxySignIns(aKeychain(entry))
    const before = await signIns.get(via)
    await signIns.keep(via, signIn)
    expect([before, await signIns.get(via)]).toEqual([null, signIn])
  },
)

test('one that its proxy refused is none until it is kept again', async () => {
  const signIns = openProxySignIns(aKeychain('{"proxy:8080":{"user":"ann","password":"secret"}}'))
  const other = { ...via, port: 1 }
  await signIns.keep(other, signIn)
  signIns.refused(via, { ...signIn })
  const after = [await signIns.get(via), await signIns.get(other)]
  await signIns.keep(via, signIn)
  expect([after, await signIns.get(via)]).toEqual([[null, signIn], signIn])
})

test('another one that is kept meanwhile replaces one that was refused', async () => {
  const keychain = aKeychain('{"proxy:8080":{"user":"ann","password":"secret"}}')
  const signIns = openProxySignIns(keychain)
  signIns.refused(via, signIn)
  keychain.entries.set('proxy sign-ins', '{"proxy:8080":{"user":"ann","password":"new"}}')
  expect(await signIns.get(via)).toEqual({ user: 'ann', password: 'new' })
})
