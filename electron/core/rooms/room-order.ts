import type { RoomColumn } from '../../contract/room.ts'
import type { RoomSort } from '../../contract/api/rooms.ts'
import { firmwareWorstFirst, healthsWorstFirst } from './room-health.ts'
import type { RoomSummary } from './room-summaries.ts'

type Compared = string | number | null

/** What each column is sorted by; health and firmware by how bad they are, the worst first. */
const columns: Readonly<Record<RoomColumn, (room: RoomSummary) => Compared>> = {
  name: ({ nameKey }) => nameKey,
  location: ({ locationKey }) => locationKey,
  type: ({ typeKey }) => typeKey,
  status: ({ row }) => row.status,
  health: ({ row }) => healthsWorstFirst.indexOf(row.health),
  deviceCount: ({ row }) => row.deviceCount,
  onlineCount: ({ row }) => row.onlineCount,
  worstFirmware: ({ row }) =>
    row.worstFirmware === null ? null : firmwareWorstFirst.indexOf(row.worstFirmware),
  seatCount: ({ row }) => row.seatCount,
  lastSeenAt: ({ row }) => row.lastSeenAt,
  observedAt: ({ row }) => row.observedAt,
}

/** Rooms in order: missing values last either way; equal ones by name as people count, then by id. Answers a new list. */
export function inOrder(rooms: readonly RoomSummary[], sort: RoomSort): RoomSummary[] {
  const entries = sort.map(({ column, descending }) => ({
    value: columns[column],
    sign: descending ? -1 : 1,
  }))
  return [...rooms].sort((a, b) => {
    for (const { value, sign } of entries) {
      const order = compared(value(a), value(b), sign)
      if (order !== 0) return order
    }
    return compared(a.nameKey, b.nameKey, 1) || compared(a.row.id, b.row.id, 1)
  })
}

function compared(a: Compared, b: Compared, sign: number): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -sign : sign
}
