'use strict'
const { EventEmitter } = require('node:events')
const { netFetch, protocol } = require('./addresses.cjs')
const { createNet, resolveProxy } = require('./net.cjs')
const { world, strict } = require('./world.cjs')

const nothing = () => {}
const sessions = new Map()

function createSession(partition) {
  const self = Object.assign(new EventEmitter(), {
    protocol,
    perm: null,
    permCheck: null,
    setPermissionRequestHandler: (handler) => (self.perm = handler),
    setPermissionCheckHandler: (handler) => (self.permCheck = handler),
    setDevicePermissionHandler: nothing,
    setDisplayMediaRequestHandler: nothing,
    setCertificateVerifyProc: nothing,
    webRequest: strict('webRequest', {
      onHeadersReceived: nothing,
      onBeforeRequest: nothing,
      onBeforeSendHeaders: nothing,
    }),
    isPersistent: () => partition === '' || partition.startsWith('persist:'),
    clearStorageData: async () => {},
    clearCache: async () => {},
    clearAuthCache: async () => {},
    clearHostResolverCache: async () => {},
    getUserAgent: () => '',
    setUserAgent: nothing,
    setSpellCheckerEnabled: nothing,
    // As on Linux, but without Chromium's own exceptions for this computer, so that ours are tested.
    proxies: process.env,
    setProxy: async ({ mode, proxyRules }) =>
      void (self.proxies =
        mode === 'direct'
          ? {}
          : mode === 'fixed_servers'
            ? { http_proxy: proxyRules, https_proxy: proxyRules }
            : process.env),
    resolveProxy: (url) => resolveProxy(url, self.proxies),
    closeAllConnections: async () => {},
    fetch: netFetch,
  })
  return strict('session', self)
}

/** The session of a partition: '' is the default one; those without `persist:` live in memory. */
const sessionFor = (partition = '') => {
  if (!sessions.has(partition)) sessions.set(partition, createSession(partition))
  return sessions.get(partition)
}
world.sessionFor = sessionFor

const session = strict('session', {
  get defaultSession() {
    return sessionFor()
  },
  fromPartition: (partition) => sessionFor(partition),
})

const net = strict('net', { fetch: netFetch, isOnline: () => true, online: true, ...createNet(sessionFor) })

module.exports = { session, net }
