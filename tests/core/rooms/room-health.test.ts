import { describe, expect, it } from 'vitest'
import {
  countedAs,
  firmwareValues,
  healthOf,
  whyOf,
  unknownIn,
  type RoomTally,
} from '../../../electron/core/rooms/room-health.ts'

/** A room's devices, given by their statuses. */
function tallyOf(statuses: readonly string[]): RoomTally {
  const tally = { devices: statuses.length, online: 0, offline: 0, rebooting: 0, error: 0 }
  for (const status of statuses) {
    const counter = countedAs(status)
    if (counter !== null) tally[counter]++
  }
  return tally
}

describe('the health of a room', () => {
  it.each([
    ['every device is online', 'connected', ['online', 'online'], 'ok'],
    ['one restarts', 'connected', ['online', 'rebooting'], 'ok'],
    ['all restart', 'connected', ['rebooting'], 'ok'],
    ['the room has no status, but its devices do', 'unknown', ['online'], 'ok'],
    ['the room has an undocumented status', 'NotProvisioned', ['online'], 'ok'],
    ['one is offline', 'connected', ['online', 'offline'], 'trouble'],
    ['one is offline and one unknown', 'connected', ['offline', 'unknown'], 'trouble'],
    ['one is offline and one restarts', 'connected', ['offline', 'rebooting'], 'trouble'],
    ['one reports an error', 'connected', ['online', 'Error'], 'trouble'],
    ['all report an error', 'connected', ['FirmwareUpdateFailed', 'hardware-fault'], 'trouble'],
    ['the room is disconnected, its devices are online', 'disconnected', ['online'], 'trouble'],
    ['the room is disconnected and nothing is known of its devices', 'disconnected', null, 'trouble'],
    ['the room is disconnected and has no devices', 'disconnected', [], 'trouble'],
    ['every device is offline', 'connected', ['offline', 'offline'], 'down'],
    ['every device is offline and the room disconnected', 'disconnected', ['offline'], 'down'],
    ['nothing is known of its devices', 'connected', null, 'unknown'],
    ['its list of devices is empty', 'connected', [], 'unknown'],
    ['one is unknown, the others are online', 'connected', ['online', 'unknown'], 'unknown'],
    ['one has a status that says nothing about health', 'connected', ['online', 'InCall'], 'unknown'],
    ['all are unknown', 'connected', ['unknown', 'unknown'], 'unknown'],
  ] as const)('%s', (_, status, devices, expected) => {
    expect(healthOf(status, devices === null ? null : tallyOf(devices), false, 0)).toBe(expected)
  })

  it('is not shown for a room that is gone', () => {
    expect(healthOf('connected', tallyOf(['online', 'offline']), true, 1)).toBe('unknown')
  })

  it.each([
    ['all are online', ['online', 'online'], 'trouble'],
    ['one is unknown', ['online', 'unknown'], 'trouble'],
    ['all are offline', ['offline'], 'down'],
  ] as const)('is not ok with revoked firmware: %s', (_, devices, expected) => {
    expect(healthOf('connected', tallyOf(devices), false, 1)).toBe(expected)
  })
})

it('counts devices with unknown status, restarting ones and ones with an error separately', () => {
  expect(unknownIn(tallyOf(['online', 'offline', 'rebooting', 'Error', 'unknown', 'InCall']))).toBe(2)
})

it.each([
  [{ current: 2, behind: 0, ahead: 0, revoked: 0 }, 2, ['current']],
  [{ current: 1, behind: 0, ahead: 1, revoked: 0 }, 3, ['unknown', 'ahead', 'current']],
  [{ current: 1, behind: 1, ahead: 0, revoked: 1 }, 3, ['revoked', 'behind', 'current']],
  [{ current: 0, behind: 0, ahead: 0, revoked: 0 }, 1, ['unknown']],
  [{ current: 0, behind: 0, ahead: 0, revoked: 0 }, 0, []],
] as const)('lists firmware statuses, worst first: %o of %i devices', (tally, devices, expected) => {
  expect(firmwareValues(devices, tally)).toEqual(expected)
})

const calm = {
  health: 'ok',
  status: 'connected',
  deviceCount: 3,
  worstFirmware: 'current',
  behindCount: 0,
} as const
it.each<[Partial<Parameters<typeof whyOf>[0]>, readonly string[], string | null]>([
  [{}, [], null],
  [{ health: 'trouble' }, ['Bar 1', 'Pad 2'], 'not online: Bar 1, Pad 2'],
  [{ health: 'trouble', status: 'disconnected' }, [], 'reported as disconnected'],
  [{ health: 'trouble', status: 'disconnected' }, ['Bar 1'], 'not online: Bar 1'],
  [{ worstFirmware: 'revoked', behindCount: 1 }, [], 'revoked firmware; 1 device to update'],
  [{ worstFirmware: 'behind', behindCount: 2 }, [], '2 devices to update'],
  [
    { health: 'unknown', deviceCount: null, worstFirmware: null, behindCount: null },
    [],
    'its devices are not known',
  ],
  [{ health: 'unknown', deviceCount: 0, worstFirmware: null, behindCount: null }, [], 'no devices'],
])('why a room needs attention: %o %j', (changed, notOnline, why) => {
  expect(whyOf({ ...calm, ...changed }, notOnline)).toBe(why)
})
