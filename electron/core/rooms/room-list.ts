import type { RoomRow } from '../../contract/api/rooms.ts'
import { roomFields } from '../../contract/fields/room.ts'
import type { MemoryList } from '../lists/memory-list.ts'
import { folded } from '../../contract/filter/folded.ts'
import { naturalKey, searchable } from '../storage/search-text.ts'
import { firmwareWorstFirst, healthsWorstFirst } from './room-health.ts'
import type { RoomSummary } from './room-summaries.ts'

/** The filters and sort orders of room lists; ties in natural order of the name, then by id. */
export const roomList: MemoryList<RoomSummary, RoomRow, typeof roomFields> = {
  fields: roomFields,
  isGone: ({ row }) => row.gone,
  member: ({ row }) => row,
  values: {
    offlineCount: ({ offlineCount }) => offlineCount,
    byServiceCount: ({ row }) => row.byServiceCount ?? 0,
    contradictedCount: ({ row }) => row.contradictedCount ?? 0,
    worstFirmware: ({ firmware }) => firmware,
    note: ({ row }) => row.note ?? null,
    goneAt: ({ row }) => (row.gone ? 'yes' : 'no'),
  },
  ranks: {
    name: ({ nameKey }) => nameKey,
    location: ({ locationKey }) => locationKey,
    site: ({ row }) => (row.site === null ? null : naturalKey(row.site)),
    type: ({ typeKey }) => typeKey,
    goneAt: ({ row }) => row.goneAt,
    // The worst first.
    health: ({ row }) => healthsWorstFirst.indexOf(row.health),
    worstFirmware: ({ row }) =>
      row.worstFirmware === null ? null : firmwareWorstFirst.indexOf(row.worstFirmware),
  },
  ties: [({ nameKey }) => nameKey, ({ row }) => row.id],
  /** Searches name, location or type, the room's id and its group ids. Quoted text must occur exactly. */
  freeWord(typed) {
    const phrase = searchable([typed]).trim()
    return ({ words, row }) =>
      words.includes(phrase) || [row.id, ...row.groupIds].some((id) => folded(id) === phrase)
  },
}
