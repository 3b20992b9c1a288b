import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Room, RoomSort } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { RELOAD_EVERY_IN_MS } from '../lists/use-list.ts'
import { listPlace } from '../components/list-place.ts'
import { throttle } from '../components/throttle.ts'
import { refreshNow } from '../components/now.ts'

/**
 * The open room: its record, and its position in the list. A room remains on screen until the next one is
 * loaded; late responses for a previous room are dropped.
 */
export const useRoomStore = defineStore('room', () => {
  const id = ref<string | null>(null)
  const room = shallowRef<Room | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** Whether the room is being refreshed from the service. */
  const refreshing = ref(false)
  const refreshFailure = shallowRef<Failure | null>(null)
  const list = shallowRef<{ readonly where: string; readonly sort: RoomSort }>({ where: '', sort: [] })
  let round = 0

  const place = listPlace({
    position: (wanted) => api.rooms.position({ ...list.value, id: wanted }),
    idAt: async (start) => {
      const outcome = await api.rooms.list({ ...list.value, start, count: 1 })
      return outcome.ok ? { ok: true, value: outcome.value.rows[0]?.id ?? null } : outcome
    },
  })

  async function load(wanted: string, mine: number): Promise<void> {
    const found = await api.rooms.get({ id: wanted })
    if (mine !== round) return
    failure.value = found.ok ? null : found.failure
    if (found.ok) room.value = found.value
    else if (room.value?.id !== wanted) room.value = null
    refreshNow()
  }
  async function open(wanted: string): Promise<void> {
    const mine = ++round
    id.value = wanted
    refreshing.value = false
    refreshFailure.value = null
    await load(wanted, mine)
  }
  /** Reloads the open room without an indicator, because rows changed. */
  async function again(): Promise<void> {
    if (id.value !== null) await load(id.value, round)
  }
  /** Refreshes the room from the service. Displayed data remains when a failure is shown. */
  async function refresh(): Promise<void> {
    const wanted = room.value?.id
    if (wanted === undefined || refreshing.value) return
    const mine = round
    refreshing.value = true
    refreshFailure.value = null
    const outcome = await api.rooms.refresh({ id: wanted })
    if (mine !== round) return
    refreshing.value = false
    if (outcome.ok) room.value = outcome.value
    else refreshFailure.value = outcome.failure
    await load(wanted, mine)
  }
  /** Stores a note or a site set by the technician; null: removes it. */
  async function write(of: string, what: 'note' | 'site', text: string | null): Promise<Failure | null> {
    const outcome =
      what === 'note'
        ? await api.rooms.setNote({ id: of, note: text })
        : await api.rooms.setSite({ id: of, site: text })
    if (!outcome.ok) return outcome.failure
    if (room.value?.id === of) room.value = outcome.value
    return null
  }
  function close(): void {
    round += 1
    id.value = null
    room.value = null
    failure.value = null
    refreshing.value = false
    refreshFailure.value = null
    place.clear()
  }
  function find(wanted: string, inList: { readonly where: string; readonly sort: RoomSort }): Promise<void> {
    list.value = inList
    return place.find(wanted)
  }
  /** For a page without a list; with a list, its store does this. */
  function follow(): () => void {
    const reload = throttle(() => void again(), RELOAD_EVERY_IN_MS)
    const disposers = [api.rooms.changed(reload.call), api.devices.changed(reload.call)]
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }

  return {
    id,
    room,
    failure,
    refreshing,
    refreshFailure,
    index: place.index,
    total: place.total,
    hasPrevious: place.hasPrevious,
    hasNext: place.hasNext,
    step: place.step,
    find,
    open,
    again,
    refresh,
    write,
    close,
    follow,
  }
})
