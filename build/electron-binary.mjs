// Which program opens the window: Electron's own binary, or the stand-in if Electron is not available.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { downloadElectron } from './electron-download.mjs'
import { cannotRun, giveUp, remembered, root, run, say } from './prepare.mjs'
import { needSystemPackages } from './system-packages.mjs'

const tryAgainAfterMs = 24 * 60 * 60 * 1000
const failure = join(remembered, 'electron-not-fetched')
const standIn = join(root, 'tests', 'electron-stand-in', 'electron')

/** Electron's installed binary, or undefined. */
export function findElectron() {
  const home = join(root, 'node_modules', 'electron')
  const name = join(home, 'path.txt')
  if (!existsSync(name)) return undefined
  const file = join(home, 'dist', readFileSync(name, 'utf8').trim())
  return existsSync(file) ? file : undefined
}

/** Downloads the binary; after a failure not again for a day. Returns whether it exists now. */
async function fetchElectron(node) {
  const triedAt = statSync(failure, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - triedAt < tryAgainAfterMs) return false
  say("fetching Electron's binary, once")
  try {
    await downloadElectron(say)
    if ((await run(node, [join(root, 'node_modules', 'electron', 'install.js')])) === 0) {
      rmSync(failure, { force: true })
      return true
    }
  } catch (error) {
    say(`it was not fetched: ${error.cause?.message ?? error.message}`)
  }
  mkdirSync(remembered, { recursive: true })
  writeFileSync(failure, '')
  return false
}

/** The shell to start: `{ mode, executable }`. Exits with a clear message if neither is available. */
export async function openShell(node) {
  if (findElectron() !== undefined || (await fetchElectron(node)))
    return { mode: 'electron', executable: findElectron() }
  if (process.platform === 'win32')
    giveUp(
      "Electron's binary cannot be fetched here, and the stand-in needs Linux or macOS. Run: npx install-electron",
      cannotRun,
    )
  say(
    "Electron's binary cannot be fetched here: starting the stand-in with the system's Chromium (tried again tomorrow)",
  )
  needSystemPackages(['chromium', 'libsecret-1-0'], 'the stand-in')
  return { mode: 'stand-in', executable: standIn }
}

export const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env.DISPLAY) || Boolean(process.env.WAYLAND_DISPLAY)

/** The arguments that a shell needs on this machine before the app's own. */
export function shellArguments(headless) {
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0
  return [
    ...(asRoot ? ['--no-sandbox'] : []),
    ...(headless && process.platform === 'linux' ? ['--ozone-platform=headless'] : []),
  ]
}
