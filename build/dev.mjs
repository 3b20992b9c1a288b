// npm run dev: starts Headroom on a page that Vite serves. A change in renderer/ is visible at once; a change
// in electron/ rebuilds and restarts the program.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { hasDisplay, openShell, shellArguments } from './electron-binary.mjs'
import { onNode24, programEnvironment, root, say } from './prepare.mjs'

// A save of several files is one change.
const quietForMs = 300
const host = '127.0.0.1'

const node = await onNode24(import.meta.url)
const { resolveConfig } = await import('electron-vite')
const { build, createServer, mergeConfig } = await import('vite')
const { contentPolicy } = await import('../electron/main/our-page.ts')
const shell = await openShell(node)
const headless = !hasDisplay()
if (headless) say('running without a window; Ctrl+C ends it')
const args = [...shellArguments(headless), '.', ...(headless ? ['--headless'] : []), ...process.argv.slice(2)]

const configured = async () => {
  const { config } = await resolveConfig(
    { root, logLevel: 'warn', build: { sourcemap: true } },
    'serve',
    'development',
  )
  return config
}
// The page has the policy of the release, except for the styles that Vite inserts on a change: they carry a nonce.
const nonce = randomBytes(16).toString('base64')
const server = await createServer(
  mergeConfig((await configured()).renderer, {
    server: {
      host,
      headers: {
        'content-security-policy': contentPolicy.replace("style-src 'self'", `$& 'nonce-${nonce}'`),
      },
    },
    html: { cspNonce: nonce },
  }),
)
await server.listen()
const address = `http://${host}:${server.httpServer.address().port}`
say(`the renderer is served at ${address}`)

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
    if (!(await built())) {
      say('waiting for the next change')
      continue
    }
    await end()
    program = spawn(shell.executable, args, {
      cwd: root,
      env: programEnvironment({
        ELECTRON_RENDERER_URL: address,
        NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --enable-source-maps`.trim(),
      }),
      stdio: 'inherit',
    })
    program.once('exit', (code, signal) => {
      // The user quit the app: exit.
      if (!restarting) process.exit(code ?? (signal === null ? 0 : 1))
    })
  } while (changed)
  restarting = false
}

/** Builds everything but the renderer, with source maps; returns whether it succeeded, and prints errors. */
async function built() {
  // out/ is not a release build: the next npm start builds it again.
  rmSync(join(root, 'out', '.built'), { force: true })
  try {
    const { main, preload } = await configured()
    await Promise.all([build(main), build(preload)])
    return true
  } catch (error) {
    say(`the build failed: ${error.message}`)
    return false
  }
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
    void Promise.all([end(), server.close()]).then(() => process.exit(0))
  })
}
let timer
watch(join(root, 'electron'), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(() => void startAgain(), quietForMs)
})
await startAgain()
