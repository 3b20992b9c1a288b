import { describe, expect, it } from 'vitest'
import { markOfStatus, wordOfStatus } from '../../../renderer/parts/status-kind.ts'
import { fittingColumns } from '../../../renderer/parts/table-columns.ts'

describe('status words', () => {
  it.each([
    ['online', 'ok', 'Online'],
    ['Connected', 'ok', 'Connected'],
    ['offline', 'off', 'Offline'],
    ['unknown', 'unknown', 'Unknown'],
    ['rebooting', 'busy', 'Rebooting'],
    ['gone', 'off', 'Gone'],
    ['InMaintenance', 'warn', 'InMaintenance'],
    ['FirmwareUpdateFailed', 'bad', 'FirmwareUpdateFailed'],
    ['constructor', 'warn', 'constructor'],
    ['', 'warn', ''],
  ])('%s is marked %s and reads %s', (status, mark, word) => {
    expect([markOfStatus(status), wordOfStatus(status)]).toEqual([mark, word])
  })
})

describe('columns give way before text is cut', () => {
  it('keeps the order of the table, not of the priorities', () => {
    const columns = [
      { key: 'a', label: '', least: 100, priority: 2 },
      { key: 'b', label: '', least: 100, priority: 3 },
      { key: 'c', label: '', least: 100, priority: 1 },
    ] as const
    expect(fittingColumns(columns, 230).map((column) => column.key)).toEqual(['a', 'c'])
  })
})
