import { z } from 'zod'
import type { Via } from '../contract/failure.ts'
import type { Keychain } from '../core/platform.ts'

export interface SignIn {
  readonly user: string
  readonly password: string
}

/** The sign-ins for proxies: one entry of the keychain with all of them. */
export interface ProxySignIns {
  /** null: none is kept, its proxy refused it in this run, or the keychain cannot be read. */
  get(via: Via): Promise<SignIn | null>
  /** It is not given again: a proxy, or the directory behind it, locks an account after a few attempts. */
  refused(via: Via, signIn: SignIn): void
  /** It is given again, whether it was refused or not. Rejects with KeychainError. */
  keep(via: Via, signIn: SignIn): Promise<void>
}

/** The account of the entry. */
export const proxySignInsAccount = 'proxy sign-ins'
const entry = z.record(z.string(), z.strictObject({ user: z.string(), password: z.string() }))

export function openProxySignIns(keychain: Pick<Keychain, 'get' | 'set'>): ProxySignIns {
  const read = async (): Promise<z.infer<typeof entry>> => {
    try {
      return entry.parse(JSON.parse((await keychain.get(proxySignInsAccount)) ?? '{}'))
    } catch {
      return {}
    }
  }
  const nameOf = ({ host, port }: Via): string => `${host}:${port}`
  const refused = new Map<string, SignIn>()
  return {
    async get(via) {
      const kept = (await read())[nameOf(via)] ?? null
      return isSameSignIn(kept, refused.get(nameOf(via)) ?? null) ? null : kept
    },
    refused: (via, signIn) => void refused.set(nameOf(via), signIn),
    async keep(via, signIn) {
      refused.delete(nameOf(via))
      await keychain.set(proxySignInsAccount, JSON.stringify({ ...(await read()), [nameOf(via)]: signIn }))
    },
  }
}

export const isSameSignIn = (one: SignIn | null, other: SignIn | null): boolean =>
  one?.user === other?.user && one?.password === other?.password
