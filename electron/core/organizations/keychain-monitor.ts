import { isKind } from '../../contract/failure.ts'
import type { AppProblem } from '../../contract/api/app.ts'
import type { OrganizationList } from '../../contract/api/organizations.ts'
import { within } from '../pause.ts'
import type { OrganizationsPlatform } from './organizations-platform.ts'

type KeychainState = OrganizationList['keychain']

/**
 * Longest time a list waits for the keychain, which may prompt for a password. Raise it if lists often lack
 * key states.
 */
const waitInMs = 1_500
/** Delay before an unusable keychain is tried again. Lower it if keychains recover faster. */
const askAgainAfterMs = 30_000

const usable: KeychainState = { available: true, reason: null, message: null }
const stillAsking: KeychainState = {
  available: false,
  reason: 'locked',
  message: 'The keychain has not answered yet. It may be waiting for its password in another window.',
}

/** Whether keys can be stored: checked once, and again if the keychain could not be used. */
export class KeychainMonitor {
  readonly #platform: OrganizationsPlatform
  readonly #onLearnt: () => void
  #known: KeychainState | null = null
  #requestedAt = -Infinity
  #asking: Promise<KeychainState> | null = null

  constructor(platform: OrganizationsPlatform, onLearnt: () => void) {
    this.#platform = platform
    this.#onLearnt = onLearnt
  }

  /** Never rejects. */
  async now(): Promise<KeychainState> {
    if (this.#known?.available === true) return this.#known
    if (this.#known !== null && this.#platform.clock.monotonic() - this.#requestedAt < askAgainAfterMs)
      return this.#known
    this.#asking ??= this.#ask()
    const answered = await within(this.#platform.clock, waitInMs, this.#asking)
    if (answered !== null) return answered
    void this.#asking?.then(this.#onLearnt)
    return this.#known ?? stillAsking
  }

  /** Call it with the result of storing a key. */
  learn(problem: AppProblem | null): void {
    const failure = problem?.failure
    this.#known = isKind(failure, 'keychain-unavailable')
      ? { available: false, reason: failure.reason, message: failure.message }
      : usable
    this.#requestedAt = this.#platform.clock.monotonic()
  }

  async #ask(): Promise<KeychainState> {
    try {
      const state = await this.#platform.keychain.state()
      this.#known = state.usable ? usable : { available: false, reason: state.reason, message: state.message }
    } catch {
      this.#known = {
        available: false,
        reason: 'unknown',
        message: 'The state of the keychain could not be read.',
      }
    }
    this.#requestedAt = this.#platform.clock.monotonic()
    this.#asking = null
    return this.#known
  }
}
