// Builds out/ with electron-vite when a source changed since the last build.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { environment, exitCode, giveUp, prepare, root, say } from './prepare.mjs'

const stamp = join(root, 'out', '.built')
const lock = join(root, 'node_modules', '.cache', 'headroom', 'building')
/** Everything that decides what is built. */
export const sources = [
  'electron',
  'renderer',
  'electron.vite.config.ts',
  'build/third-party-notices.mjs',
  'build/licences',
  'build/guide-pages.mjs',
  'build/pictures',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** Names, sizes and times of all sources as one hash: a few milliseconds, no file is read. */
function fingerprint() {
  const hash = createHash('sha256')
  const add = (path) => {
    const file = join(root, path)
    const known = statSync(file, { throwIfNoEntry: false })
    if (known === undefined) return
    if (!known.isDirectory()) hash.update(`${path}\0${known.size}\0${known.mtimeMs}\n`)
    else for (const name of readdirSync(file).sort()) add(`${path}/${name}`)
  }
  sources.forEach(add)
  return hash.digest('hex')
}

const built = (wanted) => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted

/** Brings out/ up to date; its output goes to standard error. Exits with code 1 on failure. */
export async function build(node) {
  if (!built(fingerprint())) await rebuild(node)
  // Not a part of the built code, which stays the same when it is committed.
  writeFileSync(join(root, 'out', 'commit'), commit())
}

/** HEAD, 40 hex digits; empty in a source archive. */
function commit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 && existsSync(join(root, '.git')) ? stdout.trim() : ''
}

async function rebuild(node) {
  await whileAlone(async () => {
    const wanted = fingerprint()
    if (built(wanted)) return
    say('building')
    const startedAt = Date.now()
    const chunks = []
    const code = await new Promise((settle) => {
      const child = spawn(
        node,
        [
          join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
          'build',
          '--logLevel',
          'warn',
        ],
        {
          cwd: root,
          env: environment(),
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      )
      child.stdout.on('data', (chunk) => chunks.push(chunk))
      child.stderr.on('data', (chunk) => chunks.push(chunk))
      child.on('error', () => settle(1))
      child.on('close', (ended, signal) => settle(exitCode(ended, signal)))
    })
    if (code !== 0) {
      process.stderr.write(Buffer.concat(chunks))
      giveUp('the build failed; see the lines above')
    }
    writeFileSync(stamp, wanted)
    say(`built in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
  })
}

/** Two builds at once would empty each other's folder: the second one waits for the first. */
async function whileAlone(work) {
  mkdirSync(join(lock, '..'), { recursive: true })
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!holderLives()) rmSync(lock, { recursive: true, force: true })
    else await new Promise((resolve) => setTimeout(resolve, 200))
  }
  try {
    writeFileSync(join(lock, 'pid'), String(process.pid))
    await work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

function holderLives() {
  try {
    process.kill(Number(readFileSync(join(lock, 'pid'), 'utf8')), 0)
    return true
  } catch (error) {
    if (error.code === 'EPERM') return true
    // A lock without a pid is at most a second old, unless its creator died in between.
    return (
      error.code === 'ENOENT' &&
      Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 5_000
    )
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build(prepare())
