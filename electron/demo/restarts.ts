import type { Faults } from './faults.ts'
import type { DeviceFacts } from './fleet.ts'
import type { Presence } from './life.ts'
import { presenceOf } from './life.ts'
import { numberOf, roll } from './random.ts'

const second = 1000
const minute = 60_000

/**
 * All values are made up; observed is only that a device reports `Rebooting` meanwhile, and that it may take
 * up to three minutes (4.5, 4.6).
 */
const restartTimes = {
  /** From the response until the device goes down. */
  beginsAfterMs: second,
  leastMs: 40 * second,
  mostMs: 150 * second,
  /** Share of restarts after which a device does not come back for this time. */
  lostShare: 0.02,
  lostForMs: 30 * minute,
  /** A device that came back stays online, regardless of its daily rhythm. */
  staysForMs: 15 * minute,
} as const

interface Restart {
  readonly from: number
  /** From here on it no longer reports `Rebooting`. */
  readonly until: number
  /** Online again. Equals `until` unless the device is lost for a while. */
  readonly backAt: number
  /** Last seen before it went down. */
  readonly lastSeenAt: number
}

/** The state of a device: online or not, or restarting. */
export interface PresenceNow extends Presence {
  readonly rebooting: boolean
  /** It went down after a request and is late. */
  readonly lost: boolean
}

/**
 * Devices that restart after a request, in addition to their own rhythm. Lost when the demonstration ends.
 */
export class Restarts {
  readonly #seed: number
  readonly #faults: Faults
  readonly #restarts = new Map<string, Restart>()
  /** The number of restarts of a device, so that each has its own length. */
  readonly #times = new Map<string, number>()

  constructor(seed: number, faults: Faults) {
    this.#seed = seed
    this.#faults = faults
  }

  presence(facts: DeviceFacts, now: number): PresenceNow {
    const restart = this.#restarts.get(facts.id)
    if (restart === undefined || now < restart.from)
      return { ...presenceOf(facts, this.#seed, now), rebooting: false, lost: false }
    if (now < restart.until)
      return { online: false, lastSeenAt: restart.lastSeenAt, rebooting: true, lost: false }
    if (now < restart.backAt)
      return { online: false, lastSeenAt: restart.lastSeenAt, rebooting: false, lost: true }
    const own = presenceOf(facts, this.#seed, now)
    const stays = now < restart.backAt + restartTimes.staysForMs
    // It is seen every half minute while it is online.
    const seenAt = restart.backAt + (now - restart.backAt - ((now - restart.backAt) % (minute / 2)))
    if (stays)
      return {
        online: true,
        lastSeenAt: Math.max(own.online ? own.lastSeenAt : 0, seenAt),
        rebooting: false,
        lost: false,
      }
    return {
      online: own.online,
      lastSeenAt: Math.max(own.lastSeenAt, restart.backAt + restartTimes.staysForMs),
      rebooting: false,
      lost: false,
    }
  }

  /**
   * Takes a device down if it is online; others are skipped (services.md#B14). `operation`: the one that
   * requested it. Returns whether it goes down.
   */
  begin(facts: DeviceFacts, operation: string, now: number): boolean {
    const previous = this.presence(facts, now)
    // Requested again before it went down: it goes down once.
    if (!previous.online || (this.#restarts.get(facts.id)?.from ?? 0) > now) return false
    const times = (this.#times.get(facts.id) ?? 0) + 1
    this.#times.set(facts.id, times)
    const chance = (salt: string): number =>
      roll(this.#seed, facts.index, facts.generation, times, numberOf(salt))
    const from = now + restartTimes.beginsAfterMs
    const until =
      from +
      restartTimes.leastMs +
      Math.floor(chance('restart') * (restartTimes.mostMs - restartTimes.leastMs))
    const lost =
      this.#faults.strikes('stays-down', operation, [facts.id]) ||
      chance('stays down') < restartTimes.lostShare
    this.#restarts.set(facts.id, {
      from,
      until,
      backAt: lost ? from + restartTimes.lostForMs : until,
      lastSeenAt: previous.lastSeenAt,
    })
    return true
  }
}
