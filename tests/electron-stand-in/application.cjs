'use strict'
const { spawn, spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const net = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { runningBrowser, killBrowser } = require('./chromium.cjs')
const { world, sw, strict, evt } = require('./world.cjs')

const paths = new Map()
const switches = []
let lockServer
let relaunch = false
let readyResolve
const whenReady = new Promise((resolve) => (readyResolve = resolve))

function getPath(name) {
  if (paths.has(name)) return paths.get(name)
  const configuration = process.env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config')
  const userData =
    paths.get('userData') ??
    (sw('user-data-dir') ? path.resolve(sw('user-data-dir')) : path.join(configuration, app.getName()))
  const known = {
    home: os.homedir(),
    appData: configuration,
    userData,
    sessionData: userData,
    temp: os.tmpdir(),
    exe: process.execPath,
    logs: path.join(userData, 'logs'),
    crashDumps: path.join(userData, 'Crashpad'),
    desktop: path.join(os.homedir(), 'Desktop'),
    documents: path.join(os.homedir(), 'Documents'),
    downloads: path.join(os.homedir(), 'Downloads'),
  }
  if (!(name in known)) throw new Error(`Failed to get '${name}' path`)
  return known[name]
}

function setPath(name, to) {
  if (!path.isAbsolute(to)) throw new Error('Path must be absolute')
  try {
    getPath(name)
  } catch {
    throw new Error('Failed to set path')
  }
  paths.set(name, to)
}

/**
 * Electron has one lock for each userData folder; false also stands for any error. The socket is elsewhere, as
 * Chromium's is, because its path must be short.
 */
function lock(data) {
  if (lockServer) return true
  const userData = getPath('userData')
  try {
    fs.mkdirSync(userData, { recursive: true })
    fs.accessSync(userData, fs.constants.W_OK)
  } catch {
    return false
  }
  const hash = createHash('sha256').update(userData).digest('hex').slice(0, 16)
  const socket = path.join(os.tmpdir(), `standin-${hash}.sock`)
  const message = JSON.stringify({ argv: process.argv, cwd: process.cwd(), data })
  const probe = `const s=require('net').connect(${JSON.stringify(socket)},()=>{s.end(${JSON.stringify(message)},()=>process.exit(0))});s.on('error',()=>process.exit(1))`
  if (fs.existsSync(socket) && spawnSync(process.execPath, ['-e', probe]).status === 0) return false
  fs.rmSync(socket, { force: true })
  lockServer = net.createServer((connection) => {
    let text = ''
    connection.on('data', (chunk) => (text += chunk))
    connection.on('end', () => {
      const m = JSON.parse(text)
      app.emit('second-instance', evt(), m.argv, m.cwd, m.data)
    })
  })
  lockServer.listen(socket).unref()
  return true
}

async function quit(code) {
  if (world.quitting || world.inQuit) return
  world.inQuit = true
  try {
    const before = evt()
    app.emit('before-quit', before)
    if (before.defaultPrevented) return
    for (const w of [...world.windows]) {
      w.close()
      if (!w.isDestroyed() && w.__vetoed) return
    }
    const will = evt()
    app.emit('will-quit', will)
    if (will.defaultPrevented) return
  } finally {
    world.inQuit = false
  }
  world.quitting = true
  app.emit('quit', evt(), code)
  await finish(code)
}

async function finish(code) {
  world.quitting = true
  const browser = await runningBrowser()?.catch(() => null)
  if (browser) {
    const gone = once(browser.proc, 'exit')
    await browser.cdp.root.send('Browser.close').catch(() => {})
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 3000))])
  }
  leave(code)
}

/** As in Electron, nothing that was not yet written is waited for. */
function leave(code) {
  killBrowser()
  lockServer?.close()
  if (relaunch)
    spawn(process.execPath, process.execArgv.concat(process.argv.slice(1)), {
      stdio: 'inherit',
      detached: true,
    }).unref()
  process.exit(code)
}

const nothing = () => {}
const object = Object.assign(new EventEmitter(), {
  name: undefined,
  commandLine: {
    appendSwitch: (key, value) => switches.push(value ? `--${key}=${value}` : `--${key}`),
    appendArgument: (value) => switches.push(value),
    hasSwitch: (key) => sw(key) !== undefined,
    getSwitchValue: (key) => sw(key) ?? '',
    removeSwitch: (key) => {
      for (const list of [switches, world.cfg.argv])
        for (let i = list.length - 1; i >= 0; i--)
          if (list[i] === `--${key}` || list[i].startsWith(`--${key}=`)) list.splice(i, 1)
    },
    __list: () => switches.filter((s) => !/^--(user-data-dir|remote-debugging)/.test(s)),
  },
  whenReady: () => whenReady,
  isReady: () => world.ready,
  getName: () => object.name ?? world.cfg.pkg.productName ?? world.cfg.pkg.name ?? 'Electron',
  setName: (name) => (object.name = name),
  getVersion: () => world.cfg.pkg.version ?? '0.0.0',
  getAppPath: () => world.cfg.appDir,
  getLocale: () => 'en-US',
  getSystemLocale: () => 'en-US',
  getPreferredSystemLanguages: () => ['en-US'],
  getPath,
  setPath,
  requestSingleInstanceLock: lock,
  hasSingleInstanceLock: () => lockServer !== undefined,
  releaseSingleInstanceLock: () => {
    lockServer?.close()
    lockServer = undefined
  },
  quit: () => void quit(0),
  exit: (code = 0) => leave(code),
  relaunch: () => (relaunch = true),
  focus: nothing,
  hide: nothing,
  show: nothing,
  setAppUserModelId: nothing,
  setAsDefaultProtocolClient: () => false,
  isDefaultProtocolClient: () => false,
  disableHardwareAcceleration: nothing,
  enableSandbox: nothing,
  setAboutPanelOptions: nothing,
  setBadgeCount: () => false,
  getGPUFeatureStatus: () => ({}),
  getAppMetrics: () => [],
  getLoginItemSettings: () => ({ openAtLogin: false }),
  setLoginItemSettings: nothing,
  isInApplicationsFolder: () => false,
})
Object.defineProperty(object, 'isPackaged', { get: () => world.cfg.packaged, enumerable: true })
const app = strict('app', object)
world.app = app
// The first signal requests a normal quit, as in Electron.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void quit(0))

function ready() {
  setImmediate(() => {
    world.ready = true
    app.emit('will-finish-launching')
    app.emit('ready', evt(), {})
    readyResolve()
  })
}

module.exports = { app, ready }
