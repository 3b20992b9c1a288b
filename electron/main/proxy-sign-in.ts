import type { ProxiesDeps } from '../adapters/proxies.ts'
import { isSameSignIn, type ProxySignIns, type SignIn } from '../adapters/proxy-sign-ins.ts'
import type { Via } from '../contract/failure.ts'
import { Listeners } from '../core/listeners.ts'
import type { ProxySignIn } from '../core/platform.ts'
import type { AnswerProxy } from './session-proxy.ts'

export interface WindowSignIn extends ProxySignIn {
  readonly answer: AnswerProxy
}

/**
 * The sign-ins that proxies get in the window: the one that is kept, else a person is asked for it, once.
 * Meanwhile calls fail, because nobody may be there.
 */
export function openProxySignIn(signIns: ProxySignIns): WindowSignIn {
  const changed = new Listeners<[]>()
  const given = new Map<string, SignIn>()
  const taken = new Map<string, SignIn>()
  /** Of the requests that try a sign-in that its proxy has not taken yet: one at a time. */
  const trials = new Map<string, Promise<unknown>>()
  let wanted: Via | null = null
  const nameOf = ({ host, port }: Via): string => `${host}:${port}`
  return {
    async answer(via, refused, ended = Promise.resolve(false)) {
      const name = nameOf(via)
      if (refused !== null) {
        signIns.refused(via, refused)
        for (const known of [given, taken])
          if (isSameSignIn(known.get(name) ?? null, refused)) known.delete(name)
      }
      for (;;) {
        const found = given.get(name) ?? (await signIns.get(via))
        if (found === null) break
        const trial = trials.get(name)
        const isTaken = isSameSignIn(found, taken.get(name) ?? null)
        if (trial === undefined && !isTaken)
          trials.set(
            name,
            ended.then((was) => {
              trials.delete(name)
              if (was) taken.set(name, found)
            }),
          )
        if (trial === undefined || isTaken) return found
        await trial
      }
      wanted = via
      changed.notify()
      return null
    },
    wanted: () => wanted,
    onChange: changed.add,
    async give(signIn) {
      if (wanted === null) return
      const via = wanted
      given.set(nameOf(via), signIn)
      wanted = null
      changed.notify()
      await signIns.keep(via, signIn)
    },
  }
}

/** Node's own connections in the window take part. */
export const nodeSignIns = ({ answer }: Pick<WindowSignIn, 'answer'>): Required<ProxiesDeps>['signIns'] => ({
  get: (via, ended) => answer(via, null, ended),
  refused: (via, signIn) => void answer(via, signIn),
})
