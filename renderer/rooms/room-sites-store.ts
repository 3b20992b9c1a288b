import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { RoomSites } from '../../electron/contract/api/rooms.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { siteSeparators } from '../../electron/contract/note.ts'
import { api } from '../api.ts'

/** What the names of rooms without a location tell of their sites. */
export const useRoomSites = defineStore('room-sites', () => {
  const sites = shallowRef<RoomSites | null>(null)
  const failure = shallowRef<Failure | null>(null)

  function take(outcome: Outcome<RoomSites>): void {
    failure.value = outcome.ok ? null : outcome.failure
    if (outcome.ok) sites.value = outcome.value
  }
  const read = async (): Promise<void> => take(await api.rooms.sites())
  /** '': names are not asked. */
  const choose = async (sign: string): Promise<void> =>
    take(await api.rooms.chooseSites({ separator: siteSeparators.find((one) => one === sign) ?? null }))
  return { sites, failure, read, choose }
})
