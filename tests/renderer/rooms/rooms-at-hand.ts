import type { Room, RoomRow } from '../../../electron/contract/api/rooms.ts'
import type { TestCore } from '../core.ts'

/** The rooms of the prepared fleet that match, by name. */
export async function roomsWhere({ handlers }: TestCore, where: string): Promise<readonly RoomRow[]> {
  const sort = [{ column: 'name', descending: false }] as const
  return (await handlers.rooms.list({ where, sort, start: 0, count: 500 })).rows
}

/** A room with several devices, all of them online. */
export async function aHealthyRoom(core: TestCore): Promise<Room> {
  const rows = await roomsWhere(core, 'health:ok')
  const row = rows.find(
    ({ deviceCount, onlineCount }) => (deviceCount ?? 0) > 1 && onlineCount === deviceCount,
  )
  return core.handlers.rooms.get({ id: row!.id })
}
