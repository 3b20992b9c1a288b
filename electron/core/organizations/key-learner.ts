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

/**
 * Reads the stored keys that this run has not read yet, so that no key is stored in the wrong place. If the
 * keychain cannot be read, everything that looks like a key is removed too. Never rejects.
 */
export function keyScrubberOf(
  clock: Clock,
  store: KeyStore,
  known: KnownKeys,
): () => Promise<(text: string) => string> {
  let askAgainAt = -Infinity
  const learn = async (): Promise<boolean> => {
    const unread = store.unread()
    if (unread.length === 0) return true
    if (clock.monotonic() < askAgainAt) return false
    let all = true
    for (const { organizationId, slot } of unread) {
      try {
        known.add((await store.key(organizationId, slot)).key)
      } catch (error) {
        if (!(error instanceof Failed)) throw error
        all = false
        // An entry in an unknown form does not affect the others; if the keychain does not respond, none is
        // known.
        if (!isKind(error.failure, 'key-unreadable')) break
      }
    }
    if (!all) askAgainAt = clock.monotonic() + askAgainAfterMs
    return all
  }
  return async () =>
    (await learn()) ? (text) => known.text(text) : (text) => withoutLookalikes(known.text(text))
}
