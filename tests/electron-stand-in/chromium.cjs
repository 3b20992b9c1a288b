'use strict'
// One Chromium for all windows, driven over DevTools; it ends when this process does, however that happens.
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { Cdp } = require('./cdp.cjs')
const { world, sw, headless } = require('./world.cjs')

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const onMac = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
// Chromium without its own windows: the same pages for less.
const withoutWindows = 'chromium-headless-shell'
function findChromium() {
  if (process.env.STANDIN_CHROMIUM) return process.env.STANDIN_CHROMIUM
  const folders = (process.env.PATH ?? '').split(path.delimiter).concat('/usr/bin')
  const wanted = headless() ? [withoutWindows, ...names] : names
  const found = [
    ...wanted.flatMap((name) => folders.map((folder) => path.join(folder, name))),
    ...onMac,
  ].find((file) => fs.existsSync(file))
  if (!found)
    throw new Error(`no Chromium found: install one of ${names.join(', ')}, or name it in STANDIN_CHROMIUM`)
  return found
}

const always = [
  '--remote-allow-origins=*',
  '--remote-debugging-pipe',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--password-store=basic',
  '--disable-dev-shm-usage',
  '--test-type',
  '--disable-features=Translate,MediaRouter,HttpsFirstBalancedModeAutoEnable',
]

async function start() {
  const dir = path.join(world.app.getPath('sessionData'), 'standin-chromium')
  fs.mkdirSync(dir, { recursive: true })
  const asRoot = process.getuid?.() === 0
  const args = [
    `--user-data-dir=${dir}`,
    `--remote-debugging-port=${sw('remote-debugging-port') || 0}`,
    ...always,
    ...(headless()
      ? // Without rounding, a text is as wide in the build without windows as in a window.
        ['--headless', '--no-startup-window', '--hide-scrollbars', '--font-render-hinting=none']
      : [`--app=data:text/html,<title>${encodeURIComponent(world.app.getName())}</title>`]),
    ...(asRoot || sw('no-sandbox') !== undefined ? ['--no-sandbox'] : []),
    ...(sw('force-device-scale-factor') === undefined
      ? []
      : [`--force-device-scale-factor=${sw('force-device-scale-factor')}`]),
    ...world.app.commandLine.__list(),
  ]
  // Chromium also exits with this process because the pipe closes.
  const proc = spawn(findChromium(), args, {
    // Beside it, Chromium cannot give its processes their names.
    env: { ...process.env, GLIBC_TUNABLES: undefined },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  spawned = proc
  for (const pipe of proc.stdio.slice(3)) pipe.on('error', () => {})
  await new Promise((resolve, reject) => {
    let text = ''
    proc.stderr.on('data', (chunk) => {
      text += chunk
      if (process.env.STANDIN_VERBOSE) process.stderr.write(chunk)
      const m = /^DevTools listening on (ws:\/\/\S+)$/m.exec(text)
      if (!m) return
      text = ''
      if (sw('remote-debugging-port') !== undefined) process.stderr.write(`\nDevTools listening on ${m[1]}\n`) // Playwright's _electron waits for this line
      resolve()
    })
    proc.on('exit', (code) => reject(new Error(`chromium exited with ${code}: ${text}`)))
    proc.on('error', reject)
  })
  proc.on('exit', (code, signal) => {
    if (!world.quitting) console.error('stand-in: chromium exited', code, signal)
    for (const w of [...world.windows]) w.__gone()
    if (!world.quitting) world.app.quit()
  })
  const cdp = new Cdp(proc.stdio.slice(3))
  let first
  if (!headless()) {
    const { targetInfos } = await cdp.root.send('Target.getTargets')
    first = targetInfos.find((t) => t.type === 'page')?.targetId
  }
  await cdp.root.send('Target.setDiscoverTargets', { discover: true })
  cdp.root.on('Target.targetDestroyed', ({ targetId }) => world.windowOfTarget.get(targetId)?.__gone())
  const take = () => {
    const target = first
    first = undefined
    return target
  }
  return { cdp, proc, take }
}

let browser
let spawned
const killBrowser = () => spawned?.kill('SIGKILL')
const getBrowser = () => (browser ??= start())
const runningBrowser = () => browser

module.exports = { getBrowser, killBrowser, runningBrowser }
