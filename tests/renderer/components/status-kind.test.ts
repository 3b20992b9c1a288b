// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { markOfStatus, wordOfStatus, visibleStatus } from '../../../renderer/components/status-kind.ts'

describe('statuses', () => {
  it.each([
    ['online', 'ok', 'Online'],
    ['Connected', 'ok', 'Connected'],
    ['offline', 'off', 'Offline'],
    ['unknown', 'unknown', 'Unknown'],
    ['rebooting', 'busy', 'Rebooting'],
    ['gone', 'idle', 'Gone'],
    ['InMaintenance', 'warn', 'In maintenance'],
    ['FirmwareUpdateFailed', 'bad', 'Firmware update failed'],
    ['constructor', 'warn', 'constructor'],
    ['3.6.0', 'warn', '3.6.0'],
    ['', 'warn', ''],
  ])('%s is marked %s and labelled %s', (status, mark, word) => {
    expect([markOfStatus(status), wordOfStatus(status)]).toEqual([mark, word])
  })
})

const HOUR = 3_600_000
it.each([
  ['just observed', 'online', false, 0, { kind: 'ok', label: 'Online' }],
  ['at the limit', 'online', false, 24 * HOUR, { kind: 'ok', label: 'Online' }],
  ['beyond it', 'online', false, 144 * HOUR, { kind: 'unknown', label: 'Online 6 d ago' }],
  ['offline beyond it', 'offline', false, 25 * HOUR, { kind: 'unknown', label: 'Offline 1 d ago' }],
  [
    'an undocumented status, beyond it',
    'Hibernating',
    false,
    48 * HOUR,
    { kind: 'unknown', label: 'Hibernating 2 d ago' },
  ],
  ['gone', 'online', true, 0, { kind: 'idle', label: 'Gone' }],
  ['gone, beyond it', 'online', true, 900 * HOUR, { kind: 'idle', label: 'Gone' }],
])('a status %s', (_, status, gone, age, visible) => {
  expect(visibleStatus({ status, gone, observedAt: 1_000 }, 1_000 + age, 24 * HOUR)).toEqual(visible)
})
