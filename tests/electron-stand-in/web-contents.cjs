'use strict'
const crypto = require('node:crypto')
const { EventEmitter } = require('node:events')
const fs = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const { answerPage, fromPage, policyForPage, toPage } = require('./addresses.cjs')
const { getBrowser } = require('./chromium.cjs')
const codec = require('./codec.cjs')
const { bridge, preloadWorld } = require('./page-runtime.cjs')
const { ipcMain, invokeHandlers } = require('./ipc.cjs')
const { world, evt } = require('./world.cjs')

const { encode, decode } = codec()
const isolatedWorld = 'Electron Isolated Context'
const binding = '__standinPost'
const unlessGone = (error) => {
  if (!error.cdp) throw error
}

class WebContents extends EventEmitter {
  constructor(win, prefs) {
    super()
    this.win = win
    this.id = ++world.lastId
    this.prefs = prefs
    this.url = ''
    this.own = new Set()
    this.queue = []
    this.host = this.ctx = this.s = this.targetId = this.token = this.wo = undefined
    this.session = world.sessionFor(prefs.partition)
    this.mainFrame = {
      get url() {
        return win.webContents.url
      },
      get origin() {
        const { url } = win.webContents
        const { origin } = new URL(url)
        return origin === 'null' ? url.split('/').slice(0, 3).join('/') : origin
      },
      routingId: 1,
      processId: 1,
      parent: null,
      top: null,
      isDestroyed: () => win.isDestroyed(),
      send: (...args) => this.send(...args),
    }
    this.ready = this.__start()
    this.ready.catch((error) => {
      if (!world.quitting) console.error('stand-in:', error)
    })
  }

