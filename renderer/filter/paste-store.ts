import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { DeviceList, PastedList } from '../../electron/contract/api/devices.ts'
import type { Outcome } from '../../electron/contract/failure.ts'
import { quoted } from '../../electron/contract/filter/filter-reader.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** The maximum size of a paste; the core parses its first 10,000 entries (contract). */
export const PASTED_AT_MOST = 2_000_000
const WINDOW = 500

/** Pasted lists of devices: looked up first, stored when they are used. */
export const usePastedLists = defineStore('pasted lists', () => {
  const looked = latestResult<PastedList>()
  const lists = latestResult<readonly DeviceList[]>()
  const kept = latestResult<PastedList>()

  /** Looks up without storing; a late response is dropped. */
  async function look(text: string): Promise<void> {
    kept.failure.value = null
    if (text.trim() === '' || text.length > PASTED_AT_MOST) looked.clear()
    else await looked.take(api.lists.paste({ text, keep: false, name: null }))
  }
  /** Stores the list under a name, or under the time. Returns the stored list, null on failure. */
  async function keep(text: string, name: string): Promise<PastedList | null> {
    const request = api.lists.paste({ text, keep: true, name: name.trim() === '' ? null : name.trim() })
    await kept.take(request)
    const outcome = await request
    if (!outcome.ok) return null
    await fetchLists()
    return outcome.value
  }
  async function fetchLists(): Promise<void> {
    await lists.take(api.lists.list())
  }
  async function idsIn(name: string): Promise<Outcome<readonly string[]>> {
    const ids: string[] = []
    for (let start = 0, total = 1; start < total; start += WINDOW) {
      const page = await api.devices.slice({
        where: `list:${quoted(name)} gone:any`,
        sort: [],
        start,
        count: WINDOW,
      })
      if (!page.ok) return page
      ids.push(...page.value.rows.map(({ id }) => id))
      total = page.value.total
    }
    return { ok: true, value: ids }
  }
  /**
   * Removes a list and returns the function that restores it; null on failure, which is in `listsFailure`.
   */
  async function remove(name: string): Promise<(() => Promise<void>) | null> {
    const ids = idsIn(name)
    const request = ids.then((found) => (found.ok ? api.lists.remove({ name }) : found))
    await lists.take(request)
    const [found, outcome] = await Promise.all([ids, request])
    return found.ok && outcome.ok ? async () => void (await keep(found.value.join('\n'), name)) : null
  }
  return {
    looked: looked.value,
    lookFailure: looked.failure,
    looking: looked.busy,
    lists: computed(() => lists.value.value ?? []),
    listsFailure: lists.failure,
    keeping: kept.busy,
    keepFailure: kept.failure,
    look,
    keep,
    fetchLists,
    remove,
  }
})
