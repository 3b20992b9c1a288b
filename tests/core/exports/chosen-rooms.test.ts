import { expect, test } from 'vitest'
import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import {
  exportTable,
  type ExportFor,
  type ExportSources,
} from '../../../electron/core/exports/export-rows.ts'

const rooms = ['A', 'B', 'C'].map((id) => ({ id }))
const sources = {
  rooms: { listed: async () => rooms, totals: async () => ({ count: 3, asOf: null }) },
} as unknown as ExportSources

test.each<readonly [string, DeviceSelection, readonly string[]]>([
  ['those picked', { kind: 'picked', ids: ['A', 'C'] }, ['A', 'C']],
  ['all that match but those excepted', { kind: 'matching', where: '', except: ['A'] }, ['B', 'C']],
])('exports %s of the selected rooms', async (_, selection, expected) => {
  const subject = { of: 'rooms', where: '', sort: [], selection } as const
  const { total, batches } = await exportTable(sources, { organizationId: 'o' } as ExportFor, {
    subject,
    format: 'csv',
    columns: ['id'],
    timeZone: 'UTC',
  })
  const cells: unknown[] = []
  for await (const batch of batches) cells.push(...batch.flat())
  expect([total, cells]).toEqual([expected.length, expected])
})
