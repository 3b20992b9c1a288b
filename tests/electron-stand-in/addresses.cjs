'use strict'
// Custom schemes and file: are served at https://<host>.<scheme>.localhost inside Chromium.
const fs = require('node:fs')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const { world, strict } = require('./world.cjs')

const schemes = new Map() // scheme -> privileges
const handlers = new Map() // scheme -> handler

const toPage = (address) => {
  const url = new URL(address)
  const rest = `${url.pathname}${url.search}${url.hash}`
  if (url.protocol === 'file:') return `https://x.file.localhost${rest}`
  const scheme = url.protocol.slice(0, -1)
  return schemes.has(scheme) ? `https://${url.host || 'x'}.${scheme}.localhost${rest}` : address
}

const fromPage = (address) => {
  const m = /^https:\/\/([^/]*)\.([a-z][a-z0-9+-]*)\.localhost(\/[^]*)?$/.exec(address)
  if (!m) return address
  if (m[2] === 'file') return `file://${m[3] ?? '/'}`
  return schemes.has(m[2]) ? `${m[2]}://${m[1]}${m[3] ?? '/'}` : address
}

/** Content policy sources with a custom scheme must name its stand-in origin. */
const policyForPage = (policy) =>
  policy
    .replace(/\b([a-z][a-z0-9+-]*):\/\/([a-z0-9.*-]+)/gi, (whole, scheme, host) =>
      schemes.has(scheme) ? `https://${host}.${scheme}.localhost` : whole,
    )
    .replace(/(^|[\s;])([a-z][a-z0-9+-]*):(?=[\s;]|$)/gi, (whole, before, scheme) =>
      schemes.has(scheme) ? `${before}https://*.${scheme}.localhost` : whole,
    )

const types = {
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  map: 'application/json',
  ico: 'image/x-icon',
}

async function fileResponse(file) {
  try {
    return new Response(await fs.promises.readFile(file), {
      headers: { 'content-type': types[path.extname(file).slice(1)] ?? 'application/octet-stream' },
    })
  } catch {
    throw new Error('net::ERR_FILE_NOT_FOUND')
  }
}

async function netFetch(input, init) {
  const address = typeof input === 'string' || input instanceof URL ? String(input) : input.url
  const url = new URL(address)
  if (url.protocol === 'file:') return fileResponse(fileURLToPath(url))
  const handler = handlers.get(url.protocol.slice(0, -1))
  return handler && !init?.bypassCustomProtocolHandlers
    ? handler(new Request(address, init))
    : fetch(input, init)
}

/** The response to a page's request for a custom scheme or a file. */
async function answerPage(address, request) {
  const url = new URL(address)
  if (url.protocol === 'file:') return fileResponse(fileURLToPath(url))
  const answer = await handlers.get(url.protocol.slice(0, -1))?.(
    new Request(address, { method: request.method, headers: request.headers, body: request.postData }),
  )
  if (!answer) throw new Error('net::ERR_UNKNOWN_URL_SCHEME')
  return answer
}

const protocol = strict('protocol', {
  registerSchemesAsPrivileged(list) {
    if (world.ready)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready')
    for (const { scheme, privileges } of list) schemes.set(scheme, privileges ?? {})
  },
  handle(scheme, handler) {
    if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`)
    if (!schemes.has(scheme)) schemes.set(scheme, {})
    handlers.set(scheme, handler)
  },
  unhandle(scheme) {
    handlers.delete(scheme)
  },
  isProtocolHandled: (scheme) => handlers.has(scheme),
})

module.exports = { toPage, fromPage, policyForPage, netFetch, answerPage, protocol }
