import { defineStore } from 'pinia'
import { done } from '../../electron/contract/failure.ts'
import { quoted } from '../../electron/contract/filter/filter-reader.ts'
import { folded } from '../../electron/contract/filter/folded.ts'
import { roomVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import type { Pickable } from '../filter/selection.ts'
import { useSelectionOf } from '../filter/use-selection.ts'
import { useRoomsStore } from './rooms-store.ts'

/** Characters of a filter, and values of one of its terms (contract). */
const [LONGEST_FILTER, MOST_VALUES] = [2_000, 200]

/** Filters that together match those of the ids that match `where`. */
function filtersOf(where: string, ids: readonly string[]): readonly string[] {
  const begun = `${where} id:`.trimStart()
  const space = LONGEST_FILTER - folded(begun).length
  const groups: string[][] = []
  let used = space
  for (const id of ids.map(quoted)) {
    const group = groups.at(-1)
    used += id.length + 1
    if (group === undefined || group.length === MOST_VALUES || used > space) {
      groups.push([id])
      used = id.length
    } else group.push(id)
  }
  return groups.map((group) => begun + group.join(','))
}

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
    countOf: (chosen) => (chosen.kind === 'picked' ? null : countMatching(chosen.where, chosen.except)),
  })
  const countOf = (where: string) => api.rooms.list({ where, sort: [], start: 0, count: 0 })
  /** Only exceptions that still match are among those counted. */
  async function countMatching(where: string, except: readonly string[]) {
    const [all, ...excepted] = await Promise.all([countOf(where), ...filtersOf(where, except).map(countOf)])
    if (!all.ok) return all
    let { total: count } = all.value
    for (const one of excepted) {
      if (!one.ok) return one
      count -= one.value.total
    }
    return done({ count: Math.max(0, count) })
  }
  /** Ids of one organization have no meaning in another. */
  organizationSwitched(selection.clear)
  return selection
})
