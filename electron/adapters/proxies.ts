import type { ProxyProblem, Via } from '../contract/failure.ts'
import { isLoopback } from '../contract/loopback.ts'
import type { Clock, WireFault } from '../core/platform.ts'
import { isExcepted } from './proxy-exceptions.ts'
import type { ProxySignIns, SignIn } from './proxy-sign-ins.ts'

/** Which proxy Node's own connections take. */
export interface Proxies {
  routeTo(url: string): Promise<Route>
  /**
   * The proxy with the sign-in that is kept for it, which later routes contain too; null: none is kept. Once the
   * signal fires, the proxy without it.
   */
  signedIn(proxy: URL, signal: AbortSignal | null): Promise<URL | null>
  /**
   * One attempt. A sign-in that its proxy has not taken yet is sent by one attempt at a time; one that it
   * refused only after a while: a proxy, or the directory behind it, locks an account after a few attempts.
   */
  over<T extends Answer>(
    proxy: URL,
    signal: AbortSignal | null,
    attempt: (proxy: URL) => Promise<T | WireFault>,
  ): Promise<T | WireFault>
}

interface Answer {
  readonly kind: 'answer'
}

/**
 * `script`: directly, because only a script names a proxy, and only the window runs it. `unusable`: what
 * `source` names is no proxy.
 */
export type Route =
  | { readonly kind: 'direct' | 'script' }
  | { readonly kind: 'proxy'; readonly proxy: URL }
  | { readonly kind: 'unusable'; readonly source: string }

/** `proxy`: such as `proxy:8080`; null: none, though a script may name one. */
export interface SystemChoice {
  readonly proxy: string | null
  readonly hasScript: boolean
}

export interface ProxiesDeps {
  /** `http://HOST:PORT` or `direct`; null: the policy says nothing. */
  readonly ofPolicy?: () => string | null
  /** HTTP_PROXY, HTTPS_PROXY and NO_PROXY are used, in either case. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Asked when nothing else decides. */
  readonly ofSystem?: (target: URL) => Promise<SystemChoice>
  readonly signIns?: Pick<ProxySignIns, 'refused'> & {
    /** `ended`: whether the proxy has taken the one that is given, once that was tried. */
    get(via: Via, ended: Promise<boolean>): Promise<SignIn | null>
  }
  /** Missing: a sign-in that was refused is not sent again. */
  readonly clock?: Pick<Clock, 'monotonic'>
}

/**
 * After it a sign-in that was refused is tried again: a directory may have failed for a moment, and nobody can
 * enter again the one of a variable during a job at night. Accounts are locked by several attempts within it.
 */
const refusedForInMs = 10 * 60_000

const direct: Route = { kind: 'direct' }
/** Connections without a proxy. */
export const noProxies: Proxies = {
  routeTo: async () => direct,
  signedIn: async () => null,
  over: (proxy, _, attempt) => attempt(proxy),
}

