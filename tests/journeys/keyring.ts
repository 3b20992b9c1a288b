import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A D-Bus session of its own with an unlocked, throw-away gnome-keyring, and the environment that leads to it. */
export interface Keyring {
  readonly environment: Readonly<Record<string, string>>
  end(): Promise<void>
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
  // An empty password is one line break; the daemon leaves the foreground when it is ready, and ends with its bus.
  const daemon = spawnSync('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    input: '\n',
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, ...environment },
  })
  if (daemon.status !== 0) throw new Error(`gnome-keyring-daemon ended with ${String(daemon.status)}`)
  return {
    environment,
    end: async () => {
      bus.kill('SIGTERM')
      await once(bus, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
