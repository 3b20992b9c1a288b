// Programs and libraries of the system, not of npm: found, installed on Debian as root, or listed for the
// user to install.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { cannotRun, giveUp, remembered, say } from './prepare.mjs'

const chromiumNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const onMac = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The path of a program, or undefined. */
export function findProgram(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** The path of Chromium or Chrome, or undefined. STANDIN_CHROMIUM sets another one. */
export function findChromium() {
  if (process.env.STANDIN_CHROMIUM) return process.env.STANDIN_CHROMIUM
  if (process.platform === 'darwin') return onMac.find((file) => existsSync(file))
  return chromiumNames.map(findProgram).find((file) => file !== undefined)
}

function hasLibrary(name) {
  const folders = ['/usr/lib', '/lib', '/usr/lib64', '/usr/local/lib'].filter((folder) => existsSync(folder))
  const nested = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((e) => e.name.includes('-linux-'))
      .map((e) => join(folder, e.name)),
  )
  return [...folders, ...nested].some((folder) => existsSync(join(folder, name)))
}

const linux = process.platform === 'linux'
/** Debian's package names, and how to check that one is installed. */
const packages = {
  chromium: () => findChromium() !== undefined,
  'libsecret-1-0': () => !linux || hasLibrary('libsecret-1.so.0'),
  'gnome-keyring': () => !linux || findProgram('gnome-keyring-daemon') !== undefined,
  dbus: () => !linux || findProgram('dbus-run-session') !== undefined,
  'chromium-headless-shell': () => findProgram('chromium-headless-shell') !== undefined,
  'gcc-mingw-w64-x86-64-win32': () => findProgram('x86_64-w64-mingw32-gcc') !== undefined,
  dpkg: () => findProgram('dpkg-deb') !== undefined,
  rpm: () => findProgram('rpmbuild') !== undefined,
  nsis: () => findProgram('makensis') !== undefined,
}

const mayInstall = () => linux && findProgram('apt-get') !== undefined && process.getuid?.() === 0

/** Whether apt installed them. */
function install(names) {
  const apt = (...args) =>
    spawnSync('apt-get', args, {
      // Its errors are on standard error; the rest is several hundred lines.
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  const fetch = () => apt('install', '-y', '--no-install-recommends', ...names)
  return fetch() || (apt('update') && fetch())
}

/** Ensures that the packages are installed: installs them on Debian as root, else names them and exits with code 3. */
export function needSystemPackages(names, why) {
  const missing = names.filter((name) => !packages[name]())
  if (missing.length === 0) return
  const list = missing.join(' ')
  if (!mayInstall()) {
    giveUp(
      `${why} needs ${missing.length === 1 ? 'a system package' : 'system packages'} that ${missing.length === 1 ? 'is' : 'are'} not here (Debian's names): ${list}. Install and try again: sudo apt-get install ${list}`,
      cannotRun,
    )
  }
  say(`${why} needs system packages; installing them now: ${list}`)
  if (!install(missing))
    giveUp(`system packages could not be installed: ${list}; see the lines above`, cannotRun)
}

const tryAgainAfterMs = 24 * 60 * 60 * 1000
/** Tries to install a package that can be done without, at most once a day. `why`: what it is for. */
export function trySystemPackage(name, why) {
  const failure = join(remembered, `${name}-not-installed`)
  const triedAt = statSync(failure, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (packages[name]() || !mayInstall() || Date.now() - triedAt < tryAgainAfterMs) return
  say(`${why}: installing a system package now: ${name}`)
  if (install([name])) return
  say(`${name} could not be installed; going on without it (tried again tomorrow)`)
  mkdirSync(remembered, { recursive: true })
  writeFileSync(failure, '')
}
