import { Failed, noKeyToSend } from '../../contract/failure.ts'
import type { Room, RoomDevice } from '../../contract/api/rooms.ts'
import type { Clock } from '../platform.ts'
import { pause } from '../pause.ts'

/** Chosen: a room device is back within two or three minutes; nobody waits longer than this to be told that one is not. */
export const watchedForInMs = 10 * 60_000
const firstLookInMs = 20_000
/** Chosen: whoever did not look for so long after the write will not see the restart any more. */
const restartsWithinInMs = 4 * 60_000
const growsBy = 1.5
const betweenLooksAtMostInMs = 60_000

/** Looks of one watching, at most: 20 s, 30 s, 45 s, then each minute, and one at the end. */
export const looksAtMost = ((): number => {
  let looks = 0
  for (
    let [at, step] = [0, firstLookInMs];
    at < watchedForInMs;
    step = Math.min(step * growsBy, betweenLooksAtMostInMs)
  ) {
    at += step
    looks++
  }
  return looks
})()

/**
 * A device that is there: it says so by any word but those for being away. Chosen after another client (observed 4.2), which takes every word
 * but `Offline` for online; unknown tells nothing.
 */
const isOn = (status: string): boolean => !isAway(status) && status !== 'unknown'
const isAway = (status: string): boolean => status === 'offline' || status === 'rebooting'
/**
 * Devices of a room that a restart takes down for sure, and that are therefore waited for: those online or restarting. What another word
 * means for them nobody knows; they are waited for only where no other device is.
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
  /** Devices that were on before it. */
  readonly wereOn: readonly string[]
  /** Reads the room anew. Rejects with Failed. */
  readonly look: () => Promise<Pick<Room, 'devices'>>
  readonly signal: AbortSignal
  /** True: this run saw the write accepted; false: the program was started since, and looks were made before. */
  readonly fromTheStart: boolean
}

/**
 * Looks until every device is seen online again after it was seen away at least once: a reading from before the write counts for nothing, and
 * one that was never seen away proves no restart. Whatever befalls a look, the next one is made; only a refused key or a data folder that is not ours any more ends it.
 */
export async function watchRoom({
  clock,
  sentAt,
  wereOn,
  look,
  signal,
  fromTheStart,
}: Watching): Promise<Watched> {
  const startedAt = clock.monotonic()
  // Of a watching that goes on, only the wall clock knows how long it has lasted.
  const lasted = fromTheStart ? 0 : Math.max(0, clock.now() - sentAt)
  const left = (): number => watchedForInMs - lasted - (clock.monotonic() - startedAt)
  const away = new Set<string>()
  const on = new Set<string>()

  /** False: nobody may ask any more. */
  const lookOnce = async (): Promise<boolean> => {
    const since = clock.now()
    let devices: readonly RoomDevice[]
    try {
      devices = (await look()).devices ?? []
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      return !['key-refused', ...noKeyToSend, 'cancelled', 'data-folder'].includes(error.failure.kind)
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

  // Further looks of a watching that goes on come each minute: with those before there are never more than said.
  for (
    let step = fromTheStart ? firstLookInMs : betweenLooksAtMostInMs;
    ;
    step = Math.min(step * growsBy, betweenLooksAtMostInMs)
  ) {
    const last = left() <= step
    if (!(await pause(clock, Math.max(0, Math.min(step, left())), signal))) return 'not-watched'
    if (!(await lookOnce())) return 'not-watched'
    if (isBack()) return 'back-online'
    // The program was away while it restarted, if it did: waiting longer tells nothing, and others may wait for this room.
    if (
      !fromTheStart &&
      away.size === 0 &&
      wereOn.every((id) => on.has(id)) &&
      watchedForInMs - left() >= restartsWithinInMs
    )
      return 'not-watched'
    if (!last && left() > 0) continue
    // Online all the while, or nothing heard: nobody can say. Seen, and not online: it did not come back.
    return wereOn.some((id) => away.has(id) && !on.has(id)) ? 'did-not-come-back' : 'not-watched'
  }
}
