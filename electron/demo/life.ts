import type { DeviceFacts } from './fleet.ts'
import { mix, pick, roll } from './random.ts'

const minute = 60_000
const hour = 3_600_000
const day = 24 * hour

export interface Presence {
  readonly online: boolean
  /** Epoch milliseconds. */
  readonly lastSeenAt: number
}

/** People are at work on weekdays from eight to five, local time. */
const chanceOnline = (facts: DeviceFacts, seed: number, at: number): number => {
  if (facts.room !== null) return roll(seed, facts.index, 301) < 0.08 ? 0.6 : 0.985
  const local = at + facts.site.utcOffset * hour
  // 1 January 1970 was a Thursday.
  const weekday = (Math.floor(local / day) + 3) % 7 < 5
  const clock = (local % day) / hour
  const working = weekday && clock >= 7.75 && clock < 17.25
  return working ? 0.78 : weekday && clock >= 17 && clock < 22 ? 0.2 : 0.07
}

/** Devices go online and offline in periods of twenty minutes to three hours, each with its own rhythm. */
const stretchOf = (
  facts: DeviceFacts,
  seed: number,
): { readonly length: number; readonly offset: number } => {
  const length = (20 + (mix(seed, facts.index, 302) % 160)) * minute
  return { length, offset: mix(seed, facts.index, 303) % length }
}

/** Whether a device is online at `now`, computed from seed and time alone. */
export const presenceOf = (facts: DeviceFacts, seed: number, now: number): Presence => {
  const { length, offset } = stretchOf(facts, seed)
  const forgotten = roll(seed, facts.index, facts.generation, 304) < (facts.room === null ? 0.05 : 0.015)
  if (forgotten) {
    // Left in a drawer: last seen some time between its first day and last week.
    const drawer = facts.startedAt + roll(seed, facts.index, 305) * 0.6 * facts.staysForMs
    if (drawer < now - 7 * day) return { online: false, lastSeenAt: Math.floor(drawer) }
  }
  const stretch = Math.floor((now + offset) / length)
  for (let back = 0; back < 200; back += 1) {
    const begin = (stretch - back) * length - offset
    const wholeRoomDown =
      facts.room !== null && roll(seed, facts.room.index, Math.floor(begin / (5 * hour)), 306) < 0.025
    const online =
      !wholeRoomDown &&
      roll(seed, facts.index, stretch - back, 307) < chanceOnline(facts, seed, begin + length / 2)
    if (!online) continue
    if (back === 0)
      return {
        online: true,
        lastSeenAt: Math.max(begin, now - (now % minute) - (mix(facts.index, 308) % minute)),
      }
    return {
      online: false,
      lastSeenAt: Math.max(
        facts.startedAt,
        begin + length - 1 - (mix(facts.index, stretch - back, 309) % minute),
      ),
    }
  }
  return { online: false, lastSeenAt: Math.max(facts.startedAt, now - 200 * length) }
}

export interface Firmware {
  readonly version: string | null
  readonly updating: boolean
  readonly upToDate: boolean
}

/**
 * Current, one to three behind, revoked, or a special build; a lagging device gets its update at a moment
 * computed from the seed.
 */
export const firmwareOf = (facts: DeviceFacts, seed: number, now: number): Firmware => {
  const versions = facts.product.versions
  const current = versions[0]
  if (current === undefined) return { version: null, updating: false, upToDate: false }
  const chance = roll(seed, facts.index, facts.generation, 310)
  if (chance > 0.997) return { version: null, updating: false, upToDate: false }
  if (chance > 0.992)
    return {
      version: current.replace(/\d+$/, (last) => String(Number(last) + 1)),
      updating: false,
      upToDate: true,
    }
  const updateAt = facts.startedAt + roll(seed, facts.index, facts.generation, 311) * 1.6 * facts.staysForMs
  if (chance < 0.5 || now >= updateAt) return { version: current, updating: false, upToDate: true }
  const revoked = facts.product.releases.filter(
    (release) => release.revoked && release.version !== facts.product.releases[0]?.version,
  )
  const behind = versions[Math.min(versions.length - 1, chance < 0.75 ? 1 : chance < 0.89 ? 2 : 3)] ?? current
  const version =
    chance > 0.94 && revoked.length > 0 ? pick(revoked, roll(seed, facts.index, 312)).version : behind
  return { version, updating: now >= updateAt - 12 * minute, upToDate: version === current }
}
