import type { KeychainProblem } from '../contract/failure.ts'
import { KeychainError, type Clock, type Keychain } from '../core/platform.ts'
import { systemClock } from './clock.ts'

/** The part of keytar that is used. */
export interface Keytar {
  getPassword(service: string, account: string): Promise<string | null>
  setPassword(service: string, account: string, password: string): Promise<void>
  deletePassword(service: string, account: string): Promise<boolean>
}

export interface KeychainDeps {
  readonly load: () => Promise<Keytar>
  readonly clock: Pick<Clock, 'after'>
}

/**
 * A keychain that prompts for a password may never return; the program continues after this time. Raise it if
 * people need longer to type the password.
 */
const patienceInMs = 10_000
/** A probe value, stored and removed again to see whether the keychain accepts writes. */
const probe = { account: 'availability check', value: 'nothing of value' }

const messages: Readonly<Record<KeychainProblem, string>> = {
  'library-missing':
    'The keychain library cannot be loaded. Install libsecret-1-0 (Debian, Ubuntu) or libsecret (Fedora), then start Headroom again.',
  'no-bus':
    'There is no D-Bus session, so the keychain cannot be reached. Start Headroom from a desktop session, or with dbus-run-session.',
  'no-service':
    'No keychain service is running. Install and start gnome-keyring, or turn on the secret service of KWallet or KeePassXC.',
  'no-keyring':
    'The keychain has no login keyring yet. Create one named "Login" with Passwords and Keys (seahorse), or sign out and sign in again with your password.',
  locked:
    'The keychain is locked, or it is waiting for its password in another window. Unlock it and try again.',
  unknown: 'The keychain reported an error.',
}

/** Error texts of keytar and libsecret, as seen; the first match is used. */
const texts: readonly (readonly [RegExp, KeychainProblem])[] = [
  [
    /Failed to load keytar native addon|libsecret-1\.so|Cannot find (module|package) ['"]keytar/i,
    'library-missing',
  ],
  [
    /Cannot autolaunch D-Bus|Could not connect: |Cannot spawn a message bus|DBUS_SESSION_BUS_ADDRESS|Failed to connect to socket/i,
    'no-bus',
  ],
  [
    /org\.freedesktop\.secrets was not provided|ServiceUnknown|NameHasNoOwner|StartServiceByName/i,
    'no-service',
  ],
  [/Object does not exist at path|No such (secret )?collection/i, 'no-keyring'],
  [/locked collection|is locked|dismissed|prompt|User interaction is not allowed|user canceled/i, 'locked'],
]

/** The meaning of a keytar error text. */
export const problemOf = (text: string): KeychainProblem =>
  texts.find(([pattern]) => pattern.test(text))?.[1] ?? 'unknown'

/**
 * The operating system's keychain through keytar: one call at a time, each at most ten seconds. The first
 * call loads keytar, so that a missing libsecret is a state and not a crash. On a locked keyring `get`
 * returns null (tried).
 */
export function openKeychain(
  service = 'Headroom',
  deps: KeychainDeps = { load: loadKeytar, clock: systemClock },
): Keychain {
  let keytar: Promise<Keytar> | null = null
  const loaded = (): Promise<Keytar> => {
    keytar ??= deps.load().catch((error: unknown) => {
      keytar = null // may be installed meanwhile: the next call finds it
      throw error
    })
    return keytar
  }

  /**
   * Ends with the underlying call, however long it takes: a second call at the same time would only ask for
   * the password twice.
   */
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: (keytar: Keytar) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      let late = false
      const cancel = deps.clock.after(patienceInMs, () => {
        late = true
        reject(new KeychainError('locked', messages.locked))
      })
      turn = turn.then(async () => {
        if (late) return
        try {
          resolve(await work(await loaded()))
        } catch (error) {
          reject(keychainErrorOf(error))
        } finally {
          cancel()
        }
      })
    })

  return {
    get: (account) => inTurn((it) => it.getPassword(service, account)),
    set: (account, value) => inTurn((it) => it.setPassword(service, account, value)),
    remove: (account) => inTurn((it) => removeSurely(it, service, account)),
    async state() {
      try {
        await inTurn((it) => storeProbe(it, service))
        return { usable: true }
      } catch (error) {
        const { reason, message } = keychainErrorOf(error)
        return { usable: false, reason, message }
      }
    },
  }
}

/**
 * `false` ("nothing removed") means a missing entry or a locked keyring, as does null; a probe write
 * distinguishes them.
 */
async function removeSurely(keytar: Keytar, service: string, account: string): Promise<void> {
  if (await keytar.deletePassword(service, account)) return
  await storeProbe(keytar, service)
  await keytar.deletePassword(service, account)
}

async function storeProbe(keytar: Keytar, service: string): Promise<void> {
  await keytar.setPassword(service, probe.account, probe.value)
  await keytar.deletePassword(service, probe.account)
}

function keychainErrorOf(error: unknown): KeychainError {
  if (error instanceof KeychainError) return error
  const text = error instanceof Error ? error.message : ''
  const reason = problemOf(text)
  // keytar's own message is used only if nothing better is known; it contains services and paths, never a
  // password.
  return new KeychainError(
    reason,
    reason === 'unknown' && text !== '' ? `${messages.unknown} (${text.slice(0, 200)})` : messages[reason],
  )
}

async function loadKeytar(): Promise<Keytar> {
  const module: { readonly default?: Keytar } & Partial<Keytar> = await import('keytar')
  const found = module.default ?? module
  if (!isKeytar(found)) throw new Error('Failed to load keytar native addon')
  return found
}

const isKeytar = (found: Partial<Keytar>): found is Keytar =>
  typeof found.getPassword === 'function' &&
  typeof found.setPassword === 'function' &&
  typeof found.deletePassword === 'function'
