import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import { setTimeZone } from '../../../renderer/components/format.ts'
import { roomFactsOf } from '../../../renderer/rooms/room-facts.ts'

beforeEach(() => setTimeZone('Europe/London'))
afterEach(() => setTimeZone(null))

const at = Date.UTC(2026, 11, 1, 21)
const zoneOf = (timeZone: string | null) => {
  const room = { timeZone } as Room
  return roomFactsOf(room, [], at).find(({ key }) => key === 'timeZone')
}

test('the clock of a room is shown beside yours only where they differ', () => {
  expect([zoneOf('Europe/Oslo'), zoneOf('Europe/Lisbon'), zoneOf('nowhere'), zoneOf(null)]).toEqual([
    {
      key: 'timeZone',
      label: 'Time zone',
      value: 'Europe/Oslo: 22:00 in the room, 21:00 yours',
      copy: 'Europe/Oslo',
    },
    { key: 'timeZone', label: 'Time zone', value: 'Europe/Lisbon' },
    { key: 'timeZone', label: 'Time zone', value: 'nowhere' },
    { key: 'timeZone', label: 'Time zone', value: null },
  ])
})
