import { describe, expect, it } from 'vitest'
import type { Room, RoomDevice } from '../../../electron/contract/room.ts'
import { summaryOf } from '../../../renderer/rooms/room-summary.ts'
import { aFleet } from '../double/fleet.ts'

const [room] = aFleet(100, 0).rooms
const member = (name: string, status = 'online', firmwareStatus: string | null = null): RoomDevice => ({
  id: name,
  name,
  status,
  productName: null,
  firmwareVersion: null,
  firmwareStatus,
})
/** A room as the service tells it; `online` and `all` are its own counts. */
function told(devices: readonly RoomDevice[] | null, online = devices?.filter((one) => one.status === 'online').length ?? null, all = devices?.length ?? null) {
  return summaryOf({ ...(room as Room), devices, onlineCount: online, deviceCount: all })
}

describe('what a room says of itself', () => {
  it('needs no attention only when all is online and firmware is up to date', () => {
    expect(told([member('bar', 'online', 'UpToDate'), member('panel', 'online', 'upToDate'), member('speaker')])).toEqual({
      kind: 'ok',
      title: 'All 3 devices are online',
      sentence: 'Nothing in this room needs attention.',
    })
  })
  it.each<[string, readonly RoomDevice[], string]>([
    ['one update', [member('bar', 'online', 'UpdateAvailable'), member('panel', 'online', 'UpToDate')], '1 device reports UpdateAvailable.'],
    ['two updates', [member('bar', 'online', 'UpdateAvailable'), member('panel', 'online', 'UpdateAvailable')], '2 devices report UpdateAvailable.'],
    [
      'a word nobody has documented',
      [member('bar', 'online', 'Updating'), member('panel', 'online', 'Gone wrong')],
      '1 device reports Updating. 1 device reports Gone wrong.',
    ],
  ])('tells %s although every device is online', (_what, devices, sentence) => {
    expect(told(devices)).toEqual({ kind: 'warn', title: 'All 2 devices are online', sentence })
  })
  it('names who is missing and what the rest reports', () => {
    expect(told([member('bar', 'offline'), member('panel', 'online', 'UpdateAvailable')])).toEqual({
      kind: 'warn',
      title: '1 of 2 devices not online',
      sentence: 'Not online: bar. 1 device reports UpdateAvailable.',
    })
  })
  it('believes a member that is not online more than a count that says all are', () => {
    expect(told([member('bar', 'rebooting'), member('panel')], 2)).toEqual({ kind: 'warn', title: '1 of 2 devices not online', sentence: 'Not online: bar.' })
  })
  it('takes unknown for neither', () => {
    expect(told(null)).toEqual({
      kind: 'unknown',
      title: 'Devices not known',
      sentence: "The service told nothing of this room's devices. Unknown is not offline.",
    })
  })
})
