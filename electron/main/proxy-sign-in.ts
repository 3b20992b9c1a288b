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
  let wanted: Via | null = null
  const nameOf = ({ host, port }: Via): string => `${host}:${port}`
  return {
    async answer(via, refused) {
      if (refused !== null) {
        signIns.refused(via, refused)
        if (isSameSignIn(given.get(nameOf(via)) ?? null, refused)) given.delete(nameOf(via))
      }
      const found = given.get(nameOf(via)) ?? (await signIns.get(via))
      if (found !== null) return found
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