/** The policy decides, else the environment, else the system. This computer is reached directly, always. */
export function proxiesOf(deps: ProxiesDeps): Proxies {
  const { ofPolicy = () => null, environment, clock = { monotonic: () => 0 } } = deps
  const { ofSystem = async () => ({ proxy: null, hasScript: false }), signIns } = deps
  const found = new Map<string, Promise<URL | null>>()
  /** By proxy: tells who gives its sign-in that the trial has ended. */
  const ends = new Map<string, (taken: boolean) => void>()
  const end = (proxy: URL, taken: boolean): void => {
    const { href } = withoutSignIn(proxy)
    ends.get(href)?.(taken)
    // It is asked for again, because another one may be kept until then, or another request may try this one.
    if (!taken) found.delete(href)
  }
  /** By proxy and sign-in: what the attempt that tries it tells, or told if it was taken. */
  const tried = new Map<string, Promise<Told>>()
  const refusals = new Map<string, { readonly fault: WireFault; readonly at: number }>()
  const refuse = (proxy: URL, fault: WireFault): void => {
    tried.delete(proxy.href)
    refusals.set(proxy.href, { fault, at: clock.monotonic() })
    end(proxy, false)
    signIns?.refused(viaOf(proxy), signInOf(proxy))
  }
  const variable = (name: string): string => environment[name.toLowerCase()] || environment[name] || ''
  const over = async (written: string, source: string): Promise<Route> => {
    const proxy = proxyIn(written)
    if (proxy === null) return { kind: 'unusable', source }
    return { kind: 'proxy', proxy: (await found.get(proxy.href)) ?? proxy }
  }
  return {
    async routeTo(url) {
      const target = new URL(url)
      const chosen = ofPolicy()
      if (isLoopback(target.hostname) || chosen === 'direct') return direct
      if (chosen !== null) return over(chosen, 'The policy')
      const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
      if (isExcepted(target, variable('NO_PROXY').split(/[\s,]+/))) return direct
      if (variable(name) !== '') return over(variable(name), name)
      const { proxy, hasScript } = await ofSystem(target)
      if (proxy !== null) return over(proxy, 'The system')
      return hasScript ? { kind: 'script' } : direct
    },
    async signedIn(proxy, signal) {
      if (proxy.username !== '' || signIns === undefined) return null
      const kept = async (): Promise<URL | null> => {
        const ended = Promise.withResolvers<boolean>()
        ends.get(proxy.href)?.(false)
        ends.set(proxy.href, ended.resolve)
        const signed = withSignIn(proxy, await signIns.get(viaOf(proxy), ended.promise))
        if (signed === null) {
          found.delete(proxy.href)
          return null
        }
        // A person may have given again the one that was refused. It is tried in any case, so the trial ends.
        refusals.delete(signed.href)
        tried.delete(signed.href)
        return signed
      }
      const known = found.get(proxy.href) ?? kept()
      found.set(proxy.href, known)
      const signed = await unlessAborted(known, signal, proxy)
      // Nobody else may be waiting to try it.
      if (signed === proxy) end(proxy, false)
      return signed
    },
    async over(proxy, signal, attempt) {
      if (proxy.username === '') return attempt(proxy)
      for (;;) {
        const refusal = refusals.get(proxy.href)
        if (refusal !== undefined && clock.monotonic() - refusal.at < refusedForInMs) return refusal.fault
        const trial = tried.get(proxy.href)
        const told = trial === undefined ? 'untried' : await unlessAborted(trial, signal, 'nothing')
        if (typeof told === 'object') return told
        if (told === 'nothing' && signal?.aborted !== true) continue
        const sent = attempt(proxy)
        if (trial === undefined)
          tried.set(
            proxy.href,
            sent
              .then(toldBy, () => 'nothing' as const)
              .then((tells) => {
                if (tells !== 'taken') tried.delete(proxy.href)
                end(proxy, tells === 'taken')
                return tells
              }),
          )
        const outcome = await sent
        if (isSignInWanted(outcome)) refuse(proxy, outcome)
        return outcome
      }
    },
  }
}

/**
 * What an attempt tells of its sign-in: the fault, if the proxy refused it or is not there, which those that
 * wait get too. After `nothing` the next one tries it. Only a connection to the service tells that it is taken.
 */
type Told = 'taken' | 'nothing' | WireFault

function toldBy(outcome: Answer | WireFault): Told {
  if (outcome.kind === 'answer') return 'taken'
  const { proxy, reason, sent } = outcome
  const ofAll: readonly (ProxyProblem | undefined)[] = ['sign-in-wanted', 'not-there', 'name-not-known']
  if (ofAll.includes(proxy?.reason)) return outcome
  return sent === 'maybe' || reason === 'tls' ? 'taken' : 'nothing'
}

/** `left` once the signal fires. */
const unlessAborted = <T, L>(awaited: Promise<T>, signal: AbortSignal | null, left: L): Promise<T | L> =>
  new Promise((resolve, reject) => {
    const leave = (): void => resolve(left)
    if (signal?.aborted === true) return leave()
    signal?.addEventListener('abort', leave, { once: true })
    awaited.finally(() => signal?.removeEventListener('abort', leave)).then(resolve, reject)
  })

