import { expect, it } from 'vitest'
import { lastReboot } from '../../electron/contract/journal.ts'

const line = (operation: string, startedAt: number, endedAt: number | null, endFoundLater?: true) => ({
  operation,
  startedAt,
  endedAt,
  ...(endFoundLater === undefined ? {} : { endFoundLater }),
})

it.each<[string, ReturnType<typeof line>[], number | null, number | null]>([
  ['newer than the record', [line('RebootRoom', 90, 100)], 99, 90],
  ['as old as the record', [line('RebootRoom', 90, 100)], 100, null],
  ['without an end, begun after the record', [line('RebootRoom', 101, null)], 100, 101],
  ['found open after the record, begun before it', [line('RebootRoom', 90, 120, true)], 100, null],
  ['of a room that was never read', [line('RebootRoom', 90, 100)], null, 90],
  ['before another write', [line('UpdateDeviceSettings', 120, 121), line('RebootRoom', 101, 102)], 100, 101],
  ['not there', [], null, null],
])('the last reboot of a room counts when it is %s', (_what, lines, observedAt, startedAt) => {
  expect(lastReboot(lines, observedAt)?.startedAt ?? null).toBe(startedAt)
})
