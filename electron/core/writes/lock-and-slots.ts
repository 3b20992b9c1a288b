import type { WriteLock } from '../../contract/api/writes.ts'
import type { Cancel, Clock } from '../platform.ts'
import { idKey } from '../storage/record-ids.ts'

/** Unlocking lasts for 15 minutes of activity, or less by a policy. Chosen. */
export const unlockedForInMs = 15 * 60_000

/**
 * Locked until a technician unlocks inside a confirmation; locks automatically when nothing is written for
 * `lasts` ms.
 */
export class Lock {
  readonly #clock: Clock
  readonly #lasts: () => number
  readonly #changed: () => void
  /** By both clocks, because the monotonic one may stop while the computer sleeps. */
  #until: { readonly wall: number; readonly monotonic: number } | null = null
  #cancel: Cancel | null = null

  constructor(clock: Clock, lasts: () => number, changed: () => void) {
    this.#clock = clock
    this.#lasts = lasts
    this.#changed = changed
  }

  state(): WriteLock {
    const until = this.#until
    const open = until !== null && this.#clock.now() < until.wall && this.#clock.monotonic() < until.monotonic
    return open ? { unlocked: true, untilAt: until.wall } : { unlocked: false, untilAt: null }
  }

  /** Unlocks, or restarts the time. */
  unlock(): WriteLock {
    const inMs = this.#lasts()
    this.#cancel?.()
    this.#until = { wall: this.#clock.now() + inMs, monotonic: this.#clock.monotonic() + inMs }
    this.#cancel = this.#clock.after(inMs, () => this.lock())
    this.#changed()
    return this.state()
  }

  /** The time became shorter: it holds for what is unlocked now, too. */
  shorten(): void {
    const until = this.#until
    if (until !== null && until.monotonic - this.#clock.monotonic() > this.#lasts()) this.unlock()
  }

  lock(): WriteLock {
    this.#cancel?.()
    this.#cancel = null
    const was = this.#until !== null
    this.#until = null
    if (was) this.#changed()
    return this.state()
  }
}

/**
 * From the end of one write to the start of the next, ms. 60 s (services.md#B32), plus 1 s for clocks that
 * differ.
 */
export const betweenWritesInMs = 61_000

/**
 * One write to one device at a time, and 61 s from its end to the next start, for all organizations, because
 * they may contain the same device; every spelling of its id is one device. In memory, by the monotonic
 * clock; what earlier runs wrote is filled in from the journal at opening (unconfirmed-writes.ts).
 */
export interface WriteSlots {
  /** All of the slots at once; null: not all of them are free. */
  take(deviceIds: readonly string[]): TakenSlots | null
  /** Time until `take` may succeed, ms, at least: a write in flight counts as ending now. 0: now. */
  freeInMs(deviceIds: readonly string[]): number
  /** An earlier run ended a write to these devices so long ago, ms; null: a write to any device. */
  fill(deviceIds: readonly string[] | null, endedAgoInMs: number): void
}

export interface TakenSlots {
  /** To be called when the write has ended, with any result: the minute begins. */
  end(): void
  /** To be called if nothing was sent. */
  giveBack(): void
}

export function openWriteSlots(clock: Pick<Clock, 'monotonic'>): WriteSlots {
  /** The end of the last write to a device, monotonic. */
  const ended = new Map<string, number>()
  const inFlight = new Set<string>()
  let allEnded = -Infinity

  const freeInMs = (deviceIds: readonly string[]): number => {
    const now = clock.monotonic()
    const ends = deviceIds.map(idKey).map((key) => (inFlight.has(key) ? now : (ended.get(key) ?? -Infinity)))
    return Math.max(0, Math.ceil(Math.max(allEnded, ...ends) + betweenWritesInMs - now))
  }
  const fill = (keys: readonly string[], at: number): void => {
    for (const key of keys) ended.set(key, Math.max(at, ended.get(key) ?? -Infinity))
  }
  return {
    freeInMs,
    take(deviceIds) {
      if (freeInMs(deviceIds) > 0) return null
      const keys = [...new Set(deviceIds.map(idKey))]
      const release = (): void => {
        for (const key of keys) inFlight.delete(key)
      }
      for (const key of keys) inFlight.add(key)
      return {
        end() {
          release()
          fill(keys, clock.monotonic())
        },
        giveBack: release,
      }
    },
    fill(deviceIds, endedAgoInMs) {
      const at = clock.monotonic() - endedAgoInMs
      if (deviceIds === null) allEnded = Math.max(allEnded, at)
      else fill(deviceIds.map(idKey), at)
    },
  }
}