/** `proxy:8080` is `http://proxy:8080`, as in other programs. null: it is no proxy that can be used. */
function proxyIn(written: string): URL | null {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(written) ? written : `http://${written}`
  if (!URL.canParse(address)) return null
  const proxy = new URL(address)
  try {
    decodeURIComponent(proxy.username + proxy.password)
  } catch {
    return null
  }
  return proxy.protocol === 'http:' || proxy.protocol === 'https:' ? proxy : null
}

function withSignIn(proxy: URL, signIn: Awaited<ReturnType<ProxySignIns['get']>>): URL | null {
  if (signIn === null) return null
  const signed = new URL(proxy)
  signed.username = encodeURIComponent(signIn.user)
  signed.password = encodeURIComponent(signIn.password)
  return signed
}

const signInOf = ({ username, password }: URL): SignIn => ({
  user: decodeURIComponent(username),
  password: decodeURIComponent(password),
})

function withoutSignIn(proxy: URL): URL {
  const bare = new URL(proxy)
  bare.username = bare.password = ''
  return bare
}

const viaOf = ({ protocol, hostname, port }: URL): Via => ({
  host: hostname,
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
})

/**
 * One attempt over the route to its address; a second one if the proxy wants a sign-in and one is kept,
 * because nothing was sent to the service. `proxy` null: a direct connection.
 */
export async function overRoute<T extends Answer>(
  proxies: Proxies,
  { url, signal }: { readonly url: string; readonly signal: AbortSignal | null },
  attempt: (proxy: URL | null) => Promise<T | WireFault>,
): Promise<T | WireFault> {
  const route = await proxies.routeTo(url)
  if (route.kind === 'unusable')
    return proxyFault('no-proxy-known', null, `${route.source} must name one as http://HOST:PORT`)
  if (route.kind === 'proxy') {
    const outcome = await proxies.over(route.proxy, signal, attempt)
    const signed = isSignInWanted(outcome) ? await proxies.signedIn(route.proxy, signal) : null
    return signed === null ? outcome : proxies.over(signed, signal, attempt)
  }
  const outcome = await attempt(null)
  return route.kind === 'script' && outcome.kind === 'fault' && outcome.reason === 'offline'
    ? proxyFault('no-proxy-known', null, 'the system names it by a script, which only the window runs')
    : outcome
}

const isSignInWanted = (outcome: Answer | WireFault): outcome is WireFault =>
  outcome.kind === 'fault' && outcome.proxy?.reason === 'sign-in-wanted'

const proxyFault = (reason: ProxyProblem, via: Via | null, message: string): WireFault => ({
  kind: 'fault',
  sent: 'no',
  reason: 'offline',
  message,
  proxy: { reason, via },
})

/** The error of a connection to a proxy, or of the one that it was to make: nothing reached the service. */
export function faultOfProxy(
  { code = '', statusCode }: Error & { readonly code?: string; readonly statusCode?: number },
  proxy: URL,
): WireFault {
  const fault = (reason: ProxyProblem, message: string): WireFault =>
    proxyFault(reason, viaOf(proxy), message)
  if (statusCode === 407)
    return fault('sign-in-wanted', proxy.username === '' ? 'none is known' : 'the one that was sent is wrong')
  if (statusCode !== undefined) return fault('refused', `the proxy answered ${statusCode}`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fault('name-not-known', `there is no answer for this name (${code})`)
  if (/^E(?:CONNREFUSED|TIMEDOUT|NETUNREACH|HOSTUNREACH|NETDOWN|ADDRNOTAVAIL)$/.test(code))
    return fault('not-there', `no connection is accepted there (${code})`)
  return fault('closed', 'before it was made')
}

/** The time ran out before the proxy had connected. */
export const lateProxy = (proxy: URL, message: string): WireFault => ({
  ...proxyFault('not-there', viaOf(proxy), message),
  reason: 'timeout',
})
