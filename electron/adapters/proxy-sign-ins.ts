import { z } from 'zod'
import type { Via } from '../contract/failure.ts'
import type { Keychain } from '../core/platform.ts'

export interface SignIn {
  readonly user: string
  readonly password: string
}

/** The sign-ins for proxies: one entry of the keychain with all of them. */
export interface ProxySignIns {
  /** null: none is kept, or the keychain cannot be read. */
  get(via: Via): Promise<SignIn | null>
  /** Rejects with KeychainError. */
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
  return {
    get: async (via) => (await read())[nameOf(via)] ?? null,
    keep: async (via, signIn) =>
      keychain.set(proxySignInsAccount, JSON.stringify({ ...(await read()), [nameOf(via)]: signIn })),
  }
}
