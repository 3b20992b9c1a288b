import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'

const child = fileURLToPath(new URL('keychain-child.ts', import.meta.url))
const withKeyring = fileURLToPath(new URL('../../build/with-keyring.sh', import.meta.url))

/** What the real keychain needs here, if something is missing. */
function missing(): string | null {
  if (process.platform !== 'linux') return 'the temporary keyring is for Linux'
  for (const program of ['dbus-run-session', 'dbus-send', 'gnome-keyring-daemon']) {
    try {
      execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    } catch {
      return `${program} is not installed (Debian: dbus, gnome-keyring, libsecret-1-0)`
    }
  }
  return null
}
const lacking = missing()

/** Without the desktop variables of this session, so that only the test's own remains. */
const bare = { PATH: process.env['PATH'], HOME: tmpdir() }
const stepsOf = async (command: string, parameters: readonly string[]): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(command, parameters, { env: bare, timeout: 240_000 })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

describe('the real keychain', () => {
  test('stores, replaces, returns and removes an entry', async ({ skip }) => {
    if (lacking !== null) skip(lacking)
    expect(await stepsOf('sh', [withKeyring, process.execPath, child])).toEqual([
      'usable',
      null,
      null,
      'second',
      null,
      null,
      null,
    ])
  })

  test('refuses to store or remove while locked, and returns nothing', async ({ skip }) => {
    if (lacking !== null) skip(lacking)
    expect(await stepsOf('sh', [withKeyring, process.execPath, child, 'lock'])).toEqual([
      null,
      'locked',
      'locked',
      'locked',
      null,
      'locked',
      'locked',
      null,
    ])
  })

  test('reports that D-Bus is missing', async ({ skip }) => {
    if (lacking !== null) skip(lacking)
    expect(await stepsOf(process.execPath, [child])).toEqual(Array.from({ length: 7 }, () => 'no-bus'))
  })

  test('reports that the keychain service is missing', async ({ skip }) => {
    if (lacking !== null) skip(lacking)
    const folder = mkdtempSync(join(tmpdir(), 'headroom-bus-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const emptyBus = join(folder, 'bus.conf')
    writeFileSync(
      emptyBus,
      `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
       <busconfig><type>session</type><listen>unix:tmpdir=${folder}</listen><policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`,
    )
    expect(
      await stepsOf('dbus-run-session', [`--config-file=${emptyBus}`, '--', process.execPath, child]),
    ).toEqual(Array.from({ length: 7 }, () => 'no-service'))
  })
})
