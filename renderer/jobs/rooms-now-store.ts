import { shallowReactive, watch } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { Room } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { latestResult, type LatestResult } from '../components/latest-result.ts'

export interface RoomsNow {
  /** null: not loaded, or not known. */
  readonly of: (id: string) => Room | null
  readonly failureOf: (id: string) => Failure | null
  /** It is being read again. */
  readonly isReading: (id: string) => boolean
  /** Reads a room again from the service. */
  readonly read: (id: string) => void
}

/** The listed rooms as they are stored; each can be read again. */
export function useRoomsNow(ids: () => readonly string[]): RoomsNow {
  const known = shallowReactive(new Map<string, LatestResult<Room>>())
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
    isReading: (id) => (known.get(id)?.busy.value ?? false) && known.get(id)?.value.value !== null,
    read: (id) => void known.get(id)?.take(api.rooms.refresh({ id })),
  }
}
