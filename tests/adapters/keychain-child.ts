import { execFileSync } from 'node:child_process'
import { openKeychain } from '../../electron/adapters/keychain.ts'
import { KeychainError } from '../../electron/core/platform.ts'

/**
 * Run by keychain-real.test.ts in its own session: performs the first argument with the real keychain and prints the result of each step.
 */
const keychain = openKeychain('Headroom test')
const account = 'organization:primary'

const steps: unknown[] = []
const step = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    steps.push((await work()) ?? null)
  } catch (error) {
    steps.push(error instanceof KeychainError ? error.reason : String(error))
  }
}
const state = async (): Promise<unknown> => {
  const found = await keychain.state()
  return found.usable ? 'usable' : found.reason
}
const lock = (): void => {
  const lockAll = [
    '--dest=org.freedesktop.secrets',
    '/org/freedesktop/secrets',
    'org.freedesktop.Secret.Service.Lock',
    'array:objpath:/org/freedesktop/secrets/collection/login',
  ]
  execFileSync('dbus-send', ['--session', '--print-reply', ...lockAll], { stdio: 'ignore' })
}

if (process.argv[2] === 'lock') {
  await step(() => keychain.set(account, 'kept while it was open'))
  lock()
}
await step(state)
await step(() => keychain.set(account, 'first'))
await step(() => keychain.set(account, 'second'))
await step(() => keychain.get(account))
await step(() => keychain.remove(account))
await step(() => keychain.remove(account))
await step(() => keychain.get(account))
process.stdout.write(`${JSON.stringify(steps)}\n`)
