import { expect, onTestFinished, test } from 'vitest'
import type { Via } from '../../electron/contract/failure.ts'
import { createCore } from '../../electron/core/app.ts'
import { Listeners } from '../../electron/core/listeners.ts'
import { KeychainError, type ProxySignIn } from '../../electron/core/platform.ts'
import { fakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'

const via: Via = { host: 'proxy', port: 8080 }
const signIn = { user: 'ann', password: 'secret' }

async function opened(keeps: () => Promise<void>) {
  const home = new TemporaryHome()
  const listeners = new Listeners<[]>()
  const given: unknown[] = []
  let wanted: Via | null = null
  const proxySignIn: ProxySignIn = {
    wanted: () => wanted,
    onChange: listeners.add,
    give: async (one) => {
      wanted = null
      given.push(one)
      await keeps()
    },
  }
  const core = await createCore(fakePlatform(home, { proxySignIn }))
  onTestFinished(async () => {
    await core.close()
    await home.remove()
  })
  const wants = (): void => {
    wanted = via
    listeners.notify()
  }
  return { core, given, wants, listeners }
}

test('a proxy that wants a sign-in is a problem until one is given', async () => {
  const { core, given, wants } = await opened(async () => undefined)
  const changed = new Promise((resolve) => core.onEvent((event) => event === 'app.changed' && resolve(event)))
  const before = await core.handlers.app.problems()
  wants()
  await changed
  const during = await core.handlers.app.problems()
  await core.handlers.app.signInToProxy(signIn)
  expect([before, during, await core.handlers.app.problems(), given]).toEqual([
    [],
    [
      {
        id: 'proxy-sign-in',
        failure: {
          kind: 'offline',
          call: { operation: 'CONNECT', host: null },
          message: '',
          via,
          reason: 'sign-in-wanted',
          sent: false,
        },
        since: expect.any(Number),
        done: null,
      },
    ],
    [],
    [signIn],
  ])
})

test('a sign-in that the keychain does not keep is a failure of the keychain', async () => {
  const { core, wants } = await opened(() => Promise.reject(new KeychainError('locked', 'it is locked')))
  wants()
  expect(await core.server('app.signInToProxy', signIn)).toEqual({
    ok: false,
    failure: { kind: 'keychain-unavailable', reason: 'locked', message: 'it is locked' },
  })
})

test('a closed core no longer listens', async () => {
  const { core, listeners } = await opened(async () => undefined)
  const during = listeners.size
  await core.close()
  expect([during, listeners.size]).toEqual([1, 0])
})
