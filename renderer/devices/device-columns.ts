import type { DeviceColumn } from '../../electron/contract/device.ts'

export interface ColumnWidth {
  readonly column: DeviceColumn
  readonly least: number
}

/** What gives way last stands first. Widths in pixels at 12 px text; chosen so that serials and versions are never cut. */
const byPriority: readonly ColumnWidth[] = [
  { column: 'name', least: 180 },
  { column: 'status', least: 118 },
  { column: 'firmwareVersion', least: 104 },
  { column: 'serialNumber', least: 116 },
  { column: 'lastSeenAt', least: 104 },
  { column: 'roomName', least: 138 },
  { column: 'productName', least: 160 },
  { column: 'userName', least: 112 },
]

/** The columns that fit beside one another: columns give way before text is cut. The first always stays. */
export function columnsFor(width: number): ReadonlySet<DeviceColumn> {
  const shown = new Set<DeviceColumn>()
  let used = 0
  for (const { column, least } of byPriority) {
    if (shown.size > 0 && used + least > width) break
    shown.add(column)
    used += least
  }
  return shown
}
export const leastWidth = (column: DeviceColumn): number => byPriority.find((entry) => entry.column === column)?.least ?? 100
