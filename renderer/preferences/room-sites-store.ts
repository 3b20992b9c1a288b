import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { RoomSites } from '../../electron/contract/api/rooms.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { siteSeparators } from '../../electron/contract/note.ts'
import { api } from '../api.ts'

/** Sites parsed from the names of rooms without a location. */
export const useRoomSites = defineStore('room-sites', () => {
  const sites = shallowRef<RoomSites | null>(null)
  const failure = shallowRef<Failure | null>(null)

  function take(outcome: Outcome<RoomSites>): void {
    failure.value = outcome.ok ? null : outcome.failure
    if (outcome.ok) sites.value = outcome.value
  }
  const load = async (): Promise<void> => take(await api.rooms.sites())
  /** '': names are not used. */
  const choose = async (sign: string): Promise<void> =>
    take(await api.rooms.chooseSites({ separator: siteSeparators.find((one) => one === sign) ?? null }))
  return { sites, failure, load, choose }
})
