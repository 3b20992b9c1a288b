import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import { tagAtMost, type Tag, type TagChange } from '../../electron/contract/tag.ts'
import { link } from '../link.ts'

/** Blanks at the ends fall away; null: not a name a tag can have (contract/tag.ts). */
export function tagNamed(typed: string): string | null {
  const name = typed.trim()
  return name === '' || name.length > tagAtMost || /[\p{Cc},"]/u.test(name) ? null : name
}

/** Tags of the open device: each is put on or taken off at once, and can be taken back. */
export const useDeviceTags = defineStore('device-tags', () => {
  /** Every tag of the organization, for suggestions; null: not asked for yet. */
  const known = shallowRef<readonly Tag[] | null>(null)
  /** Why the last deed failed. */
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)

  async function learn(): Promise<void> {
    const outcome = await link.tags.list()
    if (outcome.ok) known.value = outcome.value
  }
  /** null: it failed, see `failure`. */
  async function change(deviceId: string, deed: { readonly add?: string; readonly remove?: string }): Promise<TagChange | null> {
    busy.value = true
    const outcome = await link.tags.change({
      selection: { kind: 'picked', ids: [deviceId] },
      add: deed.add === undefined ? [] : [deed.add],
      remove: deed.remove === undefined ? [] : [deed.remove],
    })
    busy.value = false
    failure.value = outcome.ok ? null : outcome.failure
    if (outcome.ok && known.value !== null) void learn()
    return outcome.ok ? outcome.value : null
  }
  async function undo(token: string): Promise<boolean> {
    const outcome = await link.tags.undo({ undo: token })
    failure.value = outcome.ok ? null : outcome.failure
    if (outcome.ok && known.value !== null) void learn()
    return outcome.ok
  }
  return { known, failure, busy, learn, change, undo, forget: () => void (failure.value = null) }
})
