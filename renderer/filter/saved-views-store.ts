import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import type { ListName } from '../../electron/contract/view.ts'
import type { SavedView, SavedViewDraft } from '../../electron/contract/api/views.ts'
import { api } from '../api.ts'

/** Views saved by the technician, for each list, and the view selected last. Every change returns why it failed, else null. */
export const useSavedViews = defineStore('saved views', () => {
  const views = shallowRef<Readonly<Partial<Record<ListName, readonly SavedView[]>>>>({})
  const failure = shallowRef<Failure | null>(null)
  /** Key of the view selected last (built-in-views.ts). */
  const chosen = shallowRef<Readonly<Partial<Record<ListName, string | null>>>>({})

  function put(list: ListName, outcome: Outcome<readonly SavedView[]>): Failure | null {
    if (outcome.ok) views.value = { ...views.value, [list]: outcome.value }
    return outcome.ok ? null : outcome.failure
  }
  async function load(list: ListName): Promise<void> {
    failure.value = put(list, await api.views.list({ list }))
  }
  /** Replaces one of the same name; the saved view becomes the selected one. */
  async function save(draft: SavedViewDraft): Promise<Failure | null> {
    const wrong = put(draft.list, await api.views.save(draft))
    const saved = views.value[draft.list]?.find(
      ({ name }) => name.toLowerCase() === draft.name.trim().toLowerCase(),
    )
    if (wrong === null && saved) choose(draft.list, `saved ${saved.id}`)
    return wrong
  }
  const rename = async (view: Pick<SavedView, 'id' | 'list'>, name: string): Promise<Failure | null> =>
    put(view.list, await api.views.rename({ id: view.id, name }))
  const remove = async (view: Pick<SavedView, 'id' | 'list'>): Promise<Failure | null> =>
    put(view.list, await api.views.remove({ id: view.id }))
  function choose(list: ListName, key: string | null): void {
    chosen.value = { ...chosen.value, [list]: key }
  }
  return { views, failure, chosen, load, save, rename, remove, choose }
})
