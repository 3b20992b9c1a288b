import { defineStore } from 'pinia'
import { computed, reactive, ref } from 'vue'
import type { WordCount } from '../../electron/contract/api/devices.ts'
import { roomVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { tokenOf } from '../../electron/contract/fields/field.ts'
import { roomFields, roomGroupColumns, roomSortColumns } from '../../electron/contract/fields/room.ts'
import type { RoomListRow, RoomPage, RoomSort } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import { useGroups } from '../lists/use-groups.ts'
import { useFilter } from '../lists/use-filter.ts'
import { useList } from '../lists/use-list.ts'

/** Rows per request. */
const COUNT = 200
/** The maximum text length of a suggestion query (contract). */
const WORD = 200

/** Views of the list. The first is the default. */
export const roomOrders = {
  need: [
    { column: 'health', descending: false },
    { column: 'offlineSinceAt', descending: true },
  ],
  site: [
    { column: 'site', descending: false },
    { column: 'health', descending: false },
  ],
  name: [{ column: 'name', descending: false }],
} as const satisfies Readonly<Record<string, RoomSort>>

/** Rooms in slices, their filter and order, and the list's position. */
export const useRoomsStore = defineStore('rooms', () => {
  const filter = useFilter(roomVocabulary)
  const sort = useListSort('rooms', roomSortColumns, roomOrders.need)
  const groups = useGroups({
    name: 'rooms',
    columns: roomGroupColumns,
    tokenOf: (by) => tokenOf(roomFields, by),
    vocabulary: roomVocabulary,
    applied: filter.applied,
    fetch: (query) => api.rooms.groups(query),
  })
  const list = useList({
    question: () => ({ where: filter.applied.value, sort: sort.value }),
    count: COUNT,
    fetch: (question, { start, count }) => api.rooms.list({ ...question, start, count }),
    rowsOf: (page: RoomPage): readonly RoomListRow[] => page.rows,
    idOf: (room) => room.id,
    beside: groups.load,
    replacedBy: [organizationSwitched],
  })
  /** The list was left for the page of a room: it gets the focus on return. */
  const returning = ref(false)

  async function suggest(key: string, typed: string): Promise<readonly WordCount[]> {
    const outcome = await api.rooms.suggest({ key, typed: typed.slice(0, WORD) })
    return outcome.ok ? outcome.value : []
  }
  return {
    ...filter,
    ...list,
    sort,
    groups: reactive(groups),
    statuses: computed(() => list.answer.value?.statuses ?? []),
    health: computed(() => list.answer.value?.health ?? []),
    returning,
    suggest,
    follow: () => list.follow([api.rooms.changed, api.devices.changed]),
  }
})
