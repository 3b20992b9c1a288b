import type { PowerMonitor } from 'electron'

/** Chosen: as long as an unlocking lasts (behaviour, section 1). */
export const awayAfterInSeconds = 15 * 60
const lookEveryInMs = 30_000

export type PresenceMonitor = Pick<PowerMonitor, 'on' | 'getSystemIdleTime'>

/**
 * Writes lock when the screen is locked, the computer sleeps, another person takes the seat, or nobody touched anything for a quarter of an
 * hour. The last ends starting only, as the quarter of an hour of the lock itself does: jobs that were confirmed go on.
 */
export function lockWhenAway(
  monitor: PresenceMonitor,
  lockWrites: (which: 'everything' | 'starting') => void,
  every: (look: () => void, inMs: number) => void,
): void {
  const lockEverything = (): void => lockWrites('everything')
  // One by one: the types know each event by its own overload.
  monitor.on('lock-screen', lockEverything)
  monitor.on('suspend', lockEverything)
  monitor.on('user-did-resign-active', lockEverything)
  every(() => {
    if (monitor.getSystemIdleTime() >= awayAfterInSeconds) lockWrites('starting')
  }, lookEveryInMs)
}
