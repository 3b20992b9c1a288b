import { beforeEach, describe, expect, test } from 'vitest'
import { Failed, type Failure } from '../../../electron/contract/failure.ts'
import type { RoomDevice } from '../../../electron/contract/api/rooms.ts'
import { goingDown, looksAtMost, watchRoom, type Watched } from '../../../electron/core/jobs/room-watch.ts'
import { FakeClock } from '../../fake-clock.ts'

const call = { operation: 'GetRoom', host: 'fake' }
let clock: FakeClock
let looks: number[]
let stop: AbortController

beforeEach(() => {
  clock = new FakeClock()
  looks = []
  stop = new AbortController()
})

const device = (id: string, status: string, observedAt: number): RoomDevice => ({
  id,
  name: id,
  status,
  productName: null,
  serialNumber: null,
  firmwareVersion: null,
  firmwareStatus: null,
  firmware: null,
  lastSeenAt: null,
  observedAt,
})

/** The status of the room's devices at each poll, the last repeated. A Failure: this poll fails. */
type Reported = Readonly<Record<string, string>> | Failure | null

async function watched(
  reported: readonly Reported[],
  wereOn: readonly string[] = ['A', 'B'],
  sent: { agoInMs?: number; age?: number; going?: boolean } = {},
): Promise<Watched> {
  const sentAt = clock.now() - (sent.agoInMs ?? 0)
  const began = clock.monotonic()
  const watching = watchRoom({
    clock,
    sentAt,
    wereOn,
    signal: stop.signal,
    fromTheStart: sent.going !== true,
    look: async () => {
      const now = reported[Math.min(looks.push(clock.monotonic() - began) - 1, reported.length - 1)] ?? null
      if (now === null) return { devices: null }
      if ('kind' in now) throw new Failed(now as Failure)
      const at = sent.age === undefined ? clock.now() : sentAt - sent.age
      return { devices: Object.entries(now).map(([id, status]) => device(id, status, at)) }
    },
  })
  await clock.advance(15 * 60_000)
  return watching
}

describe('whether a room is back', () => {
  test.each<[string, readonly Reported[], Watched]>([
    ['once every device was offline and is online', [{ A: 'rebooting', B: 'offline' }, { A: 'online', B: 'online' }], 'back-online'],
    ['also when they come one after the other', [{ A: 'rebooting', B: 'rebooting' }, { A: 'online', B: 'rebooting' }, { A: 'online', B: 'online' }], 'back-online'],
    ['also when one was seen offline only later', [{ A: 'rebooting', B: 'online' }, { A: 'online', B: 'offline' }, { A: 'online', B: 'online' }], 'back-online'],
    ['with an unknown status, because that does not mean offline', [{ A: 'rebooting', B: 'rebooting' }, { A: 'InCall', B: 'online' }], 'back-online'],
    ['although a poll in between fails', [{ A: 'rebooting', B: 'rebooting' }, { kind: 'offline', call, message: '' }, { A: 'online', B: 'online' }], 'back-online'],
    ['not while one stays offline', [{ A: 'rebooting', B: 'rebooting' }, { A: 'online', B: 'offline' }], 'did-not-come-back'],
    ['not while one has no status after it was offline', [{ A: 'rebooting', B: 'rebooting' }, { A: 'online', B: 'unknown' }], 'did-not-come-back'],
    ['not if no device was seen offline', [{ A: 'online', B: 'online' }], 'not-watched'],
    ['not without any response', [null], 'not-watched'],
    ['not if the key is refused meanwhile', [{ A: 'rebooting', B: 'rebooting' }, { kind: 'key-refused', slot: 'primary', message: null }], 'not-watched'],
    ['not if the key is for another host meanwhile', [{ A: 'rebooting', B: 'rebooting' }, { kind: 'key-not-bound', slot: 'primary', boundTo: 'https://other.example', wouldGoTo: 'https://api.example' }], 'not-watched'],
  ])('%s', async (_, reported, outcome) => {
    expect(await watched(reported)).toBe(outcome)
  }) // prettier-ignore

  test('is never decided by data read before the write', async () => {
    expect(
      await watched(
        [
          { A: 'rebooting', B: 'rebooting' },
          { A: 'online', B: 'online' },
        ],
        ['A', 'B'],
        { age: 1 },
      ),
    ).toBe('not-watched')
  })

  test('is decided although the clock was set back meanwhile', async () => {
    const watching = watched([{ A: 'rebooting' }, { A: 'online' }], ['A'])
    clock.jumpWall(-3_600_000)
    expect(await watching).toBe('back-online')
  })
})

test('polls after 20, 30 and 45 seconds, then each minute, for ten minutes and within the planned number', async () => {
  await watched([{ A: 'offline', B: 'offline' }])
  expect(looks).toEqual(
    [20, 50, 95, 155, 215, 275, 335, 395, 455, 515, 575, 600].map((seconds) => seconds * 1_000),
  )
  expect(looks.length).toBe(looksAtMost)
})

test.each([0, 20, 49, 94, 155, 333, 574, 599, 600, 900])(
  'polls within the planned number in both runs after a restart at %i s',
  async (seconds) => {
    const before = [20, 50, 95, 155, 215, 275, 335, 395, 455, 515, 575].filter((at) => at <= seconds).length
    await watched([{ A: 'offline', B: 'offline' }], ['A', 'B'], { agoInMs: seconds * 1_000, going: true })
    expect(before + looks.length).toBeLessThanOrEqual(looksAtMost)
    expect(looks.length).toBeGreaterThan(0)
  },
)

test('stops waiting for a room that is all online after a long restart', async () => {
  expect(await watched([{ A: 'online', B: 'online' }], ['A', 'B'], { agoInMs: 240_000, going: true })).toBe(
    'not-watched',
  )
  expect(looks).toEqual([60_000])
})

test('ends at once when it is cancelled', async () => {
  const watching = watchRoom({
    clock,
    sentAt: 0,
    wereOn: ['A'],
    signal: stop.signal,
    fromTheStart: true,
    look: async () => ({ devices: [] }),
  })
  stop.abort()
  expect(await watching).toBe('not-watched')
})

test.each<[string, readonly string[], readonly string[]]>([
  ['those online or restarting', ['online', 'offline', 'rebooting', 'unknown', 'Hibernating'], ['0', '2']],
  ['those of other statuses if no device is online or restarting', ['offline', 'InCall', 'unknown'], ['1']],
  ['none if all are offline or without a status', ['offline', 'unknown'], []],
])('waits for devices: %s', (_, statuses, ids) => {
  expect(goingDown(statuses.map((status, at) => ({ id: String(at), status })))).toEqual(ids)
})
