import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { WordCount } from '../../electron/contract/api/devices.ts'
import { api } from '../api.ts'
import type { ListName } from '../../electron/contract/view.ts'

const RECENT_AT_MOST = 6

/** Filter keys of changes whose values are those of devices. */
const ofDevices = new Set(['product', 'room', 'tag', 'name'])

/** Values of the fleet, for suggestions, and the filters used in this run. */
export const useFilterSuggestions = defineStore('filter suggestions', () => {
  const recent = shallowRef<Readonly<Record<ListName, readonly string[]>>>({
    devices: [],
    rooms: [],
    changes: [],
    jobs: [],
    journal: [],
  })

  /**
   * Most frequent first, at most 20; empty if there are none or the query failed, because suggestions never
   * show an error.
   */
  async function suggest(list: ListName, key: string, typed: string): Promise<readonly WordCount[]> {
    if (
      list === 'jobs' ||
      (list === 'changes' && !ofDevices.has(key)) ||
      (list === 'journal' && key !== 'name')
    )
      return []
    const outcome = await (list === 'rooms' ? api.rooms : api.devices).suggest({ key, typed })
    return outcome.ok ? outcome.value : []
  }
  /** Adds a used filter, so that it is suggested again. */
  function remember(list: ListName, text: string): void {
    if (text === '') return
    recent.value = {
      ...recent.value,
      [list]: [text, ...recent.value[list].filter((one) => one !== text)].slice(0, RECENT_AT_MOST),
    }
  }
  return { recent, suggest, remember }
})
