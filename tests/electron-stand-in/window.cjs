'use strict'
const { EventEmitter } = require('node:events')
const { getBrowser } = require('./chromium.cjs')
const { screen } = require('./desktop.cjs')
const { world, strict, evt } = require('./world.cjs')
const { WebContents } = require('./web-contents.cjs')

class BrowserWindow extends EventEmitter {
  constructor(o = {}) {
    super()
    this.o = o
    this.vis = o.show !== false
    this.title = o.title ?? world.app.getName()
    this.dead = false
    this.rts = false
    const prefs = o.webPreferences ?? {}
    for (const [key, bad] of [
      ['nodeIntegration', true],
      ['contextIsolation', false],
      ['sandbox', false],
    ]) {
      if (prefs[key] === bad) throw new Error(`stand-in: webPreferences.${key}=${bad} cannot be simulated`)
    }
    this.id = world.lastId + 1
    world.windows.add(this)
    world.focused = this
    this.webContents = strict('webContents', new WebContents(this, prefs))
    world.app.emit('browser-window-created', evt(), this)
    world.app.emit('web-contents-created', evt(), this.webContents)
  }
  __gone() {
    if (this.dead) return
    this.dead = true
    world.windows.delete(this)
    world.windowOfTarget.delete(this.webContents.targetId)
    if (world.focused === this) world.focused = null
    this.webContents.emit('destroyed')
    this.emit('closed')
    if (world.windows.size > 0 || world.quitting || world.inQuit) return
    if (world.app.listenerCount('window-all-closed')) world.app.emit('window-all-closed')
    else world.app.quit()
  }
  close() {
    if (this.dead) return
    const e = evt()
    this.__vetoed = false
    this.emit('close', e)
    if (e.defaultPrevented) this.__vetoed = true
    else this.destroy()
  }
  destroy() {
    if (this.dead) return
    const { targetId } = this.webContents
    void getBrowser().then((b) => b.cdp.root.send('Target.closeTarget', { targetId }).catch(() => {}))
    this.__gone()
  }
  isDestroyed() {
    return this.dead
  }
  loadURL(url) {
    return this.webContents.loadURL(url)
  }
  loadFile(file, options) {
    return this.webContents.loadFile(file, options)
  }
  show() {
    this.vis = true
    this.emit('show')
  }
  showInactive() {
    this.show()
  }
  hide() {
    this.vis = false
    this.emit('hide')
  }
  focus() {
    world.focused = this
    this.emit('focus')
  }
  isVisible() {
    return this.vis
  }
  isFocused() {
    return world.focused === this
  }
  getTitle() {
    return this.title
  }
  setTitle(title) {
    this.title = title
  }
  getBounds() {
    const { workArea, bounds } = screen.getPrimaryDisplay()
    return this.full ? { ...bounds } : this.max ? { ...workArea } : this.getNormalBounds()
  }
  getNormalBounds() {
    const { width = 800, height = 600 } = this.o
    const { workArea } = screen.getPrimaryDisplay()
    // Without a position the window opens in the middle.
    const x = this.o.x ?? Math.round(workArea.x + (workArea.width - width) / 2)
    const y = this.o.y ?? Math.round(workArea.y + (workArea.height - height) / 2)
    return { x, y, width, height, ...this.b }
  }
  getContentBounds() {
    return this.getBounds()
  }
  setBounds(bounds) {
    const before = this.getNormalBounds()
    const { minWidth = 0, minHeight = 0 } = this.o
    const wanted = { ...before, ...bounds }
    const after = {
      ...wanted,
      width: Math.max(wanted.width, minWidth),
      height: Math.max(wanted.height, minHeight),
    }
    this.b = after
    if (after.width !== before.width || after.height !== before.height) this.emit('resize')
    if (after.x !== before.x || after.y !== before.y) this.emit('move')
  }
  getSize() {
    const { width, height } = this.getBounds()
    return [width, height]
  }
  setSize(width, height) {
    this.setBounds({ width, height })
  }
  getPosition() {
    const { x, y } = this.getBounds()
    return [x, y]
  }
  setPosition(x, y) {
    this.setBounds({ x, y })
  }
  isMaximized() {
    return this.max === true
  }
  // As in Electron, it shows a hidden window.
  maximize() {
    if (!this.vis) this.show()
    this.#be('max', true, 'maximize')
  }
  unmaximize() {
    this.#be('max', false, 'unmaximize')
  }
  isFullScreen() {
    return this.full === true
  }
  setFullScreen(whole) {
    this.#be('full', whole, whole ? 'enter-full-screen' : 'leave-full-screen')
  }
  #be(state, on, event) {
    if ((this[state] === true) === on) return
    this[state] = on
    this.emit(event)
    this.emit('resize')
  }
  reload() {
    this.webContents.reload()
  }
  capturePage() {
    return this.webContents.capturePage()
  }
  static getAllWindows() {
    return [...world.windows]
  }
  static getFocusedWindow() {
    return world.focused
  }
  static fromWebContents(contents) {
    return [...world.windows].find((w) => w.webContents.id === contents?.id) ?? null
  }
  static fromId(id) {
    return [...world.windows].find((w) => w.id === id) ?? null
  }
}
for (const name of ['isMinimized', 'isMenuBarVisible']) {
  BrowserWindow.prototype[name] = () => false
}
// Methods of Electron that have no counterpart in a headless page.
const without =
  'blur minimize restore center setMinimumSize setMenu removeMenu setMenuBarVisibility setAutoHideMenuBar setIcon setProgressBar'
for (const name of `${without} setBackgroundColor flashFrame setAlwaysOnTop setContentProtection setTitleBarOverlay moveTop`.split(
  ' ',
)) {
  BrowserWindow.prototype[name] = function () {}
}
world.BrowserWindow = BrowserWindow

module.exports = { BrowserWindow }
