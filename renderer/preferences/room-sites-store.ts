import { defineStore } from 'pinia'
import type { RoomSites } from '../../electron/contract/api/rooms.ts'
import { siteSeparators } from '../../electron/contract/note.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Sites parsed from the names of rooms without a location. */
export const useRoomSites = defineStore('room-sites', () => {
  const sites = latestResult<RoomSites>()
  const load = (): Promise<boolean> => sites.take(api.rooms.sites())
  /** '': names are not used. */
  const choose = (sign: string): Promise<boolean> =>
    sites.take(api.rooms.chooseSites({ separator: siteSeparators.find((one) => one === sign) ?? null }))
  return { sites: sites.value, failure: sites.failure, load, choose }
})
