import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import { tagAtMost, type Tag } from '../../electron/contract/tag.ts'
import { link } from '../link.ts'

/** What was just done, to be said and taken back. */
export interface TagDeed {
  readonly deviceId: string
  readonly kind: 'added' | 'removed' | 'undone'
  readonly name: string
  readonly undo: string | null
}

/** Blanks at the ends fall away; null: not a name a tag can have (contract/tag.ts). */
export function tagNamed(typed: string): string | null {
  const name = typed.trim()
  return name === '' || name.length > tagAtMost || /[\p{Cc},"]/u.test(name) ? null : name
}

/** Tags of one device: each is put on or taken off at once, and can be taken back. */
export const useDeviceTags = defineStore('device-tags', () => {
  /** Every tag of the organization, for suggestions; null: not asked for yet. */
  const known = shallowRef<readonly Tag[] | null>(null)
  const deed = shallowRef<TagDeed | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)

  async function learn(): Promise<void> {
    const outcome = await link.tags.list()
    if (outcome.ok) known.value = outcome.value
  }
  async function change(deviceId: string, name: string, kind: 'added' | 'removed'): Promise<boolean> {
    busy.value = true
    const names = [name]
    const outcome = await link.tags.change({
      selection: { kind: 'picked', ids: [deviceId] },
      add: kind === 'added' ? names : [],
      remove: kind === 'removed' ? names : [],
    })
    busy.value = false
    failure.value = outcome.ok ? null : outcome.failure
    deed.value = outcome.ok ? { deviceId, kind, name, undo: outcome.value.undo } : null
    if (outcome.ok) void learn()
    return outcome.ok
  }
  async function undo(): Promise<boolean> {
    const last = deed.value
    if (last === null || last.undo === null) return false
    const outcome = await link.tags.undo({ undo: last.undo })
    failure.value = outcome.ok ? null : outcome.failure
    deed.value = outcome.ok ? { ...last, kind: 'undone', undo: null } : null
    return outcome.ok
  }
  function forget(): void {
    deed.value = null
    failure.value = null
  }
  return {
    known,
    deed,
    failure,
    busy,
    learn,
    add: (id: string, name: string) => change(id, name, 'added'),
    remove: (id: string, name: string) => change(id, name, 'removed'),
    undo,
    forget,
  }
})