  async __start() {
    const browser = await getBrowser()
    const { win } = this
    const size = { width: win.o.width ?? 800, height: win.o.height ?? 600 }
    this.targetId =
      browser.take() ??
      (await browser.cdp.root.send('Target.createTarget', { url: 'about:blank', newWindow: true, ...size }))
        .targetId
    world.windowOfTarget.set(this.targetId, win)
    const s = (this.s = await browser.cdp.attach(this.targetId))
    this.token = crypto.randomUUID()
    s.on('Runtime.executionContextCreated', ({ context }) => {
      if (context.name !== isolatedWorld || context.auxData?.frameId !== this.targetId) return
      this.ctx = context.uniqueId
      for (const message of this.queue.splice(0)) this.__deliver(message)
    })
    s.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === binding) void this.__fromPage(JSON.parse(payload))
    })
    s.on('Runtime.consoleAPICalled', (e) =>
      this.emit(
        'console-message',
        evt({ level: e.type, message: e.args.map((a) => a.value ?? a.description).join(' ') }),
      ),
    )
    s.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId) return
      this.url = fromPage(frame.url)
      this.emit('did-navigate', evt(), this.url)
    })
    s.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId !== this.targetId) return
      this.url = fromPage(url)
      this.emit('did-navigate-in-page', evt(), this.url, true)
    })
    s.on('Page.domContentEventFired', () => {
      this.emit('dom-ready', evt())
      if (win.rts) return
      win.rts = true
      win.emit('ready-to-show')
    })
    s.on('Page.loadEventFired', () => this.emit('did-finish-load'))
    s.on('Inspector.targetCrashed', () =>
      this.emit('render-process-gone', evt(), { reason: 'crashed', exitCode: 5 }),
    )
    s.on('Fetch.requestPaused', (request) => {
      this.__paused(request).catch((error) => {
        if (!error.cdp) console.error('stand-in:', error)
      })
    })
    await Promise.all([
      s.send('Page.enable'),
      s.send('Runtime.enable'),
      s.send('Inspector.enable').catch(() => {}),
      s.send('Fetch.enable', {
        patterns: [{ urlPattern: 'https://*.localhost/*' }, { urlPattern: '*', resourceType: 'Document' }],
      }),
      s.send('Runtime.addBinding', { name: binding, executionContextName: isolatedWorld }),
      this.__scripts(s),
      this.__colorScheme(),
    ])
  }

  async __colorScheme() {
    await this.s
      ?.send('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: world.colorScheme }],
      })
      .catch(unlessGone)
  }

  async __scripts(s) {
    const token = JSON.stringify(this.token)
    await s.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `if(window.top===window)(${bridge})(${token},'m')`,
    })
    const file = this.prefs.preload
    const info = JSON.stringify({
      platform: process.platform,
      arch: process.arch,
      versions: { ...process.versions },
      version: process.version,
      argv: this.prefs.additionalArguments ?? [],
      execPath: process.execPath,
      isMainFrame: true,
      defaultApp: process.defaultApp,
    })
    const source = file ? fs.readFileSync(file, 'utf8') : ''
    const run = `function(require,process,setImmediate,clearImmediate){const module={exports:{}},exports=module.exports,global=globalThis;\n${source}\n}`
    await s.send('Page.addScriptToEvaluateOnNewDocument', {
      worldName: isolatedWorld,
      source: `(${preloadWorld})(${token},${codec},${bridge},${JSON.stringify(binding)},${info},${run})\n//# sourceURL=${file ? pathToFileURL(file) : 'standin-preload'}`,
    })
  }

  async __fromPage(m) {
    // What the browser itself trusts stands for the input that main sees.
    if (m.t === 'input') return void this.emit('input-event', evt(), { type: m.type })
    if (m.t === 'preload-error') {
      this.emit(
        'preload-error',
        evt(),
        this.prefs.preload,
        Object.assign(new Error(m.message), { stack: m.stack }),
      )
      return
    }
    if (m.t === 'open') return this.__open(m.url, m.name, m.features)
    if (m.t === 'close') return this.win.close()
    const senderFrame = { ...this.mainFrame, url: this.url, origin: this.mainFrame.origin }
    const e = evt({
      sender: this.win.webContents,
      senderFrame,
      frameId: 1,
      processId: 1,
      reply: (...args) => this.send(...args),
    })
    const args = decode(m.data)
    if (m.t === 'send') {
      this.emit('ipc-message', e, m.channel, ...args)
      ipcMain.emit(m.channel, e, ...args)
      return
    }
    let out
    try {
      const handler = invokeHandlers.get(m.channel)
      if (!handler) throw new Error(`No handler registered for '${m.channel}'`)
      out = { t: 'reply', id: m.id, data: encode(await handler(e, ...args)) }
    } catch (error) {
      out = { t: 'reply', id: m.id, error: String(error) }
      if (!error?.message?.startsWith('No handler'))
        console.error(`Error occurred in handler for '${m.channel}':`, error)
    }
    this.__deliver(out)
  }

  __deliver(message) {
    if (!this.ctx || this.win.isDestroyed()) {
      // As in Electron, events are lost until the page has loaded.
      if (message.t === 'reply') this.queue.push(message)
      return
    }
    const { data, ...head } = message
    this.s
      .send('Runtime.callFunctionOn', {
        functionDeclaration: '(head, data) => __standinDeliver(head, data)',
        // Beside the rest: text within text would be escaped twice, which takes long for many rows.
        arguments: [{ value: head }, { value: data }],
        uniqueContextId: this.ctx,
      })
      .catch(unlessGone)
  }

  send(channel, ...args) {
    if (this.win.isDestroyed()) throw new TypeError('Object has been destroyed')
    this.__deliver({ t: 'event', channel, data: encode(args) })
  }

  async __paused({ requestId, request, resourceType, frameId }) {
    const { s } = this
    const asked = request.url + (request.urlFragment ?? '')
    const real = fromPage(asked)
    const url = new URL(real)
    if (resourceType === 'Document' && frameId === this.targetId && !this.own.delete(real.split('#')[0])) {
      const e = evt({ url: real, isMainFrame: true })
      this.emit('will-navigate', e, real)
      if (e.defaultPrevented) return s.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    }
    if (real === asked) {
      if (/\.localhost\/?$/.test(url.origin) && url.port === '')
        return s.send('Fetch.failRequest', { requestId, errorReason: 'NameNotResolved' })
      return s.send('Fetch.continueRequest', { requestId })
    }
    if (url.pathname === '/favicon.ico')
      return s.send('Fetch.fulfillRequest', { requestId, responseCode: 204 })
    let answer
    try {
      answer = await answerPage(real, request)
    } catch (error) {
      if (process.env.STANDIN_VERBOSE) console.error(error)
      return s.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })
    }
    const body = Buffer.from(await answer.arrayBuffer())
    const responseHeaders = [...answer.headers].map(([name, value]) => ({
      name,
      value: /^content-security-policy/.test(name) ? policyForPage(value) : value,
    }))
    return s.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders,
      body: body.toString('base64'),
    })
  }

  __open(url, frameName, features) {
    const referrer = { url: this.url, policy: 'strict-origin-when-cross-origin' }
    const decision = this.wo?.({
      url: fromPage(url),
      frameName,
      features,
      disposition: 'foreground-tab',
      referrer,
    }) ?? { action: 'allow' }
    if (decision.action !== 'deny')
      console.error(`stand-in: child window for ${url} is not supported, denied`)
  }

  async loadURL(url) {
    try {
      await this.__load(url)
    } catch (error) {
      // A page that is removed while it loads, with its window or the program, is no failure.
      if (!error.cdp || !(this.win.isDestroyed() || world.quitting)) throw error
    }
  }
  async __load(url) {
    await this.ready
    const page = new URL(toPage(url)).href
    this.own.add(fromPage(page).split('#')[0])
    const ctx = this.ctx
    this.ctx = undefined
    const loaded = new Promise((resolve) => this.s.once('Page.loadEventFired', resolve))
    const { errorText, loaderId } = await this.s.send('Page.navigate', { url: page })
    if (errorText) {
      this.emit('did-fail-load', evt(), -2, errorText, url, true)
      throw new Error(`${errorText} loading '${url}'`)
    }
    // A change of the position within the same page causes no load.
    if (loaderId === undefined) this.ctx = ctx
    else await loaded
  }
  loadFile(file, options) {
    return this.loadURL(
      String(
        Object.assign(pathToFileURL(path.resolve(world.cfg.appDir, file)), { hash: options?.hash ?? '' }),
      ),
    )
  }
  getURL() {
    return this.url
  }
  getTitle() {
    return this.win.getTitle()
  }
  getOSProcessId() {
    return process.pid
  }
  async executeJavaScript(code) {
    await this.ready
    const r = await this.s.send('Runtime.evaluate', {
      expression: code,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    })
    if (r.exceptionDetails)
      throw new Error(r.exceptionDetails.exception?.description ?? r.exceptionDetails.text)
    return r.result.value
  }
  async capturePage() {
    await this.ready
    // On Windows and Linux a hidden window has no frame that could be copied.
    if (process.platform !== 'darwin' && !this.win.isVisible())
      return {
        toPNG: () => Buffer.alloc(0),
        toDataURL: () => 'data:image/png;base64,',
        isEmpty: () => true,
        getSize: () => ({ width: 0, height: 0 }),
      }
    const { data } = await this.s.send('Page.captureScreenshot', { format: 'png' })
    const png = Buffer.from(data, 'base64')
    const size = { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
    return {
      toPNG: () => png,
      toDataURL: () => `data:image/png;base64,${data}`,
      isEmpty: () => false,
      getSize: () => size,
    }
  }
  async printToPDF() {
    return Buffer.from((await this.s.send('Page.printToPDF', { printBackground: true })).data, 'base64')
  }
  setWindowOpenHandler(handler) {
    this.wo = handler
  }
  reload() {
    this.own.add(this.url.split('#')[0])
    void this.s?.send('Page.reload')
  }
  forcefullyCrashRenderer() {
    // It is never answered.
    this.s?.send('Page.crash').catch(unlessGone)
  }
  close() {
    this.win.close()
  }
  isDestroyed() {
    return this.win.isDestroyed()
  }
  isCrashed() {
    return false
  }
  isLoading() {
    return false
  }
  getLastWebPreferences() {
    return { ...this.prefs }
  }
  isDevToolsOpened() {
    return false
  }
  getZoomFactor() {
    return 1
  }
  static getAllWebContents() {
    return [...world.windows].map((w) => w.webContents)
  }
  static fromId(id) {
    return WebContents.getAllWebContents().find((w) => w.id === id)
  }
  static fromDevToolsTargetId(target) {
    return world.windowOfTarget.get(target)?.webContents
  }
  static getFocusedWebContents() {
    return world.focused?.webContents ?? null
  }
}
// Methods of Electron that have no effect on a page here.
for (const name of [
  'focus',
  'openDevTools',
  'closeDevTools',
  'toggleDevTools',
  'setZoomFactor',
  'setZoomLevel',
  'setVisualZoomLevelLimits',
  'setBackgroundThrottling',
  'setUserAgent',
]) {
  WebContents.prototype[name] = function () {}
}

module.exports = { WebContents }
