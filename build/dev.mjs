// npm run dev: builds and starts Headroom, and does so again whenever a source changes; what it knows is kept in between.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { hasDisplay, openShell, shellArguments } from './electron-binary.mjs'
import { onNode24, programEnvironment, root, run, say } from './prepare.mjs'

// The program loads its pages from its own scheme under its own content policy, in development too: what one sees is what ships.
const quietForMs = 300

const node = await onNode24(import.meta.url)
const shell = await openShell(node)
const headless = !hasDisplay()
const args = [
  ...shellArguments(shell, headless),
  '.',
  ...(headless ? ['--headless'] : []),
  ...process.argv.slice(2),
]

let program = null
let restarting = false
let changed = false

async function startAgain() {
  if (restarting) {
    changed = true
    return
  }
  restarting = true
  do {
    changed = false
    if ((await run(node, [join(root, 'build', 'build.mjs')])) !== 0) {
      say('waiting for the next change')
      continue
    }
    await end()
    program = spawn(shell.executable, args, { cwd: root, env: programEnvironment(), stdio: 'inherit' })
    program.once('exit', (code, signal) => {
      // Closed by whoever works with it, and not by us: done.
      if (!restarting) process.exit(code ?? (signal === null ? 0 : 1))
    })
  } while (changed)
  restarting = false
}

async function end() {
  if (program === null || program.exitCode !== null || program.signalCode !== null) return
  const gone = once(program, 'exit')
  program.kill('SIGTERM')
  await gone
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    restarting = true
    void end().then(() => process.exit(0))
  })
}
let timer
for (const folder of ['electron', 'renderer']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void startAgain(), quietForMs)
  })
}
await startAgain()
