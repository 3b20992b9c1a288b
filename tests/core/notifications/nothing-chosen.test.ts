import { expect, test } from 'vitest'
import {
  openNotifications,
  type NotificationDeps,
} from '../../../electron/core/notifications/notifications.ts'
import { FakeClock } from '../../fake-clock.ts'

test('no selected kind means no queries of rooms, devices and jobs, and clears what was known', async () => {
  const clock = new FakeClock()
  const remembered: unknown[] = []
  const done = Promise.withResolvers<void>()
  const logged: unknown[] = []
  const notifications = openNotifications({
    platform: { clock, log: { write: (...line: unknown[]) => logged.push(line) } },
    workbook: {
      preferences: async () => ({ notifications: [], quietHours: null, timeZone: null }),
      remembered: async () => ({
        organizations: { a: { since: 0, rooms: {}, facts: { reported: 1 } } },
        held: [],
      }),
      remember: async (_: string, value: unknown) => {
        remembered.push(value)
        done.resolve()
      },
    },
    current: () => {
      throw new Error('the organization was asked for')
    },
    listen: () => () => undefined,
  } as unknown as NotificationDeps)
  await clock.advance(1_000)
  await done.promise
  await notifications.close()
  expect({ remembered, logged }).toEqual({ remembered: [{ organizations: {}, held: [] }], logged: [] })
})
