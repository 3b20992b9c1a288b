import { createRequire } from 'node:module'
import type { ClientRequest, ClientRequestConstructorOptions, Session } from 'electron'
import type { Proxies } from './transport-suite.ts'

const { createNet, resolveProxy } = createRequire(import.meta.url)('../electron-stand-in/net.cjs') as {
  createNet(sessionFor: (partition: string) => Session): {
    request(options: ClientRequestConstructorOptions): ClientRequest
  }
  resolveProxy(url: string, proxies: Proxies): Promise<string>
}

/** Sessions of the stand-in, as Electron gives them to the app; with the system's proxies, which exempt no host. */
export function standIn(proxies: Proxies = {}) {
  const sessions = new Map<string, Session>()
  const sessionFor = (partition: string) => {
    if (!sessions.has(partition)) sessions.set(partition, aSession(proxies))
    return sessions.get(partition)!
  }
  const { request } = createNet(sessionFor)
  const close = async () => {
    for (const session of sessions.values()) await session.closeAllConnections()
  }
  return { request, sessionFor, close }
}

function aSession(proxies: Proxies): Session {
  const session = {
    proxies,
    closeAllConnections: async () => undefined,
    setProxy: async () => void (session.proxies = {}),
    resolveProxy: (url: string) => resolveProxy(url, session.proxies),
  }
  return session as unknown as Session
}
