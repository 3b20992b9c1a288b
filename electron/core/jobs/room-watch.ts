import { Failed } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import { roomWatchedForInMs } from '../../contract/job.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { Clock } from '../platform.ts'
import { pause } from '../pause.ts'

const firstLookInMs = 20_000
/**
 * A watch that starts later than this after the write cannot see the restart any more. Raise it if restarts
 * take longer.
 */
const restartsWithinInMs = 4 * 60_000
const growsBy = 1.5
const betweenLooksAtMostInMs = 60_000

/** Maximum number of polls of one watch: after 20 s, 30 s, 45 s, then each minute, and one at the end. */
export const looksAtMost = ((): number => {
  let looks = 0
  for (
    let [at, step] = [0, firstLookInMs];
    at < roomWatchedForInMs;
    step = Math.min(step * growsBy, betweenLooksAtMostInMs)
  ) {
    at += step
    looks++
  }
  return looks
})()

/**
 * Whether a device is present: any value except those for absence. Follows another client (services.md#B12),
 * which treats every value except `Offline` as online; an unknown status is not used.
 */
const isOn = (status: string): boolean => !isAway(status) && status !== 'unknown'
const isAway = (status: string): boolean => status === 'offline' || status === 'rebooting'
/**
 * Devices of a room that certainly go down in a restart, so the watch waits for them: those online or
 * restarting. The meaning of other values is not known; the watch waits for such devices only if there are no
 * others.
 */
export function goingDown(
  devices: readonly { readonly id: string; readonly status: string }[],
): readonly string[] {
  const sure = devices.filter(({ status }) => status === 'online' || status === 'rebooting')
  return (sure.length > 0 ? sure : devices.filter(({ status }) => isOn(status))).map(({ id }) => id)
}

export type Watched = 'back-online' | 'did-not-come-back' | 'not-watched'

export interface Watching {
  readonly clock: Clock
  /** When the write was accepted, wall time. */
  readonly sentAt: number
  /** Devices that were online before it. */
  readonly wereOn: readonly string[]
  /** Reads the room again. Rejects with Failed. */
  readonly look: () => Promise<Pick<Room, 'devices'>>
  readonly signal: AbortSignal
  /**
   * True: the write was accepted during this run; false: the program was restarted since, and polls were made
   * before.
   */
  readonly fromTheStart: boolean
}

/**
 * Polls until every device is seen online after it was seen offline at least once: a reading from before the
 * write does not count, and a device that was never seen offline does not prove a restart. A failed poll does
 * not stop the watch; a refused key or a lost data folder does.
 */
export async function watchRoom(watching: Watching): Promise<Watched> {
  const { clock, sentAt, wereOn, look, signal, fromTheStart } = watching
  const startedAt = clock.monotonic()
  // After a restart, the elapsed watch time can only come from the wall clock.
  const lasted = fromTheStart ? 0 : Math.max(0, clock.now() - sentAt)
  const left = (): number => roomWatchedForInMs - lasted - (clock.monotonic() - startedAt)
  const away = new Set<string>()
  const on = new Set<string>()

  /** False: stop polling. */
  const lookOnce = async (): Promise<boolean> => {
    const since = clock.now()
    let devices: readonly RoomDevice[]
    try {
      devices = (await look()).devices ?? []
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      return policyOf(error.failure).reach !== 'end'
    }
    const news = new Map(
      devices
        .filter(({ observedAt }) => observedAt > sentAt || observedAt >= since)
        .map(({ id, status }) => [id, status]),
    )
    for (const id of wereOn) {
      const status = news.get(id)
      if (status === undefined) continue
      if (isOn(status)) on.add(id)
      else on.delete(id)
      if (isAway(status)) away.add(id)
    }
    return true
  }
  const isBack = (): boolean => wereOn.length > 0 && wereOn.every((id) => on.has(id) && away.has(id))

  // After a restart, polls are made each minute, so that the maximum includes those made before.
  for (
    let step = fromTheStart ? firstLookInMs : betweenLooksAtMostInMs;
    ;
    step = Math.min(step * growsBy, betweenLooksAtMostInMs)
  ) {
    const last = left() <= step
    if (!(await pause(clock, Math.max(0, Math.min(step, left())), signal))) return 'not-watched'
    if (!(await lookOnce())) return 'not-watched'
    if (isBack()) return 'back-online'
    // If the room restarted, the program was not running meanwhile: waiting gives no information, and other
    // writes may wait for this room.
    if (
      !fromTheStart &&
      away.size === 0 &&
      wereOn.every((id) => on.has(id)) &&
      roomWatchedForInMs - left() >= restartsWithinInMs
    )
      return 'not-watched'
    if (!last && left() > 0) continue
    // Online all the time, or no response: not known. Seen, and not online: it did not come back.
    return wereOn.some((id) => away.has(id) && !on.has(id)) ? 'did-not-come-back' : 'not-watched'
  }
}
