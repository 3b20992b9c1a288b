// Makes a fresh clone ready: installs what is missing and finds the Node 24 that the project runs on.
// Dependency-free and readable by Node 20, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
/** State that the scripts keep between runs; never committed. */
export const remembered = join(root, 'node_modules', '.cache', 'headroom')
/** When the command was started, epoch milliseconds: passed on when a script runs again on Node 24. */
export const beganAt = Number(process.env.HEADROOM_BEGAN_AT ?? performance.timeOrigin)
const stamp = join(remembered, 'installed')
const oldestNode = 24

/**
 * A subscription key given for one run: only the program receives it, not the processes that are started
 * before it.
 */
const key = process.env.HEADROOM_KEY
delete process.env.HEADROOM_KEY
const itsKey = key === undefined ? {} : { HEADROOM_KEY: key }

/** One line for the person at the terminal. Standard output is reserved for results. */
export function say(line) {
  process.stderr.write(`headroom: ${line}\n`)
}

/** Exit codes beside 0 and 1: the command was typed wrongly; it cannot run on this machine. */
export const wrongUsage = 2
export const cannotRun = 3

/** Prints the error and exits. */
export function giveUp(line, code = 1) {
  say(line)
  process.exit(code)
}

/** Installs what the lock file names and is missing. Fast if nothing changed. */
export function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  if (!installedAsLocked()) {
    say('installing packages (npm ci), once')
    const npm = process.env.npm_execpath
    // npm checks the engines of packages against its own Node; they run on Node 24.
    const [command, before] =
      npm === undefined || !/\.[cm]?js$/.test(npm) ? ['npm', []] : [process.execPath, [npm]]
    const { status, error } = spawnSync(command, [...before, 'ci', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32' && command === 'npm',
    })
    if (status !== 0)
      giveUp(
        `packages could not be installed${error ? `: ${error.message}` : ''}; see the lines above. A network or a filled npm cache is needed once.`,
        cannotRun,
      )
  }
  mkdirSync(remembered, { recursive: true })
  writeFileSync(stamp, wanted)
}

/** Whether node_modules holds exactly what the lock file names (except what npm could not install for this system). */
function installedAsLocked() {
  const hidden = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const there = JSON.parse(readFileSync(hidden, 'utf8')).packages
  const missing = Object.entries(locked).filter(
    ([path, p]) => path !== '' && !p.link && (there[path] ? there[path].version !== p.version : !p.optional),
  )
  return missing.length === 0 && Object.keys(there).every((path) => locked[path] !== undefined)
}

/** The Node 24 to run on: the installed one, else the running one, else undefined. */
export function findNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const installed = join(
    root,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  if (existsSync(installed)) return installed
  return Number(process.versions.node.split('.')[0]) >= oldestNode ? process.execPath : undefined
}

/** Installs, then returns the Node 24 to run on; exits with a clear message if there is none. */
export function prepare() {
  install()
  return (
    findNode() ??
    giveUp(
      `Node ${oldestNode} is needed and no packaged one exists for ${process.platform} ${process.arch}; this is Node ${process.versions.node}. Install Node ${oldestNode} and try again.`,
      cannotRun,
    )
  )
}

/** Prepares, and runs the calling script again on Node 24 unless it runs there already. */
export async function onNode24(scriptUrl) {
  const node = prepare()
  if (Number(process.versions.node.split('.')[0]) >= oldestNode) return node
  process.exit(
    await run(node, [fileURLToPath(scriptUrl), ...process.argv.slice(2)], {
      env: environment({ ...itsKey, HEADROOM_BEGAN_AT: String(beganAt) }),
    }),
  )
}

/** Runs a program to its end with our streams and forwards signals; returns its exit code. */
export function run(command, args, options = {}) {
  return new Promise((settle) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      ...options,
      env: environment(options.env),
    })
    const forget = handSignalsTo(child)
    child.on('error', (error) => {
      forget()
      say(`${command} could not be started: ${error.message}`)
      settle(1)
    })
    child.on('close', (code, signal) => {
      forget()
      settle(exitCode(code, signal))
    })
  })
}

/** 128 plus the signal's number for a program that a signal ended, as a shell reports it. */
export const exitCode = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0)

/** Forwards termination signals to the child, so that it can end in order; returns how to stop forwarding. */
export function handSignalsTo(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const hand = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, hand)
  return () => {
    for (const signal of signals) process.off(signal, hand)
  }
}

/** Beside the data folder of the installed program: what is being developed must not change it. */
function developmentHome() {
  const { LOCALAPPDATA, XDG_CONFIG_HOME } = process.env
  const home = homedir()
  const settings = {
    darwin: join(home, 'Library', 'Application Support'),
    win32: LOCALAPPDATA ?? join(home, 'AppData', 'Local'),
  }
  return join(
    settings[process.platform] ?? XDG_CONFIG_HOME ?? join(home, '.config'),
    'Headroom (development)',
  )
}

/** The environment of the program itself. */
export const programEnvironment = (more = {}) =>
  environment({
    HEADROOM_HOME: process.env.HEADROOM_HOME || developmentHome(),
    ...itsKey,
    ...more,
  })

/** The environment of everything we start: the installed Node and tools come first on the path. */
export function environment(more = {}) {
  const bin = join(root, 'node_modules', '.bin')
  const separator = process.platform === 'win32' ? ';' : ':'
  const path = (process.env.PATH ?? '').split(separator)
  return { ...process.env, PATH: [bin, ...path.filter((folder) => folder !== bin)].join(separator), ...more }
}
