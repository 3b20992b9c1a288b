import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { done, failed, type Failure } from '../../../electron/contract/failure.ts'
import type { RoomDevice } from '../../../electron/contract/api/rooms.ts'
import { messages } from '../../../renderer/parts/toasts.ts'
import { useRebootWatch, watchedForInMs } from '../../../renderer/rooms/reboot-watch-store.ts'
import { doubleLink } from '../double-link.ts'

const NOW = Date.parse('2026-11-21T13:58:00Z')
beforeEach(() =>
  vi.useFakeTimers({
    now: NOW,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  }),
)

const member = (id: string, status = 'online', observedAt = NOW - 60_000): RoomDevice => ({
  id: `id of ${id}`,
  name: id,
  status,
  productName: null,
  firmwareVersion: null,
  firmwareStatus: null,
  firmware: null,
  lastSeenAt: null,
  observedAt,
})
/** A room whose looks are answered one after the other, the last one again and again; a status behind `old:` was read before the reboot. */
function aRoom(looks: readonly (Readonly<Record<string, string>> | Failure)[]) {
  let look = 0
  const asked: number[] = []
  const double = doubleLink({ devices: 100, nowAt: NOW })
  const behind = {
    ...double,
    call: async (channel: string, argument: unknown) => {
      if (channel !== 'rooms.refresh') return double.call(channel, argument)
      asked.push((Date.now() - NOW) / 1_000)
      const now = looks[Math.min(look++, looks.length - 1)]!
      if ('kind' in now) return failed(now as Failure)
      return done({
        devices: Object.entries(now).map(([id, told]) =>
          told.startsWith('old:') ? member(id, told.slice(4)) : member(id, told, Date.now()),
        ),
      })
    },
  }
  Object.assign(globalThis, { headroom: behind })
  setActivePinia(createPinia())
  const watch = useRebootWatch()
  const stop = watch.follow(() => undefined)
  watch.start('room-2', 'Oslo Fjord 2', [member('bar'), member('panel'), member('spare', 'offline')])
  return {
    watch,
    asked,
    stop,
    room: () => watch.rooms.get('room-2'),
    said: () => messages.value.map(({ text, kind }) => [kind, text]),
  }
}
const offline: Failure = {
  kind: 'offline',
  call: { operation: 'GetRoom', host: 'api.cloud.jabra.com' },
  message: 'ENOTFOUND',
}
const refused: Failure = {
  kind: 'key-refused',
  slot: 'primary',
  call: { operation: 'GetRoom', host: 'api.cloud.jabra.com' },
} as unknown as Failure

describe('a room after its reboot was accepted', () => {
  it('is back when every device that went down was seen away and is online again, and that is said', async () => {
    const { asked, room, said } = aRoom([
      { bar: 'online', panel: 'online' },
      { bar: 'rebooting', panel: 'offline' },
      { bar: 'online', panel: 'offline' },
      { bar: 'online', panel: 'online', spare: 'offline' },
    ])
    await vi.advanceTimersByTimeAsync(100_000)
    expect([room()?.back, room()?.ended, said()]).toEqual([1, null, []])
    await vi.advanceTimersByTimeAsync(200_000)
    expect([asked, room()?.back, room()?.ended, said()]).toEqual([
      [20, 50, 95, 155],
      2,
      'back-online',
      [['ok', 'Oslo Fjord 2: all 2 devices back online']],
    ])
  })
  it.each<[string, readonly (Readonly<Record<string, string>> | Failure)[], string, string]>([
    [
      'one stays away',
      [
        { bar: 'rebooting', panel: 'rebooting' },
        { bar: 'online', panel: 'offline' },
      ],
      'did-not-come-back',
      'did not come back within 10 minutes: panel',
    ],
    [
      'nothing is seen restarting',
      [{ bar: 'online', panel: 'online' }],
      'not-seen',
      'accepted, but no restart was seen within 10 minutes',
    ],
    [
      'only readings from before are told',
      [
        { bar: 'old:offline', panel: 'old:offline' },
        { bar: 'online', panel: 'online' },
      ],
      'not-seen',
      'no restart was seen',
    ],
    ['there is no connection all the while', [offline], 'not-seen', 'no restart was seen'],
  ])(
    'when %s for ten minutes, that is said once and nothing is asked any more',
    async (_what, looks, ended, told) => {
      const { asked, room, said } = aRoom(looks)
      await vi.advanceTimersByTimeAsync(watchedForInMs + 1_000)
      const looked = asked.length
      await vi.advanceTimersByTimeAsync(watchedForInMs)
      expect([room()?.ended, said().length, asked.length, looked <= 13]).toEqual([ended, 1, looked, true])
      expect(said()[0]?.[1]).toContain(told)
    },
  )
  it('asks no more after a refused key, and nothing when nobody follows any more', async () => {
    const one = aRoom([refused])
    await vi.advanceTimersByTimeAsync(watchedForInMs)
    expect([one.asked, one.room()?.ended, one.said()]).toEqual([
      [20],
      'not-watched',
      [['warn', 'Oslo Fjord 2: accepted; not watched until it was back']],
    ])
    const other = aRoom([{ bar: 'rebooting', panel: 'rebooting' }])
    other.stop()
    await vi.advanceTimersByTimeAsync(watchedForInMs)
    expect([other.asked, other.room()]).toEqual([[], undefined])
  })
})
