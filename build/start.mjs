// npm start: prepares, builds and starts Headroom. `-- --headless --once --json` runs the main workflow once, without a window.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { hasDisplay, openShell, shellArguments } from './electron-binary.mjs'
import { exitCode, handSignalsTo, onNode24, programEnvironment, root, say } from './prepare.mjs'

const node = await onNode24(import.meta.url)
const given = process.argv.slice(2)
if (given.includes('--help')) {
  process.stdout.write('npm start [-- --headless] [-- --once --json [--screenshot=FILE]]\n')
  process.exit(0)
}
const once = given.includes('--once')
const json = given.includes('--json')
const headless = given.includes('--headless') || !hasDisplay()
if (!given.includes('--headless') && headless) say('no display: starting headless')

const shell = await openShell(node)
await build(node)
if (headless && !once) say('running without a window; Ctrl+C ends it')

const folder = once ? mkdtempSync(join(tmpdir(), 'headroom-once-')) : null
const args = [...shellArguments(headless), '.', ...given]
if (headless && !given.includes('--headless')) args.push('--headless')
const more = {}
if (folder !== null) {
  // A temporary data folder: the technician's own data is neither read nor changed. Only the screenshot
  // remains.
  const screenshot = join(root, '.cache', 'once.png')
  mkdirSync(join(root, '.cache'), { recursive: true })
  if (!given.some((a) => a.startsWith('--screenshot='))) args.push(`--screenshot=${screenshot}`)
  more.HEADROOM_HOME = folder
}

const child = spawn(shell.executable, args, {
  cwd: root,
  env: programEnvironment(more),
  stdio: ['inherit', json ? 'pipe' : 'inherit', 'inherit'],
})
handSignalsTo(child)
const answer = json ? lastLineOf(child.stdout) : null
const code = await new Promise((settle) => {
  child.on('error', (error) => {
    say(`${shell.mode} could not be started: ${error.message}`)
    settle(1)
  })
  child.on('close', (ended, signal) => settle(exitCode(ended, signal)))
})
if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
if (answer !== null && answer() !== null) process.stdout.write(`${answer()}\n`)
process.exitCode = code

/** Keeps the last JSON line of a stream for standard output; every other line goes to standard error. */
function lastLineOf(stream) {
  let rest = ''
  let last = null
  const take = (line) => {
    if (line.startsWith('{')) {
      if (last !== null) process.stderr.write(`${last}\n`)
      last = line
    } else if (line !== '') process.stderr.write(`${line}\n`)
  }
  stream.setEncoding('utf8')
  stream.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    lines.map((line) => line.trim()).forEach(take)
  })
  stream.on('end', () => take(rest.trim()))
  return () => last
}
