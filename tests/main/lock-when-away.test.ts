import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { lockWhenAway, type PresenceMonitor } from '../../electron/main/lock-when-away.ts'

function away(): { readonly monitor: EventEmitter; idle: number; look: () => void; locked: number } {
  const monitor = new EventEmitter()
  const seen = { monitor, idle: 0, look: (): void => undefined, locked: 0 }
  Object.assign(monitor, { getSystemIdleTime: () => seen.idle })
  lockWhenAway(
    monitor as unknown as PresenceMonitor,
    () => void seen.locked++,
    (look) => void (seen.look = look),
  )
  return seen
}

test.each(['lock-screen', 'suspend', 'user-did-resign-active'])('writes lock at once: %s', (event) => {
  const seen = away()
  seen.monitor.emit(event)
  expect(seen.locked).toBe(1)
})

test.each([
  [14 * 60, 0],
  [899, 0],
  [900, 1],
  [7_200, 1],
])('after %i seconds without a hand on the computer writes were locked %i times', (idle, locked) => {
  const seen = away()
  seen.idle = idle
  seen.look()
  expect(seen.locked).toBe(locked)
})
