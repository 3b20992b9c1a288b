'use strict'
// Structured-clone-shaped text codec; codec.toString() is also injected into the page's isolated world.
function codec() {
  const TA = [
    'Int8Array',
    'Uint8Array',
    'Uint8ClampedArray',
    'Int16Array',
    'Uint16Array',
    'Int32Array',
    'Uint32Array',
    'Float32Array',
    'Float64Array',
    'BigInt64Array',
    'BigUint64Array',
  ]
  const ERR = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError }
  const tag = (v) => Object.prototype.toString.call(v).slice(8, -1)
  const b64 = (u8) => {
    let s = ''
    for (let i = 0; i < u8.length; i += 8192) s += String.fromCharCode(...u8.subarray(i, i + 8192))
    return btoa(s)
  }
  const unb64 = (s) => Uint8Array.from(atob(s), (c) => c.charCodeAt(0)).buffer
  const fail = () => {
    throw new DOMException('An object could not be cloned.', 'DataCloneError')
  }
  /** Whether JSON states all of it, as it does nearly every call: then it is sent as such. */
  const isJson = (v, seen, depth) => {
    if (v === null || typeof v === 'string' || typeof v === 'boolean') return true
    if (typeof v === 'number') return Number.isFinite(v) && !Object.is(v, -0)
    if (typeof v !== 'object' || seen.has(v) || depth > 500) return false
    const from = Object.getPrototypeOf(v)
    if (!Array.isArray(v) && from !== null && Object.getPrototypeOf(from) !== null) return false
    seen.add(v)
    const keys = Object.keys(v)
    return (
      tag(v) === (Array.isArray(v) ? 'Array' : 'Object') &&
      (!Array.isArray(v) || keys.length === v.length) &&
      keys.every((key) => isJson(v[key], seen, depth + 1))
    )
  }
  function encode(root) {
    if (isJson(root, new Set(), 0)) return `=${JSON.stringify(root)}`
    const heap = [],
      seen = new Map()
    const put = (v) => {
      if (v === undefined) return -1
      if (v === null) return -2
      if (typeof v === 'function' || typeof v === 'symbol') fail()
      if (typeof v === 'object') {
        if (seen.has(v)) return seen.get(v)
        seen.set(v, heap.length)
      }
      const i = heap.push(0) - 1
      heap[i] = cell(v)
      return i
    }
    const cell = (v) => {
      if (typeof v === 'string' || typeof v === 'boolean') return v
      if (typeof v === 'number')
        return Number.isFinite(v) && !Object.is(v, -0) ? v : ['n', Object.is(v, -0) ? '-0' : String(v)]
      if (typeof v === 'bigint') return ['i', String(v)]
      const t = ArrayBuffer.isView(v) && !(v instanceof DataView) ? 'TA' : tag(v)
      switch (t) {
        case 'Array':
          return ['A', v.length, Object.keys(v).map((k) => [k, put(v[k])])]
        case 'Date':
          return ['D', +v]
        case 'RegExp':
          return ['R', v.source, v.flags]
        case 'Map':
          return ['M', [...v].map(([k, x]) => [put(k), put(x)])]
        case 'Set':
          return ['S', [...v].map(put)]
        case 'ArrayBuffer':
          return ['B', b64(new Uint8Array(v))]
        case 'TA':
          return [
            'T',
            TA.find((n) => v instanceof globalThis[n]),
            put(v.buffer.slice(v.byteOffset, v.byteOffset + v.byteLength)),
          ]
        case 'Error':
          return ['E', ERR[v.name] ? v.name : 'Error', String(v.message), v.stack, put(v.cause)]
        case 'Object':
          return ['O', Object.keys(v).map((k) => [k, put(v[k])])]
        default:
          return fail() // Promise, WeakMap, Proxy of exotic, DOM nodes…
      }
    }
    return JSON.stringify([put(root), heap])
  }
  function decode(text) {
    if (text.startsWith('=')) return JSON.parse(text.slice(1))
    const [root, heap] = JSON.parse(text),
      done = []
    const get = (i) => {
      if (i === -1) return undefined
      if (i === -2) return null
      if (i in done) return done[i]
      const c = heap[i]
      if (!Array.isArray(c)) return (done[i] = c)
      const [k, a, b, d, e] = c
      switch (k) {
        case 'n':
          return (done[i] = Number(a))
        case 'i':
          return (done[i] = BigInt(a))
        case 'D':
          return (done[i] = new Date(a))
        case 'R':
          return (done[i] = new RegExp(a, b))
        case 'B':
          return (done[i] = unb64(a))
        case 'T':
          return (done[i] = new globalThis[a](get(b)))
        case 'M': {
          const m = (done[i] = new Map())
          for (const [x, y] of a) m.set(get(x), get(y))
          return m
        }
        case 'S': {
          const s = (done[i] = new Set())
          for (const x of a) s.add(get(x))
          return s
        }
        case 'A': {
          const r = (done[i] = new Array(a))
          for (const [x, y] of b) r[x] = get(y)
          return r
        }
        case 'O': {
          const o = (done[i] = {})
          for (const [x, y] of a)
            Object.defineProperty(o, x, {
              value: get(y),
              writable: true,
              enumerable: true,
              configurable: true,
            })
          return o
        }
        case 'E': {
          const er = (done[i] = new ERR[a](b))
          if (d) er.stack = d
          const cause = get(e)
          if (cause !== undefined) er.cause = cause
          return er
        }
      }
    }
    return get(root)
  }
  return { encode, decode }
}
module.exports = codec
