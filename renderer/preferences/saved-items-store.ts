import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { DeviceList } from '../../electron/contract/api/devices.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import type { Tag, TagChange } from '../../electron/contract/api/tags.ts'
import { listNames } from '../../electron/contract/view.ts'
import type { SavedView } from '../../electron/contract/api/views.ts'
import { quoted } from '../../electron/contract/filter/filter-reader.ts'
import { failureText } from '../failures/failure-text.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { toast } from '../components/toasts.ts'

/** The maximum of one response, and of a list (contract). */
const WINDOW = 500

/**
 * Saved items of a technician: tags, pasted lists, saved views. Renaming and removing can be undone in the
 * resulting message.
 */
export const useSavedItems = defineStore('savedItems', () => {
  const tags = latestResult<readonly Tag[]>()
  const lists = latestResult<readonly DeviceList[]>()
  const views = latestResult<readonly SavedView[]>()
  const all = [tags, lists, views]

  const failed = (wrong: Failure): false => {
    toast({ text: failureText(wrong).sentence, kind: 'bad' })
    return false
  }
  const undoable = (words: string, back: () => Promise<Outcome<unknown>>): true => {
    const run = async (): Promise<void> => {
      const outcome = await back()
      await load()
      if (outcome.ok) toast({ text: text('preferences.takenBack', { what: words }) })
      else failed(outcome.failure)
    }
    toast({ text: words, action: { label: text('components.undo'), takesBack: true, run } })
    return true
  }

  async function load(): Promise<void> {
    await Promise.all([tags.take(api.tags.list()), lists.take(api.lists.list()), views.take(allViews())])
  }
  async function allViews(): Promise<Outcome<readonly SavedView[]>> {
    const ofLists = await Promise.all(listNames.map((list) => api.views.list({ list })))
    return (
      ofLists.find((one) => !one.ok) ?? {
        ok: true,
        value: ofLists.flatMap((one) => (one.ok ? one.value : [])),
      }
    )
  }
  async function changeTag(question: Promise<Outcome<TagChange>>, words: string): Promise<boolean> {
    const outcome = await question
    await load()
    if (!outcome.ok) return failed(outcome.failure)
    const { undo } = outcome.value
    return undo === null ? true : undoable(words, () => api.tags.undo({ undo }))
  }
  const renameTag = (from: string, to: string): Promise<boolean> =>
    changeTag(api.tags.rename({ from, to }), text('preferences.tags.renamed', { from, to }))
  const removeTag = (tag: Tag): Promise<boolean> =>
    changeTag(
      api.tags.remove({ name: tag.name }),
      countedText('preferences.tags.removed', tag.count, { name: tag.name, n: formatCount(tag.count) }),
    )

  /** A list is restored by pasting its devices again: they are read before it is removed. */
  async function idsOf(name: string): Promise<readonly string[] | Failure> {
    const ids: string[] = []
    for (let total = Infinity; ids.length < total;) {
      const query = {
        where: `list:=${quoted(name)} gone:any`,
        sort: [{ column: 'id' as const, descending: false }],
        start: ids.length,
        count: WINDOW,
      }
      const outcome = await api.devices.slice(query)
      if (!outcome.ok) return outcome.failure
      if (outcome.value.rows.length === 0) break
      total = outcome.value.total
      ids.push(...outcome.value.rows.map((row) => row.id))
    }
    return ids
  }
  async function removeList(name: string): Promise<boolean> {
    const ids = await idsOf(name)
    if ('kind' in ids) return failed(ids)
    const outcome = await api.lists.remove({ name })
    await load()
    if (!outcome.ok) return failed(outcome.failure)
    const words = countedText('preferences.tags.listRemoved', ids.length, {
      name,
      n: formatCount(ids.length),
    })
    return undoable(words, () => api.lists.paste({ text: ids.join('\n'), keep: true, name }))
  }

  async function renameView(view: SavedView, name: string): Promise<boolean> {
    const outcome = await api.views.rename({ id: view.id, name })
    await load()
    return outcome.ok
      ? undoable(text('preferences.views.renamed', { from: view.name, to: name }), () =>
          api.views.rename({ id: view.id, name: view.name }),
        )
      : failed(outcome.failure)
  }
  async function removeView({ id, createdAt: _created, ...draft }: SavedView): Promise<boolean> {
    const outcome = await api.views.remove({ id })
    await load()
    return outcome.ok
      ? undoable(text('preferences.views.removed', { name: draft.name }), () => api.views.save(draft))
      : failed(outcome.failure)
  }
  function follow(): () => void {
    void load()
    const disposers = [api.tags.changed(() => void load()), api.organizations.changed(() => void load())]
    return () => disposers.forEach((end) => end())
  }

  return {
    tags: computed(() => tags.value.value ?? []),
    lists: computed(() => lists.value.value ?? []),
    views: computed(() => views.value.value ?? []),
    failure: computed(() => all.find((one) => one.failure.value !== null)?.failure.value ?? null),
    known: computed(() => all.every((one) => one.value.value !== null || one.failure.value !== null)),
    load,
    follow,
    renameTag,
    removeTag,
    removeList,
    renameView,
    removeView,
  }
})
