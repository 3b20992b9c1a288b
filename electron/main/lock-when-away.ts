import type { PowerMonitor } from 'electron'

/** Chosen: as long as an unlocking lasts (behaviour, section 1). */
export const awayAfterInSeconds = 15 * 60
const lookEveryInMs = 30_000

export type PresenceMonitor = Pick<PowerMonitor, 'on' | 'getSystemIdleTime'>

/** Writes lock when the screen is locked, the computer sleeps, another person takes the seat, or nobody touched anything for a quarter of an hour. */
export function lockWhenAway(monitor: PresenceMonitor, lockWrites: () => void, every: (look: () => void, inMs: number) => void): void {
  // One by one: the types know each event by its own overload.
  monitor.on('lock-screen', lockWrites)
  monitor.on('suspend', lockWrites)
  monitor.on('user-did-resign-active', lockWrites)
  every(() => {
    if (monitor.getSystemIdleTime() >= awayAfterInSeconds) lockWrites()
  }, lookEveryInMs)
}
