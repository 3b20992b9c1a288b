import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { DeviceList, PastedList } from '../../electron/contract/api/devices.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { quoted } from '../../electron/contract/filter/filter-reader.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** The maximum size of a paste; the core parses its first 10,000 entries (contract). */
export const PASTED_AT_MOST = 2_000_000
const WINDOW = 500

/** Pasted lists of devices: looked up first, stored when they are used. */
export const usePastedLists = defineStore('pasted lists', () => {
  const looked = latestResult<PastedList>()
  const lists = shallowRef<readonly DeviceList[]>([])
  const listsFailure = shallowRef<Failure | null>(null)
  const keeping = ref(false)
  const keepFailure = shallowRef<Failure | null>(null)

  /** Looks up without storing; a late response is dropped. */
  async function look(text: string): Promise<void> {
    keepFailure.value = null
    if (text.trim() === '' || text.length > PASTED_AT_MOST) looked.clear()
    else await looked.take(api.lists.paste({ text, keep: false, name: null }))
  }
  /** Stores the list under a name, or under the time. Returns the stored list, null on failure. */
  async function keep(text: string, name: string): Promise<PastedList | null> {
    keeping.value = true
    const outcome = await api.lists.paste({
      text,
      keep: true,
      name: name.trim() === '' ? null : name.trim(),
    })
    keeping.value = false
    keepFailure.value = outcome.ok ? null : outcome.failure
    if (!outcome.ok) return null
    await fetchLists()
    return outcome.value
  }
  async function fetchLists(): Promise<void> {
    const outcome = await api.lists.list()
    if (outcome.ok) lists.value = outcome.value
    listsFailure.value = outcome.ok ? null : outcome.failure
  }
  /**
   * Removes a list and returns the function that restores it; null on failure, which is in `listsFailure`.
   */
  async function remove(name: string): Promise<(() => Promise<void>) | null> {
    const ids: string[] = []
    for (let start = 0, total = 1; start < total; start += WINDOW) {
      const page = await api.devices.slice({
        where: `list:${quoted(name)} gone:any`,
        sort: [],
        start,
        count: WINDOW,
      })
      if (!page.ok) {
        listsFailure.value = page.failure
        return null
      }
      ids.push(...page.value.rows.map(({ id }) => id))
      total = page.value.total
    }
    const outcome = await api.lists.remove({ name })
    if (outcome.ok) lists.value = outcome.value
    listsFailure.value = outcome.ok ? null : outcome.failure
    return outcome.ok ? async () => void (await keep(ids.join('\n'), name)) : null
  }
  return {
    looked: looked.value,
    lookFailure: looked.failure,
    looking: looked.busy,
    lists,
    listsFailure,
    keeping,
    keepFailure,
    look,
    keep,
    fetchLists,
    remove,
  }
})
