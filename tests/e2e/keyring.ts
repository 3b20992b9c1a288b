import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A separate D-Bus session with an unlocked, temporary gnome-keyring, and the environment that leads to it. */
export interface Keyring {
  readonly environment: Readonly<Record<string, string>>
  /** The program's entries in it, by account. */
  entries(): Readonly<Record<string, string>>
  /** Adds an entry, as an earlier version or a person might. */
  put(account: string, entry: string): void
  end(): Promise<void>
}

/** The program stores its entries under this name. */
const service = 'Headroom'

/** Through keytar in a separate process, because a keyring belongs to a session. */
function keytar(
  environment: Readonly<Record<string, string>>,
  call: string,
  ...given: readonly string[]
): unknown {
  const script = `require('keytar').${call}(...process.argv.slice(1)).then((told) => console.log(JSON.stringify(told ?? null)))`
  const output = execFileSync(process.execPath, ['-e', script, service, ...given], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  return JSON.parse(output)
}

export async function startKeyring(): Promise<Keyring> {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-keyring-'))
  const places = {
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  }
  for (const place of Object.values(places)) mkdirSync(place, { mode: 0o700 })
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...places },
  })
  const [address] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string]
  const environment = { ...places, DBUS_SESSION_BUS_ADDRESS: address }
  // An empty password is one line break. The daemon moves to the background when it is ready, and ends with
  // its bus.
  const daemon = spawnSync('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    input: '\n',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, ...environment },
  })
  if (daemon.error) throw daemon.error
  if (daemon.status !== 0) throw new Error(`gnome-keyring-daemon ended with ${String(daemon.status)}`)
  return {
    environment,
    entries: () => {
      const found = keytar(environment, 'findCredentials') as { account: string; password: string }[]
      return Object.fromEntries(found.map(({ account, password }) => [account, password]))
    },
    put: (account, entry) => void keytar(environment, 'setPassword', account, entry),
    end: async () => {
      bus.kill('SIGTERM')
      await once(bus, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
