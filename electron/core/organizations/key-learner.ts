import { Failed, isKind } from '../../contract/failure.ts'
import type { Clock } from '../platform.ts'
import type { KeyStore } from './key-store.ts'
import { withoutLookalikes } from './key-text.ts'
import type { KnownKeys } from './known-keys.ts'

/**
 * Delay before an unreadable keychain is read again: each attempt may take ten seconds. Lower it if keychains
 * recover faster.
 */
const askAgainAfterMs = 30_000

/** Reads the stored keys that this run has not read yet, so that no key is stored in the wrong place. */
export class KeyLearner {
  readonly #clock: Clock
  readonly #store: KeyStore
  readonly #known: KnownKeys
  #askAgainAt = -Infinity

  constructor(clock: Clock, store: KeyStore, known: KnownKeys) {
    this.#clock = clock
    this.#store = store
    this.#known = known
  }

  /** If the keychain cannot be read, everything that looks like a key is removed too. Never rejects. */
  async keyScrubber(): Promise<(text: string) => string> {
    if (await this.#learn()) return (text) => this.#known.text(text)
    return (text) => withoutLookalikes(this.#known.text(text))
  }

  async #learn(): Promise<boolean> {
    const unread = this.#store.unread()
    if (unread.length === 0) return true
    if (this.#clock.monotonic() < this.#askAgainAt) return false
    let all = true
    for (const { organizationId, slot } of unread) {
      try {
        this.#known.add((await this.#store.key(organizationId, slot)).key)
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        all = false
        // An entry in an unknown form does not affect the others; if the keychain does not respond, none is
        // known.
        if (!isKind(error.failure, 'key-unreadable')) break
      }
    }
    if (!all) this.#askAgainAt = this.#clock.monotonic() + askAgainAfterMs
    return all
  }
}
