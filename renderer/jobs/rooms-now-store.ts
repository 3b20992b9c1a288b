import { ref, shallowReactive, watch, type Ref } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Room } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

export interface RoomsNow {
  /** null: not loaded, or not known. */
  readonly of: (id: string) => Room | null
  readonly failureOf: (id: string) => Failure | null
  /** The room that is being read. */
  readonly reading: Ref<string | null>
  /** Reads a room again from the service. */
  readonly read: (id: string) => Promise<void>
}

/** The listed rooms as they are stored; one at a time can be read again. */
export function useRoomsNow(ids: () => readonly string[]): RoomsNow {
  const known = shallowReactive(new Map<string, LatestResult<Room>>())
  const reading = ref<string | null>(null)
  watch(
    ids,
    (wanted) => {
      for (const id of wanted) {
        if (known.has(id)) continue
        const room = latestResult<Room>()
        known.set(id, room)
        void room.take(api.rooms.get({ id }))
      }
    },
    { immediate: true },
  )
  return {
    of: (id) => known.get(id)?.value.value ?? null,
    failureOf: (id) => known.get(id)?.failure.value ?? null,
    reading,
    async read(id) {
      reading.value = id
      await known.get(id)?.take(api.rooms.refresh({ id }))
      reading.value = null
    },
  }
}
