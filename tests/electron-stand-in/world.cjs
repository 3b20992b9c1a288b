'use strict'
// Shared state of the stand-in: the command line, the windows, and whether the program is ending.
const world = {
  cfg: { appDir: process.cwd(), pkg: {}, argv: [], packaged: false },
  app: undefined,
  ipcMain: undefined,
  sessionFor: undefined,
  BrowserWindow: undefined,
  windows: new Set(),
  windowOfTarget: new Map(),
  focused: null,
  quitting: false,
  inQuit: false,
  ready: false,
  lastId: 0,
  colorScheme: '',
}

/** The value of a command line switch: '' for one without a value, undefined for an absent one. */
const sw = (name) => {
  const found = world.cfg.argv.find((x) => x === `--${name}` || x.startsWith(`--${name}=`))
  return found === undefined ? undefined : found.slice(name.length + 3)
}
const headless = () =>
  sw('headless') !== undefined ||
  (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) ||
  process.env.STANDIN_HEADLESS === '1'

const silent = ['then', '__esModule', 'toJSON', 'inspect']
/** An object whose unknown members throw instead of being undefined. */
const strict = (name, object) =>
  new Proxy(object, {
    get(target, key, receiver) {
      if (key in target || typeof key === 'symbol' || silent.includes(key))
        return Reflect.get(target, key, receiver)
      throw new Error(`electron stand-in: ${name}.${key} is not implemented`)
    },
  })

const evt = (extra) => ({
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true
  },
  ...extra,
})

module.exports = { world, sw, headless, strict, evt }
