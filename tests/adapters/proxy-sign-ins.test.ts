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
