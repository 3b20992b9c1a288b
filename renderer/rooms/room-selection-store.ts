import { defineStore } from 'pinia'
import { roomVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import type { RoomSort } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import type { Pickable } from '../filter/selection.ts'
import { useSelectionOf } from '../filter/use-selection.ts'
import { useRoomsStore } from './rooms-store.ts'

const byName: RoomSort = [{ column: 'name', descending: false }]

/** The selected rooms. Those that match a filter are counted by the core. */
export const useRoomSelection = defineStore('room-selection', () => {
  const rooms = useRoomsStore()
  const selection = useSelectionOf<Pickable>({
    vocabulary: roomVocabulary,
    list: rooms,
    remembered: ({ id }) => ({ id }),
    position: (where, id) => api.rooms.position({ where, sort: rooms.sort, id }),
    slice: (where) => {
      const { sort } = rooms
      return (start, count) => api.rooms.list({ where, sort, start, count })
    },
    countOf: (chosen) =>
      chosen.kind === 'picked' ? null : countMatching(chosen.where, chosen.except.length),
  })
  async function countMatching(where: string, except: number) {
    const outcome = await api.rooms.list({ where, sort: byName, start: 0, count: 1 })
    return outcome.ok ? { ...outcome, value: { count: Math.max(0, outcome.value.total - except) } } : outcome
  }
  /** Ids of one organization have no meaning in another. */
  organizationSwitched(selection.clear)
  return selection
})
