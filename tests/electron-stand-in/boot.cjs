'use strict'
// argv contract of the real binary: electron [chromium and node switches] <app folder or file> [app
// arguments]. STANDIN_PACKAGED=<folder> acts as a packed program instead, with no app argument and
// app.isPackaged true.
const fs = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const rest = process.argv.slice(2)
// The window system starts before the program's first line, and ends the program where there is none.
const { DISPLAY, WAYLAND_DISPLAY } = process.env
if (
  process.platform === 'linux' &&
  !DISPLAY &&
  !WAYLAND_DISPLAY &&
  !rest.includes('--ozone-platform=headless')
) {
  console.error('Missing X server or $DISPLAY\nThe platform failed to initialize.  Exiting.')
  process.exit(1)
}
const preloads = []
// Playwright passes -r loader.js
for (let k; (k = rest.findIndex((a) => a === '-r' || a === '--require')) >= 0;)
  preloads.push(rest.splice(k, 2)[1])
// What Electron does on Windows before the program's first line, silently: a web page that opens a link must not add arguments. Here on
// every system.
const operands = (rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest).filter(
  (a) => !a.startsWith('-'),
)
if (operands.slice(0, -1).some((a) => /^\s*[a-z][a-z+.-]+:/i.test(a))) process.exit(-1)
const packed = process.env.STANDIN_PACKAGED
const i = rest.findIndex((a) => !a.startsWith('-'))
let target = path.resolve(packed ?? (i < 0 ? '.' : rest[i]))
let appDir = target
let pkg = {}
if (fs.statSync(target).isDirectory()) {
  pkg = JSON.parse(fs.readFileSync(path.join(target, 'package.json'), 'utf8'))
  target = path.join(target, pkg.main || 'index.js')
} else {
  for (appDir = path.dirname(target); ; appDir = path.dirname(appDir)) {
    const file = path.join(appDir, 'package.json')
    if (fs.existsSync(file)) {
      pkg = JSON.parse(fs.readFileSync(file, 'utf8'))
      break
    }
    if (appDir === path.dirname(appDir)) break
  }
}
process.argv = [process.argv[0], ...rest]
process.type = 'browser'
process.resourcesPath = path.dirname(appDir)
if (!packed) process.defaultApp = true
const version = (() => {
  try {
    return require(require.resolve('electron/package.json', { paths: [appDir, __dirname] })).version
  } catch {
    return '0.0.0'
  }
})()
Object.defineProperty(process.versions, 'electron', { value: version, enumerable: true })
// How the app distinguishes the stand-in from Electron.
Object.defineProperty(process.versions, 'electron-stand-in', { value: '1.0.0', enumerable: true })

const standIn = require('./electron.cjs')
standIn.__init({ appDir, pkg, argv: rest, packaged: Boolean(packed) })
for (const file of preloads) require(path.resolve(file))
// Playwright calls this when it listens for windows, so that it sees each from its beginning: a script that a page asks for while
// Playwright attaches may fail. Where it preloads its own script, that script waits in the same way.
const driver =
  ['--inspect=0', '--remote-debugging-port=0'].every((a) => rest.includes(a)) &&
  globalThis.__playwright_run === undefined
    ? new Promise((resolve) => (globalThis.__playwright_run = () => void resolve()))
    : undefined
import(pathToFileURL(target).href).then(
  async () => {
    // A driver waits for DevTools before the app becomes ready. As in Electron, they start when the app's first
    // lines have set its folders.
    if (rest.some((a) => a.startsWith('--remote-debugging-port'))) void standIn.__startBrowser()
    await driver
    standIn.__ready()
  },
  (error) => {
    console.error(error)
    process.exit(1)
  },
)
