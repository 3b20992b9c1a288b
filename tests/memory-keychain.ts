import { createHash } from 'node:crypto'
import { KeychainError, type Keychain } from '../electron/core/platform.ts'
import type { KeychainProblem } from '../electron/contract/failure.ts'

/** A keychain in a Map, which a test can make fail as the real one does. */
export class MemoryKeychain implements Keychain {
  readonly entries = new Map<string, string>()
  problem: KeychainProblem | null = null

  async get(account: string): Promise<string | null> {
    if (this.problem === 'locked') return null // keytar returns null for a locked keyring
    this.#check()
    return this.entries.get(account) ?? null
  }
  async set(account: string, secret: string): Promise<void> {
    this.#check()
    this.entries.set(account, secret)
  }
  async remove(account: string): Promise<void> {
    this.#check()
    this.entries.delete(account)
  }
  async state() {
    return this.problem === null
      ? ({ usable: true } as const)
      : ({ usable: false, reason: this.problem, message: `keychain: ${this.problem}` } as const)
  }
  #check(): void {
    if (this.problem !== null) throw new KeychainError(this.problem, `keychain: ${this.problem}`)
  }
}

/** The platform's hash is slow on purpose: it took a twentieth of the unit tests' processor time. */
export const quickKeyHash = async (key: string, salt: string): Promise<string> =>
  createHash('sha256').update(`${salt}\n${key}`).digest('hex')
