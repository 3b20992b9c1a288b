import { describe, expect, test } from 'vitest'
import { openEventBus } from '../../electron/core/event-bus.ts'
import { FakeClock } from '../fake-clock.ts'

describe('throttled events', () => {
  test('emits a burst at once and then at most ten times a second, with counts added up', async () => {
    const clock = new FakeClock()
    const eventBus = openEventBus(clock)
    const heard: unknown[] = []
    eventBus.listen((channel, payload) => heard.push([clock.monotonic(), channel, payload]))
    for (let page = 0; page < 50; page++) {
      eventBus.emit('devices.changed', { count: 100 })
      await clock.advance(10)
    }
    await clock.advance(1000)
    expect(heard).toEqual([
      [0, 'devices.changed', { count: 100 }],
      [100, 'devices.changed', { count: 900 }],
      [200, 'devices.changed', { count: 1000 }],
      [300, 'devices.changed', { count: 1000 }],
      [400, 'devices.changed', { count: 1000 }],
      [500, 'devices.changed', { count: 1000 }],
    ])
  })

  test('does not delay one kind by another, and joins ids', async () => {
    const clock = new FakeClock()
    const eventBus = openEventBus(clock)
    const heard: unknown[] = []
    eventBus.listen((channel, payload) => heard.push([channel, payload]))
    eventBus.emit('organizations.changed', { ids: ['a'] })
    eventBus.emit('organizations.changed', { ids: ['b'] })
    eventBus.emit('organizations.changed', { ids: ['b', 'c'] })
    eventBus.emit('app.changed', { what: 'status' })
    await clock.advance(100)
    expect(heard).toEqual([
      ['organizations.changed', { ids: ['a'] }],
      ['app.changed', { what: 'status' }],
      ['organizations.changed', { ids: ['b', 'c'] }],
    ])
  })
})
