import type { PowerMonitor } from 'electron'

const lookEveryInMs = 30_000

export type PresenceMonitor = Pick<PowerMonitor, 'on' | 'getSystemIdleTime'>

/**
 * Locks actions when the screen is locked, the computer sleeps or there was no input for as long as an unlock
 * lasts. This only prevents starting: confirmed jobs continue, such as one scheduled
 * for the night. When another user session becomes active, jobs stop too.
 */
export function lockWhenAway(
  monitor: PresenceMonitor,
  lockWrites: (which: 'everything' | 'starting') => void,
  unlockedForInMs: () => number,
  every: (look: () => void, inMs: number) => void,
): void {
  // Listed individually: the types have a separate overload for each event.
  monitor.on('lock-screen', () => lockWrites('starting'))
  monitor.on('suspend', () => lockWrites('starting'))
  monitor.on('user-did-resign-active', () => lockWrites('everything'))
  every(() => {
    if (monitor.getSystemIdleTime() * 1_000 >= unlockedForInMs()) lockWrites('starting')
  }, lookEveryInMs)
}
