import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { namedAtMost } from '../../electron/contract/device.ts'
import { roomVocabulary } from '../../electron/contract/filter/filter-words.ts'
import type { RoomSort } from '../../electron/contract/api/rooms.ts'
import {
  headOf,
  isChosen,
  isNothing,
  isWithin,
  nothing,
  toContract,
  withRows,
  type Chosen,
  type Pickable,
} from '../filter/selection.ts'
import { api } from '../api.ts'
import { latestAnswer } from '../parts/latest-answer.ts'
import { useRoomsStore } from './rooms-store.ts'

/** Why the last wish could not be met; said in the bar. */
export type RoomRefusal = 'too-many' | 'not-among' | 'not-read'

const byName: RoomSort = [{ column: 'name', descending: false }]
/** The most rows one question answers (contract). */
const PAGE = 500

/** The rooms that are chosen: picked one by one, or all that match a filter but some; how many they are now. */
export const useRoomSelection = defineStore('room-selection', () => {
  const rooms = useRoomsStore()
  const chosen = shallowRef<Chosen>(nothing)
  const refusal = ref<RoomRefusal | null>(null)
  /** The filter of the list in which it was last changed. */
  const madeIn = ref('')
  const counted = latestAnswer<{ readonly total: number }>()
  let anchor: { readonly index: number; readonly wanted: boolean } | null = null

  const some = computed(() => !isNothing(chosen.value))
  /** Whether the list on screen lies within a selection by filter: then its boxes are known. */
  const within = computed(
    () => chosen.value.kind === 'picked' || isWithin(rooms.asked, chosen.value.where, roomVocabulary),
  )
  const head = computed(() => headOf(chosen.value, rooms.asked, roomVocabulary))
  /**
   * What may be acted on: a selection in the list it was last changed in. One left over from another list is shown and can be gone back
   * to, but nothing is done with it: it looks like a new one.
   */
  const actionable = computed(() =>
    some.value && rooms.asked === madeIn.value ? toContract(chosen.value) : null,
  )
  /** Null while the first count is under way. */
  const count = computed(() => {
    const { value } = chosen
    if (value.kind === 'picked') return value.rows.size
    const all = counted.value.value?.total ?? null
    return all === null ? null : Math.max(0, all - value.except.size)
  })

  function recount(): void {
    if (chosen.value.kind === 'matching')
      void counted.take(api.rooms.list({ where: chosen.value.where, sort: byName, start: 0, count: 1 }))
    else counted.clear()
  }
  function choose(next: Chosen): void {
    chosen.value = next
    madeIn.value = rooms.asked
    refusal.value = null
    recount()
  }
  watch(() => rooms.changed, recount)

  const chosenAt = (id: string): boolean | null => isChosen(chosen.value, id, within.value)
  function put(rows: readonly Pickable[], wanted: boolean): void {
    const next = withRows(
      chosen.value,
      rows.map(({ id }) => ({ id })),
      wanted,
    )
    if (next) choose(next)
    else refusal.value = 'too-many'
  }
  /** Chooses a room or lets it go. Under another filter the core is asked first whether it is among those chosen. */
  async function toggle(row: Pickable, index: number): Promise<void> {
    const now = chosenAt(row.id)
    anchor = { index, wanted: now === false }
    if (now === null && chosen.value.kind === 'matching') {
      const meant = chosen.value
      const outcome = await api.rooms.position({ where: meant.where, sort: byName, id: row.id })
      if (chosen.value !== meant) return
      if (!outcome.ok || outcome.value.index === null) {
        refusal.value = outcome.ok ? 'not-among' : 'not-read'
        return
      }
    }
    put([row], now === false)
  }
  /** From the room last chosen or let go to this one, in the list on screen. */
  async function extendTo(row: Pickable, index: number): Promise<void> {
    if (anchor === null || !within.value) return toggle(row, index)
    const { wanted } = anchor
    const [from, to] = [Math.min(anchor.index, index), Math.max(anchor.index, index)]
    const [meant, where, sort] = [chosen.value, rooms.asked, rooms.sort]
    const rows: Pickable[] = []
    for (let start = from; start <= to; start += PAGE) {
      const outcome = await api.rooms.list({ where, sort, start, count: Math.min(PAGE, to - start + 1) })
      if (!outcome.ok) {
        refusal.value = 'not-read'
        return
      }
      rows.push(...outcome.value.rows)
    }
    if (chosen.value === meant) put(rows, wanted)
  }
  /** Everything that matches what is on screen. A filter with a problem means nothing to act on. */
  function chooseAll(): void {
    if (rooms.problems.length === 0) choose({ kind: 'matching', where: rooms.asked, except: new Set() })
  }
  function clear(): void {
    anchor = null
    choose(nothing)
  }
  function toggleAll(): void {
    if (head.value === 'all') clear()
    else chooseAll()
  }
  /** Ids belong to one organization. */
  const follow = (): (() => void) => api.organizations.changed(clear)

  return {
    chosen,
    some,
    actionable,
    within,
    head,
    count,
    refusal,
    namedAtMost,
    chosenAt,
    toggle,
    extendTo,
    chooseAll,
    toggleAll,
    clear,
    follow,
  }
})
