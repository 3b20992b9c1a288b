// npm run package:try [-- FOLDER]: starts the program that was packed for this system, or the one installed in FOLDER, and its command line.
// Ends with 1 and a sentence for the first thing that is not as it should be.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { ownSystem } from './command-line.mjs'
import { hasDisplay, shellArguments } from './electron-binary.mjs'
import { packedPlaces } from './electron-folder.mjs'
import { onNode24, root, say } from './prepare.mjs'

await onNode24(import.meta.url)
const [given] = process.argv.slice(2)
const inside =
  given === undefined ? dirname(packedPlaces(join(root, 'release'), ownSystem).resources) : resolve(given)
const [program, commandLine] = {
  darwin: ['MacOS/Headroom', 'Resources/cli/bin/headroom'],
  win32: ['Headroom.exe', 'resources/cli/bin/headroom.exe'],
}[process.platform] ?? ['headroom-window', 'resources/cli/bin/headroom']
/** For a start on a slow machine with a cold disk. */
const limitInMs = 180_000
const work = mkdtempSync(join(tmpdir(), 'headroom-try-'))

/** What a command says to somebody who reads at once, or only later. */
async function run(file, words, home, laterInMs = 0) {
  const child = spawn(join(inside, file), words, {
    cwd: work,
    env: { ...process.env, HEADROOM_HOME: join(work, home) },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: limitInMs,
  })
  const ended = new Promise((settle, fail) => {
    child.once('close', settle)
    child.once('error', fail)
  })
  // Without somebody who listens, Node reads and drops what an ended process has said.
  child.stdout.on('readable', () => undefined)
  await setTimeout(laterInMs)
  const output = await buffer(child.stdout)
  return { code: await ended, output }
}

function must(isSo, sentence) {
  if (!isSo) throw new Error(sentence)
}

async function tryWindow() {
  const picture = join(work, 'once.png')
  const words = ['--headless', '--once', '--json', `--screenshot=${picture}`]
  const { code, output } = await run(program, [...shellArguments(!hasDisplay()), ...words], 'window')
  must(code === 0, `${program} ended with ${code}`)
  const { mode, devices } = JSON.parse(output.toString().trimEnd().split('\n').at(-1) ?? '')
  must(devices >= 1000, `${program} read ${devices} devices`)
  const bytes = readFileSync(picture)
  must(
    bytes.toString('latin1', 1, 4) === 'PNG' && bytes.length > 20_000,
    `the picture has ${bytes.length} bytes`,
  )
  say(`the window works: ${mode}, ${devices} devices, a picture of ${bytes.length} bytes`)
  return devices
}

async function tryCommandLine(devices) {
  const answer = async (...words) => {
    const said = await run(commandLine, words, 'command-line')
    must(said.code === 0, `headroom ${words.join(' ')} ended with ${said.code}`)
    return said.output
  }
  await answer('org', 'add', 'Try', '--preset', 'demonstration')
  await answer('sync')
  const { total } = JSON.parse(await answer('devices', '--json'))
  must(total === devices, `the command line has ${total} devices, the window ${devices}`)
  const list = ['devices', '--csv']
  const atOnce = await answer(...list)
  const late = await run(commandLine, list, 'command-line', 2_000)
  must(late.code === 0 && late.output.equals(atOnce), 'a reader who is late gets another output')
  // More than a pipe of any system holds.
  must(atOnce.length > 300_000, `${list.join(' ')} printed ${atOnce.length} bytes`)
  const wrong = await run(commandLine, ['operations', 'a  b', '<&%'], 'command-line')
  must(wrong.code === 2, `wrong usage ended with ${wrong.code}`)
  say(`the command line works: ${total} devices, ${atOnce.length} bytes, exit codes`)
}

function trySignature() {
  if (process.platform !== 'darwin') return
  const { status } = spawnSync('codesign', ['--verify', '--deep', '--strict', dirname(inside)], {
    stdio: 'inherit',
  })
  must(status === 0, 'macOS does not accept the signature')
}

try {
  trySignature()
  await tryCommandLine(await tryWindow())
} catch (error) {
  say(error.message)
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true, maxRetries: 5 })
}
