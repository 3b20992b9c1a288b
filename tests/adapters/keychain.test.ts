import { describe, expect, test } from 'vitest'
import { openKeychain, problemOf, type Keytar } from '../../electron/adapters/keychain.ts'
import { KeychainError } from '../../electron/core/platform.ts'
import { FakeClock } from '../fake-clock.ts'

/** keytar over a Map; a test replaces the functions that are to fail. */
function aKeytar(changed: Partial<Keytar> = {}): Keytar & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    getPassword: async (service, account) => entries.get(`${service}/${account}`) ?? null,
    setPassword: async (service, account, password) => void entries.set(`${service}/${account}`, password),
    deletePassword: async (service, account) => entries.delete(`${service}/${account}`),
    ...changed,
  }
}
const over = (keytar: Keytar, clock = new FakeClock()) =>
  openKeychain('Headroom', { load: async () => keytar, clock })
const errorOf = async (work: Promise<unknown>) => {
  const error: unknown = await work.catch((thrown: unknown) => thrown)
  return error instanceof KeychainError ? { reason: error.reason, message: error.message } : error
}

test.each([
  [
    'Failed to load keytar native addon, checked ["../build/Release"] on prebuilds/linux-x64',
    'library-missing',
  ],
  ['libsecret-1.so.0: cannot open shared object file: No such file or directory', 'library-missing'],
  ["Cannot find package 'keytar' imported from main.js", 'library-missing'],
  ['Cannot autolaunch D-Bus without X11 $DISPLAY', 'no-bus'],
  ['Could not connect: No such file or directory', 'no-bus'],
  ['The name org.freedesktop.secrets was not provided by any .service files', 'no-service'],
  ['GDBus.Error:org.freedesktop.DBus.Error.ServiceUnknown: The name is not activatable', 'no-service'],
  ['Object does not exist at path “/org/freedesktop/secrets/collection/login”', 'no-keyring'],
  ['Cannot create an item in a locked collection', 'locked'],
  ['User interaction is not allowed.', 'locked'],
  ['The specified item already exists in the keychain.', 'unknown'],
  ['', 'unknown'],
] as const)('%j means %s', (text, reason) => {
  expect(problemOf(text)).toBe(reason)
})

test('stores entries under the name of the program and the account', async () => {
  const keytar = aKeytar()
  const keychain = over(keytar)
  await keychain.set('a:primary', 'x')
  expect([[...keytar.entries], await keychain.get('a:primary'), await keychain.get('b:primary')]).toEqual([
    [['Headroom/a:primary', 'x']],
    'x',
    null,
  ])
  await keychain.remove('a:primary')
  await keychain.remove('a:primary')
  expect(keytar.entries.size).toBe(0)
})

test('leaves nothing behind after checking whether the keychain works', async () => {
  const keytar = aKeytar()
  expect([await over(keytar).state(), keytar.entries.size]).toEqual([{ usable: true }, 0])
})

test('treats a missing library as a state, not a crash, and looks for it again with the next call', async () => {
  let loads = 0
  const keytar = aKeytar()
  const keychain = openKeychain('Headroom', {
    clock: new FakeClock(),
    load: async () => {
      loads += 1
      if (loads === 1) throw new Error('Failed to load keytar native addon')
      return keytar
    },
  })
  expect(await keychain.state()).toMatchObject({
    usable: false,
    reason: 'library-missing',
    message: expect.stringContaining('libsecret-1-0'),
  })
  expect(await keychain.state()).toEqual({ usable: true })
  await keychain.get('a')
  expect(loads).toBe(2)
})

test('reports an unknown error with the message of the keychain, shortened', async () => {
  const keychain = over(aKeytar({ setPassword: () => Promise.reject(new Error(`odd ${'x'.repeat(500)}`)) }))
  expect(await errorOf(keychain.set('a', 'b'))).toEqual({
    reason: 'unknown',
    message: `The keychain reported an error. (odd ${'x'.repeat(196)})`,
  })
})

test('reports an error that has no message', async () => {
  const keychain = over(aKeytar({ getPassword: () => Promise.reject(new Error('')) }))
  expect(await errorOf(keychain.get('a'))).toEqual({
    reason: 'unknown',
    message: 'The keychain reported an error.',
  })
})

test('does not report an entry as removed when a locked keyring removed nothing', async () => {
  const locked = aKeytar({
    deletePassword: async () => false,
    setPassword: () => Promise.reject(new Error('Cannot create an item in a locked collection')),
  })
  expect(await errorOf(over(locked).remove('a'))).toMatchObject({ reason: 'locked' })
})

describe('a keychain that waits for a password', () => {
  test('ends every call after ten seconds as "locked" and sends no second request meanwhile', async () => {
    const clock = new FakeClock()
    const requested: string[] = []
    let unlock: (key: string) => void = () => undefined
    const getPassword = (_: string, account: string) => {
      requested.push(account)
      return new Promise<string>((resolve) => (unlock = resolve))
    }
    const keychain = over(aKeytar({ getPassword }), clock)
    const calls = Promise.all(['a', 'b', 'c'].map((account) => errorOf(keychain.get(account))))
    await clock.advance(9_999)
    expect([requested, clock.waiting]).toEqual([['a'], 3])
    await clock.advance(1)
    expect(await calls).toEqual(
      Array.from({ length: 3 }, () => ({
        reason: 'locked',
        message: expect.stringContaining('waiting for its password'),
      })),
    )

    const later = keychain.get('d')
    unlock('late')
    await clock.advance(0)
    unlock('there')
    expect([await later, requested, clock.waiting]).toEqual(['there', ['a', 'd'], 0])
  })
})
