import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { lockWhenAway, type PresenceMonitor } from '../../electron/main/lock-when-away.ts'

function away(unlockedForInMs = 900_000): {
  readonly monitor: EventEmitter
  idle: number
  look: () => void
  locked: string[]
} {
  const monitor = new EventEmitter()
  const seen = { monitor, idle: 0, look: (): void => undefined, locked: [] as string[] }
  Object.assign(monitor, { getSystemIdleTime: () => seen.idle })
  lockWhenAway(
    monitor as unknown as PresenceMonitor,
    (which) => void seen.locked.push(which),
    () => unlockedForInMs,
    (look) => void (seen.look = look),
  )
  return seen
}

test.each([
  ['lock-screen', 'starting'],
  ['suspend', 'starting'],
  ['user-did-resign-active', 'everything'],
])('actions lock at once: %s ends %s', (event, which) => {
  const seen = away()
  seen.monitor.emit(event)
  expect(seen.locked).toEqual([which])
})

test.each([
  [14 * 60, []],
  [899, []],
  [900, ['starting']],
  [7_200, ['starting']],
])('after %i idle seconds actions are locked (%j), and confirmed jobs continue', (idle, locked) => {
  const seen = away()
  seen.idle = idle
  seen.look()
  expect(seen.locked).toEqual(locked)
})

test('a policy shortens the time', () => {
  const seen = away(300_000)
  seen.idle = 300
  seen.look()
  expect(seen.locked).toEqual(['starting'])
})
