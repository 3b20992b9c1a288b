import type { ClientRequest, Session } from 'electron'
import type { SystemChoice } from '../adapters/proxies.ts'
import type { SignIn } from '../adapters/proxy-sign-ins.ts'
import type { Via } from '../contract/failure.ts'
import type { WireFault } from '../core/platform.ts'

/**
 * The sign-in for a proxy that wants one; null: none is known. `refused`: the one that this request was given.
 * `ended`: whether the proxy has taken the one that it is given now.
 */
export type AnswerProxy = (
  via: Via,
  refused: SignIn | null,
  ended?: Promise<boolean>,
) => Promise<SignIn | null>
export const noSignIn: AnswerProxy = async () => null

/** `ofPolicy`: `http://HOST:PORT` or `direct`; null: the policy says nothing, the system decides. */
export async function overPolicy(session: Session, ofPolicy: string | null): Promise<Session> {
  if (ofPolicy !== null)
    await session.setProxy(
      ofPolicy === 'direct' ? { mode: 'direct' } : { mode: 'fixed_servers', proxyRules: ofPolicy },
    )
  return session
}

type Deciding = Pick<Session, 'resolveProxy'>

/** What Chromium decides by the system's settings and its script: the first entry of `PROXY a:8080; DIRECT`. */
export async function chosenProxy(session: Deciding, url: string): Promise<SystemChoice> {
  const [, kind = 'DIRECT', server = ''] =
    /^\s*(\w+)(?:\s+([^\s;]+))?/.exec(await session.resolveProxy(url)) ?? []
  const scheme = kind.toUpperCase() === 'PROXY' ? 'http' : kind.toLowerCase()
  return { proxy: scheme === 'direct' ? null : `${scheme}://${server}`, hasScript: false }
}

/**
 * Answers the proxy's question for a sign-in. Returns the fault of a request that got none; null: it was not
 * asked, or was given one. A service is never given one: it has keys.
 */
export function answerProxy(wire: Pick<ClientRequest, 'on'>, signIn: AnswerProxy): () => WireFault | null {
  let fault: WireFault | null = null
  let last: SignIn | null = null
  let end = (_taken: boolean): void => undefined
  wire.on('response', () => end(true))
  wire.on('redirect', () => end(true))
  wire.on('error', () => end(false))
  wire.on('close', () => end(false))
  wire.on('login', ({ isProxy, host, port }, answer) => {
    if (!isProxy) return answer()
    const via = { host, port }
    const refused = last
    end(false)
    const ended = Promise.withResolvers<boolean>()
    end = ended.resolve
    void signIn(via, refused, ended.promise).then((given) => {
      last = given
      if (given !== null) return answer(given.user, given.password)
      fault = {
        kind: 'fault',
        sent: 'no',
        reason: 'offline',
        message: refused !== null ? 'the one that was sent is wrong' : 'none is known',
        proxy: { reason: 'sign-in-wanted', via },
      }
      answer()
    })
  })
  return () => fault
}

/** Chromium does not say which proxy an error is about. */
export async function namingProxy<T extends { readonly kind: 'answer' }>(
  session: Deciding,
  url: string,
  outcome: T | WireFault,
): Promise<T | WireFault> {
  if (outcome.kind === 'answer' || outcome.proxy === undefined || outcome.proxy.via !== null) return outcome
  const { proxy } = await chosenProxy(session, url)
  if (proxy === null || outcome.proxy.reason === 'no-proxy-known') return outcome
  // The port that Chromium writes is one of any scheme.
  const { hostname, port } = new URL(proxy.replace(/^\w+/, 'none'))
  return { ...outcome, proxy: { ...outcome.proxy, via: { host: hostname, port: Number(port) } } }
}
