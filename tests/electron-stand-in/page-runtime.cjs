'use strict'
// Source injected before every document: bridge() runs in BOTH worlds, preloadWorld() in the isolated one only.
// Cross-world transport = synchronous CustomEvents on window; Blink structured-clones event.detail between worlds.
function bridge(token, side) {
  const other = side === 'i' ? 'm' : 'i'
  const fns = [],
    settle = new Map(),
    results = new Map()
  let seq = 0
  const emit = (kind, detail) =>
    window.dispatchEvent(new CustomEvent(`${token}:${kind}:${other}`, { detail }))
  const on = (kind, cb) =>
    window.addEventListener(`${token}:${kind}:${side}`, (e) => {
      e.stopImmediatePropagation()
      cb(e.detail)
    })
  const plain = (v) => {
    const p = Object.getPrototypeOf(v)
    return p === null || Object.getPrototypeOf(p) === null
  }
  /** Whether Blink's own clone of it is what the bridge would give; functions, promises and errors are not. */
  const isData = (v, depth = 0) => {
    if (v === null || typeof v !== 'object') return typeof v !== 'function' && typeof v !== 'symbol'
    if (depth > 500) return false
    if (Array.isArray(v)) return v.every((x) => isData(x, depth + 1))
    return plain(v) && Object.values(v).every((x) => isData(x, depth + 1))
  }
  function pack(v, depth = 0) {
    if (depth === 0 && isData(v)) return { k: 'v', v }
    if (depth > 1000)
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      )
    if (typeof v === 'function') return { k: 'f', v: fns.push(v) - 1 }
    if (typeof v === 'symbol') throw new TypeError('symbols cannot cross the contextBridge')
    if (v === null || typeof v !== 'object') return { k: 'v', v }
    if (v instanceof Promise) {
      const id = side + ++seq
      v.then(
        (x) => emit('settle', { id, ok: true, v: pack(x) }),
        (x) => emit('settle', { id, ok: false, v: pack(x) }),
      )
      return { k: 'p', v: id }
    }
    if (v instanceof Error) return { k: 'e', v: [v.message, v.name] }
    if (Array.isArray(v)) return { k: 'a', v: v.map((x) => pack(x, depth + 1)) }
    if (plain(v) || Object.prototype.toString.call(v) === '[object Object]')
      return { k: 'o', v: Object.keys(v).map((k) => [k, pack(v[k], depth + 1)]) }
    return { k: 'v', v: structuredClone(v) } // throws DataCloneError like the real one
  }
  function unpack({ k, v }, freeze) {
    switch (k) {
      case 'f':
        return (...args) => call(v, args)
      case 'p':
        return new Promise((ok, no) => settle.set(v, { ok, no }))
      case 'e':
        return new Error(v[1] === 'Error' || !v[1] ? v[0] : v[0])
      case 'a': {
        const r = v.map((x) => unpack(x, freeze))
        return freeze ? Object.freeze(r) : r
      }
      case 'o': {
        const o = {}
        for (const [key, x] of v) o[key] = unpack(x, freeze)
        return freeze ? Object.freeze(o) : o
      }
      default:
        return v
    }
  }
  function call(fn, args) {
    const id = side + ++seq
    emit('call', { id, fn, args: args.map((a) => pack(a)) })
    const r = results.get(id)
    results.delete(id)
    if (!r) throw new Error('bridge gone')
    if (!r.ok) throw unpack(r.v)
    return unpack(r.v)
  }
  on('call', ({ id, fn, args }) => {
    let r
    try {
      r = { id, ok: true, v: pack(fns[fn](...args.map((a) => unpack(a)))) }
    } catch (e) {
      r = { id, ok: false, v: pack(e instanceof Error ? e : new Error(String(e))) }
    }
    emit('ret', r)
  })
  on('ret', (r) => results.set(r.id, r))
  on('settle', ({ id, ok, v }) => {
    const s = settle.get(id)
    settle.delete(id)
    if (s) (ok ? s.ok : s.no)(unpack(v))
  })
  on('expose', ({ key, v }) =>
    Object.defineProperty(window, key, {
      value: unpack(v, true),
      enumerable: true,
      writable: false,
      configurable: false,
    }),
  )
  if (side === 'm') {
    // A denied window.open never creates a target in Electron; here every request for a popup is passed to
    // the main process instead.
    const self = /^_(self|top|parent)$/i,
      open = window.open
    const ask = (url, name, features) =>
      emit('open', { url: String(new URL(url, location.href)), name, features })
    window.open = function (url = '', name = '', features = '') {
      if (self.test(name)) return open.call(window, url, name, features)
      ask(url || 'about:blank', String(name), String(features))
      return null
    }
    // Electron lets a page close its own window; Chromium only one that a script has opened.
    window.close = () => emit('close', {})
    const click = (e) => {
      const a = e.composedPath().find((n) => n.localName === 'a' && n.href)
      if (
        a &&
        !e.defaultPrevented &&
        ((a.target && !self.test(a.target)) || e.ctrlKey || e.metaKey || e.shiftKey || e.button === 1)
      ) {
        e.preventDefault()
        ask(a.href, a.target, '')
      }
    }
    window.addEventListener('click', click)
    window.addEventListener('auxclick', (e) => e.button === 1 && click(e))
  }
  return {
    on,
    expose: (key, v) => {
      // Exposed values are frozen one by one.
      emit('expose', { key, v: pack(v, 1) })
    },
  }
}
function preloadWorld(token, codec, between, bindingName, info, preload) {
  if (window.top !== window) return
  const { encode, decode } = codec(),
    b = between(token, 'i')
  const post = globalThis[bindingName].bind(globalThis)
  delete globalThis[bindingName]
  b.on('open', (d) => post(JSON.stringify({ t: 'open', ...d })))
  b.on('close', () => post(JSON.stringify({ t: 'close' })))
  const exposed = new Set(),
    pending = new Map()
  // A reply to a call of an earlier document is dropped, as in Electron: its id is none of this one's.
  const own = Math.random()
  let seq = 0
  class Emitter {
    #l = new Map()
    on(n, f) {
      ;(this.#l.get(n) ?? this.#l.set(n, []).get(n)).push(f)
      return this
    }
    addListener(n, f) {
      return this.on(n, f)
    }
    once(n, f) {
      const g = (...a) => {
        this.off(n, g)
        f(...a)
      }
      g.listener = f
      return this.on(n, g)
    }
    off(n, f) {
      const a = this.#l.get(n) ?? []
      const i = a.findIndex((x) => x === f || x.listener === f)
      if (i >= 0) a.splice(i, 1)
      return this
    }
    removeListener(n, f) {
      return this.off(n, f)
    }
    removeAllListeners(n) {
      if (n === undefined) this.#l.clear()
      else this.#l.delete(n)
      return this
    }
    emit(n, ...a) {
      const l = [...(this.#l.get(n) ?? [])]
      for (const f of l) f(...a)
      return l.length > 0
    }
    listenerCount(n) {
      return (this.#l.get(n) ?? []).length
    }
  }
  const ipcRenderer = new Emitter()
  Object.assign(ipcRenderer, {
    send: (channel, ...args) => post(JSON.stringify({ t: 'send', channel, data: encode(args) })),
    invoke: (channel, ...args) =>
      new Promise((ok, no) => {
        const id = `${own}-${++seq}`
        const data = encode(args) // DataCloneError rejects, as in Electron
        pending.set(id, { ok, no, channel })
        post(JSON.stringify({ t: 'invoke', id, channel, data }))
      }),
    sendSync: () => {
      throw new Error('stand-in: ipcRenderer.sendSync is not supported')
    },
    postMessage: () => {
      throw new Error('stand-in: ipcRenderer.postMessage is not supported')
    },
  })
  Object.defineProperty(globalThis, '__standinDeliver', {
    value: (m, data) => {
      if (m.t === 'reply') {
        const p = pending.get(m.id)
        if (p === undefined) return
        pending.delete(m.id)
        if (m.error !== undefined) p.no(new Error(`Error invoking remote method '${p.channel}': ${m.error}`))
        else p.ok(decode(data))
      } else ipcRenderer.emit(m.channel, { sender: ipcRenderer, senderId: 0, ports: [] }, ...decode(data))
    },
  })
  const contextBridge = {
    exposeInMainWorld: (key, api) => {
      if (exposed.has(key))
        throw new Error(`Cannot bind an API on top of an existing property on the window object`)
      exposed.add(key)
      b.expose(key, api)
    },
  }
  const mods = {
    electron: {
      contextBridge,
      ipcRenderer,
      webUtils: { getPathForFile: () => '' },
      webFrame: { setZoomFactor() {}, getZoomFactor: () => 1 },
      crashReporter: {},
      nativeImage: {},
    },
    events: Object.assign(Emitter, { EventEmitter: Emitter }),
    timers: { setTimeout, clearTimeout, setInterval, clearInterval },
    url: { URL, URLSearchParams },
  }
  const require = (id) => {
    const m = mods[id.replace(/^node:/, '')]
    if (!m) throw new Error(`module not found: ${id}`)
    return m
  }
  const process = {
    ...info,
    contextIsolated: true,
    sandboxed: true,
    type: 'renderer',
    env: {},
    nextTick: (f, ...a) => queueMicrotask(() => f(...a)),
    on() {},
    once() {},
  }
  const inputs = { mousedown: 'mouseDown', keydown: 'rawKeyDown', touchstart: 'touchStart' }
  for (const [name, type] of Object.entries(inputs))
    addEventListener(name, (e) => e.isTrusted && post(JSON.stringify({ t: 'input', type })), {
      capture: true,
      passive: true,
    })
  try {
    preload(require, process, (f, ...a) => setTimeout(f, 0, ...a), clearTimeout)
  } catch (e) {
    post(JSON.stringify({ t: 'preload-error', message: String(e?.message), stack: String(e?.stack) }))
    console.error('Unable to load preload script:', e)
  }
}
module.exports = { bridge, preloadWorld }
