import type { PowerMonitor } from 'electron'

/** Chosen: as long as an unlocking lasts (behaviour, section 1). */
export const awayAfterInSeconds = 15 * 60
const lookEveryInMs = 30_000

export type PresenceMonitor = Pick<PowerMonitor, 'on' | 'getSystemIdleTime'>

/**
 * Writes lock when the screen is locked, the computer sleeps or nobody touched anything for a quarter of an hour: that ends starting only,
 * and jobs that were confirmed go on (behaviour, section 1), such as one set for the night. When another person takes the seat they stop, too.
 */
export function lockWhenAway(
  monitor: PresenceMonitor,
  lockWrites: (which: 'everything' | 'starting') => void,
  every: (look: () => void, inMs: number) => void,
): void {
  // One by one: the types know each event by its own overload.
  monitor.on('lock-screen', () => lockWrites('starting'))
  monitor.on('suspend', () => lockWrites('starting'))
  monitor.on('user-did-resign-active', () => lockWrites('everything'))
  every(() => {
    if (monitor.getSystemIdleTime() >= awayAfterInSeconds) lockWrites('starting')
  }, lookEveryInMs)
}
