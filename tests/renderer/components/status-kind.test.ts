import { describe, expect, it } from 'vitest'
import { markOfStatus, wordOfStatus } from '../../../renderer/components/status-kind.ts'

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
