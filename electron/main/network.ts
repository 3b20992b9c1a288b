import { net, session, type ClientRequestConstructorOptions } from 'electron'
import { openFileTransport } from '../adapters/file-transport.ts'
import { openHttpTransport } from '../adapters/http-transport.ts'
import { openKeychain } from '../adapters/keychain.ts'
import { openProxySignIns } from '../adapters/proxy-sign-ins.ts'
import { proxiesOf, type Proxies } from '../adapters/proxies.ts'
import type { FileTransport, Keychain, ProxySignIn, Transport } from '../core/platform.ts'
import { openChromiumTransport } from './chromium-transport.ts'
import { openAppFileTransport } from './file-transport.ts'
import { nodeSignIns, openProxySignIn } from './proxy-sign-in.ts'
import { chosenProxy } from './session-proxy.ts'
import { alsoTrustingTheSystem, filesAlsoTrustingTheSystem } from './system-authorities.ts'

export interface Network {
  readonly transport: Transport
  readonly fileTransport: FileTransport
  /** Of Node's own connections: those that Chromium decides on. */
  readonly proxies: Proxies
  readonly proxySignIn: ProxySignIn
  readonly keychain: Keychain
  readonly useProxy: (ofPolicy: string | null) => void
}

/** The connections of the window: with the proxy of the policy, else the system's, its script and its sign-in. */
export function openNetwork(): Network {
  let chosen: string | null = null
  const ofPolicy = (): string | null => chosen
  const keychain = openKeychain()
  const proxySignIn = openProxySignIn(openProxySignIns(keychain))
  const filesSession = () =>
    session.fromPartition(chosen === null ? 'headroom-files' : `headroom-files over ${chosen}`)
  const own = {
    request: (options: ClientRequestConstructorOptions) => net.request(options),
    signIn: proxySignIn.answer,
    ofPolicy,
  }
  const proxies = proxiesOf({
    ofPolicy,
    environment: {},
    ofSystem: (target) => chosenProxy(filesSession(), target.href),
    signIns: nodeSignIns(proxySignIn),
  })
  const direct = openFileTransport({ proxies })
  const chromium = openChromiumTransport({ ...own, sessionFor: (name) => session.fromPartition(name) })
  const files = openAppFileTransport({ ...own, session: filesSession, direct })
  const isLinux = process.platform === 'linux'
  return {
    transport: isLinux ? alsoTrustingTheSystem(chromium, openHttpTransport({ proxies })) : chromium,
    fileTransport: isLinux ? filesAlsoTrustingTheSystem(files, direct) : files,
    proxies,
    proxySignIn,
    keychain,
    useProxy: (of) => (chosen = of),
  }
}
