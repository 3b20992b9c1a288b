import { Failed } from '../../contract/failure.ts'
import type { Clock } from '../platform.ts'
import type { KeySafe } from './key-safe.ts'
import { withoutLookalikes } from './key-text.ts'
import type { KnownKeys } from './known-keys.ts'

/** A keychain that could not be read is not asked again for so long: each time may take ten seconds. Chosen. */
const askAgainAfterMs = 30_000

/** Learns the stored keys that this run has not read yet, so that none of them is kept where it does not belong. */
export class KeyLearner {
  readonly #clock: Clock
  readonly #safe: KeySafe
  readonly #known: KnownKeys
  #askAgainAt = -Infinity

  constructor(clock: Clock, safe: KeySafe, known: KnownKeys) {
    this.#clock = clock
    this.#safe = safe
    this.#known = known
  }

  /** Where the keychain cannot be read, whatever looks like a key is taken out too. Never rejects. */
  async keyScrubber(): Promise<(text: string) => string> {
    if (await this.#learn()) return (text) => this.#known.text(text)
    return (text) => withoutLookalikes(this.#known.text(text))
  }

  async #learn(): Promise<boolean> {
    const unread = this.#safe.unread()
    if (unread.length === 0) return true
    if (this.#clock.monotonic() < this.#askAgainAt) return false
    let all = true
    for (const { organizationId, slot } of unread) {
      try {
        this.#known.add((await this.#safe.key(organizationId, slot, null)).key)
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        all = false
        // An entry that is in no known form hides none of the others; a keychain that does not answer hides all.
        if (error.failure.kind !== 'key-unreadable') break
      }
    }
    if (!all) this.#askAgainAt = this.#clock.monotonic() + askAgainAfterMs
    return all
  }
}
