import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const sessions = '/org/freedesktop/login1/session/'
/** D-Bus writes other characters than these, and a leading digit, as `_` and their hexadecimal code. */
const label = (id: string): string =>
  id.replace(/^\d|[^a-zA-Z0-9]/g, (sign) => `_${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** Matches what logind says of this session (org.freedesktop.login1): it is to be locked; its screen was locked. */
export function lockRules(sessionId: string): readonly string[] {
  const path = `type='signal',path='${sessions}${label(sessionId)}'`
  return [
    `${path},interface='org.freedesktop.login1.Session',member='Lock'`,
    `${path},interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'`,
  ]
}

/** Reads the lines of dbus-monitor; true: the session was locked. */
export function lockReader(): (line: string) => boolean {
  let isHint = false
  return (line) => {
    const isLocked = line.endsWith('.login1.Session; member=Lock') || (isHint && /boolean true$/.test(line))
    isHint = line.trim() === 'string "LockedHint"'
    return isLocked
  }
}

/**
 * Watches the screen lock of a Linux desktop, of which Electron says nothing. Without logind or dbus-monitor nothing is told. Returns what
 * ends it.
 */
export function watchScreenLock(locked: () => void, environment: NodeJS.ProcessEnv): () => void {
  const { XDG_SESSION_ID: id = '' } = environment
  if (id === '') return () => undefined
  const monitor = spawn('dbus-monitor', ['--system', ...lockRules(id)], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  monitor.on('error', () => undefined)
  const isLocked = lockReader()
  createInterface(monitor.stdout).on('line', (line) => {
    if (isLocked(line)) locked()
  })
  return () => void monitor.kill()
}
