import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { listNames, type ListName } from '../../electron/contract/view.ts'
import type { SavedView, SavedViewDraft } from '../../electron/contract/api/views.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** Views saved by the technician, for each list, and the view selected last. Every change returns why it failed, else null. */
export const useSavedViews = defineStore('saved views', () => {
  const of = new Map(listNames.map((list) => [list, latestResult<readonly SavedView[]>()]))
  const views = computed<Readonly<Partial<Record<ListName, readonly SavedView[]>>>>(() =>
    Object.fromEntries(
      [...of].flatMap(([list, { value }]) => (value.value === null ? [] : [[list, value.value]])),
    ),
  )
  const loaded = latestResult<unknown>()
  const saves = new Map(listNames.map((list) => [list, latestResult<unknown>()]))
  /** Key of the view selected last (built-in-views.ts). */
  const chosen = shallowRef<Readonly<Partial<Record<ListName, string | null>>>>({})

  async function put(
    list: ListName,
    request: Promise<Outcome<readonly SavedView[]>>,
  ): Promise<Failure | null> {
    await of.get(list)?.take(request)
    const outcome = await request
    return outcome.ok ? null : outcome.failure
  }
  async function load(list: ListName): Promise<void> {
    const request = api.views.list({ list })
    await Promise.all([loaded.take(request), put(list, request)])
  }
  /** Replaces one of the same name; the saved view becomes the selected one. */
  async function save(draft: SavedViewDraft): Promise<Failure | null> {
    const request = api.views.save(draft)
    const [isLatest, wrong] = await Promise.all([
      saves.get(draft.list)?.take(request),
      put(draft.list, request),
    ])
    const outcome = await request
    const saved =
      isLatest &&
      outcome.ok &&
      outcome.value.find(({ name }) => name.toLowerCase() === draft.name.trim().toLowerCase())
    if (saved) choose(draft.list, `saved ${saved.id}`)
    return wrong
  }
  const rename = (view: Pick<SavedView, 'id' | 'list'>, name: string): Promise<Failure | null> =>
    put(view.list, api.views.rename({ id: view.id, name }))
  const remove = (view: Pick<SavedView, 'id' | 'list'>): Promise<Failure | null> =>
    put(view.list, api.views.remove({ id: view.id }))
  function choose(list: ListName, key: string | null): void {
    saves.get(list)?.clear()
    chosen.value = { ...chosen.value, [list]: key }
  }
  return { views, failure: loaded.failure, chosen, load, save, rename, remove, choose }
})
