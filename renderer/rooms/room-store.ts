import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Room, RoomSort } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { RELOAD_EVERY_IN_MS } from '../lists/use-list.ts'
import { resultOf } from '../components/latest-result.ts'
import { listPlace } from '../components/list-place.ts'
import { throttle } from '../components/throttle.ts'
import { refreshNow } from '../components/now.ts'

/**
 * The open room: its record, and its position in the list. A room remains on screen until the next one is
 * loaded; late responses for a previous room are dropped.
 */
export const useRoomStore = defineStore('room', () => {
  const id = ref<string | null>(null)
  const found = resultOf<Room>(() => id.value)
  const room = computed(() => found.last.value?.value ?? null)
  /** Of the room on screen, from the service. */
  const refreshed = resultOf<Room>(() => found.last.value?.of ?? null)
  const list = shallowRef<{ readonly where: string; readonly sort: RoomSort }>({ where: '', sort: [] })

  const place = listPlace({
    position: (wanted) => api.rooms.position({ ...list.value, id: wanted }),
    idAt: async (start) => {
      const outcome = await api.rooms.list({ ...list.value, start, count: 1 })
      return outcome.ok ? { ok: true, value: outcome.value.rows[0]?.id ?? null } : outcome
    },
  })

  async function load(wanted: string): Promise<void> {
    if (await found.take(wanted, api.rooms.get({ id: wanted }))) refreshNow()
  }
  function open(wanted: string): Promise<void> {
    if (id.value !== wanted) refreshed.clear()
    id.value = wanted
    return load(wanted)
  }
  /** Reloads the open room without an indicator, because rows changed. */
  async function again(): Promise<void> {
    if (id.value !== null) await load(id.value)
  }
  /** Refreshes the room from the service. Displayed data remains when a failure is shown. */
  async function refresh(): Promise<void> {
    const wanted = room.value?.id
    if (wanted === undefined || refreshed.busy.value) return
    if (await refreshed.take(wanted, api.rooms.refresh({ id: wanted }))) await load(wanted)
  }
  /** Stores a note or a site set by the technician; null: removes it. */
  async function write(of: string, what: 'note' | 'site', text: string | null): Promise<Failure | null> {
    const outcome =
      what === 'note'
        ? await api.rooms.setNote({ id: of, note: text })
        : await api.rooms.setSite({ id: of, site: text })
    if (!outcome.ok) return outcome.failure
    await load(of)
    return null
  }
  function close(): void {
    id.value = null
    found.clear()
    refreshed.clear()
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
    failure: computed(() => found.last.value?.failure ?? null),
    /** Whether the room is being refreshed from the service. */
    refreshing: refreshed.busy,
    refreshFailure: computed(() => refreshed.answer.value.failure),
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
