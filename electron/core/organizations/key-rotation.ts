import { Failed, type KeySlot } from '../../contract/failure.ts'
import { otherSlot } from '../../contract/key-slot.ts'
import type { Cancel, Clock } from '../platform.ts'

/**
 * How long one call tries the other key alone before the next waiting call may try it too. Longer than an
 * ordinary call takes; raise it if calls get slower.
 */
const trialLastsInMs = 10_000

interface Refusal {
  readonly slot: KeySlot
  readonly message: string | null
}

interface Trial {
  readonly slot: KeySlot
  /** On the monotonic clock; null: no call has tried it yet. */
  grantedUntil: number | null
}

/**
 * Which of an organization's two keys is sent, and the effect of a 401 (services.md#B30): one call tries the
 * other key while all others wait; if that is refused too, all calls stop.
 */
export class KeyRotation {
  readonly #clock: Clock
  readonly #onSwap: (slot: KeySlot) => void
  #inUse: KeySlot
  #stopped: Refusal | null = null
  #trial: Trial | null = null
  #cancelTrialTimer: Cancel = () => undefined
  readonly #refused = new Map<KeySlot, Refusal>()
  /**
   * Slots whose current key was used: a refusal of any other key refers to one that was replaced meanwhile.
   */
  readonly #handedOut = new Set<KeySlot>()
  #waiting: (() => void)[] = []

  constructor(clock: Clock, inUse: KeySlot, onSwap: (slot: KeySlot) => void) {
    this.#clock = clock
    this.#inUse = inUse
    this.#onSwap = onSwap
  }

  get inUse(): KeySlot {
    return this.#inUse
  }
  get stopped(): Refusal | null {
    return this.#stopped
  }
  /** The slot that is being tried; null: none. */
  get trialSlot(): KeySlot | null {
    return this.#trial?.slot ?? null
  }
  /** The refusal after which this key was no longer used. */
  get passedOver(): Refusal | null {
    return this.#refused.get(otherSlot(this.#inUse)) ?? null
  }

  /** While one key is tried, no other one is sent. */
  mayBeSent(slot: KeySlot): boolean {
    return this.#stopped === null && slot === (this.#trial?.slot ?? this.#inUse)
  }

  /** The slot whose key may be sent now; waits while another call tries the other key. Rejects with Failed `key-refused`. */
  async turn(): Promise<KeySlot> {
    for (;;) {
      if (this.#stopped !== null) throw new Failed({ kind: 'key-refused', ...this.#stopped })
      const trial = this.#trial
      const slot = trial === null ? this.#inUse : trial.slot
      const now = this.#clock.monotonic()
      if (trial === null || trial.grantedUntil === null || now >= trial.grantedUntil) {
        if (trial !== null) this.#grant(trial, now)
        this.#handedOut.add(slot)
        return slot
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }

  #grant(trial: Trial, now: number): void {
    trial.grantedUntil = now + trialLastsInMs
    this.#cancelTrialTimer()
    this.#cancelTrialTimer = this.#clock.after(trialLastsInMs, () => this.#wake())
  }

  refused(slot: KeySlot, message: string | null, otherIsSet: boolean): 'try-other' | 'stop' {
    if (this.#stopped !== null) return 'stop'
    if (!this.#handedOut.has(slot)) return 'try-other'
    const other = otherSlot(slot)
    if (this.#trial !== null) {
      // Late responses for the key that was refused first: their calls wait for the trial like all others.
      if (slot !== this.#trial.slot) return 'try-other'
    } else if (slot !== this.#inUse) {
      return 'try-other'
    } else if (otherIsSet && !this.#refused.has(other)) {
      this.#refused.set(slot, { slot, message })
      this.#trial = { slot: other, grantedUntil: null }
      return 'try-other'
    }
    this.#refused.set(slot, { slot, message })
    this.#stopped = { slot, message }
    this.#endTrial()
    return 'stop'
  }

  accepted(slot: KeySlot): void {
    if (this.#trial === null) {
      if (slot === this.#inUse) this.#refused.delete(slot)
      return
    }
    if (slot !== this.#trial.slot) return
    this.#refused.delete(slot)
    this.#endTrial(slot)
  }

  /** The key to try cannot be read: the earlier refusal remains. */
  untried(slot: KeySlot): void {
    if (this.#trial?.slot !== slot) return
    this.#stopped = this.#refused.get(otherSlot(slot)) ?? null
    this.#endTrial()
  }

  /** A new key was stored in the slot: it was not refused yet. */
  replaced(slot: KeySlot, inUseIsSet: boolean): void {
    this.#handedOut.delete(slot)
    this.#refused.delete(slot)
    this.#stopped = null
    this.#endTrial(!inUseIsSet || this.#refused.has(this.#inUse) ? slot : this.#inUse)
  }

  /** The slot has no key any more. */
  forgotten(slot: KeySlot, otherIsSet: boolean): void {
    const other = otherSlot(slot)
    this.#handedOut.delete(slot)
    this.#refused.delete(slot)
    const refusal = this.#refused.get(other)
    if (this.#trial?.slot === slot && refusal !== undefined) this.#stopped = refusal
    if (!otherIsSet) this.#stopped = null // no key remains: the next call reports "key missing"
    this.#endTrial(otherIsSet && slot === this.#inUse ? other : this.#inUse)
  }

  /** A check accepted the key: stopped calls resume with it. */
  foundGood(slot: KeySlot): void {
    this.#refused.delete(slot)
    if (this.#stopped !== null || this.#trial !== null || this.#refused.has(this.#inUse)) {
      this.#stopped = null
      this.#endTrial(slot)
    }
  }

  /** A check found the key refused: the same effect as in a call. */
  foundBad(slot: KeySlot, message: string | null, otherIsSet: boolean): void {
    this.#handedOut.add(slot)
    if (slot === this.#inUse || slot === this.#trial?.slot) this.refused(slot, message, otherIsSet)
    else this.#refused.set(slot, { slot, message })
  }

  /** The technician selected this key: it is sent from now on, and stopped calls resume with it. */
  use(slot: KeySlot): void {
    this.#refused.delete(slot)
    this.#stopped = null
    this.#endTrial(slot)
  }

  /** The technician handled the unused key: its refusal is no longer shown. */
  dealtWith(slot: KeySlot): void {
    if (slot !== this.#inUse && this.#stopped === null && this.#trial === null) this.#refused.delete(slot)
  }

  #endTrial(inUse: KeySlot = this.#inUse): void {
    this.#trial = null
    this.#cancelTrialTimer()
    if (inUse !== this.#inUse) {
      this.#inUse = inUse
      this.#onSwap(inUse)
    }
    this.#wake()
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const go of waiting) go()
  }
}
