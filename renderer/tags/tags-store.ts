import { defineStore } from 'pinia'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { tagAtMost } from '../../electron/contract/tag.ts'
import type { Tag, TagChange } from '../../electron/contract/api/tags.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'

/** A typed name without white space at its ends; null: not a valid tag name (contract/tag.ts). */
export function tagNamed(typed: string): string | null {
  const name = typed.trim()
  return name === '' || name.length > tagAtMost || /[\p{Cc},"]/u.test(name) ? null : name
}

/** If there are more tags, they are not counted within a selection, because each costs a query. */
const COUNTED_AT_MOST = 40

/** The technician's own tags on devices, changed in bulk. */
export const useTags = defineStore('tags', () => {
  const known = latestResult<readonly Tag[]>()
  const changed = latestResult<TagChange>()

  const learn = (): Promise<boolean> => known.take(api.tags.list())

  /** How many devices of a selection have each tag; tags that were not counted are missing. */
  async function within(
    selection: Extract<DeviceSelection, { kind: 'matching' }>,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    const answers = await Promise.all(
      names.slice(0, COUNTED_AT_MOST).map(async (name) => {
        const outcome = await api.devices.selected({
          selection: { ...selection, where: `${selection.where} tag:="${name}"`.trim() },
        })
        return outcome.ok ? ([name, outcome.value.count] as const) : null
      }),
    )
    return new Map(answers.filter((one) => one !== null))
  }
  async function change(
    selection: DeviceSelection,
    add: readonly string[],
    remove: readonly string[],
  ): Promise<TagChange | null> {
    const request = api.tags.change({ selection, add, remove })
    await changed.take(request)
    const outcome = await request
    if (outcome.ok) void learn()
    return outcome.ok ? outcome.value : null
  }
  async function undo(token: string): Promise<Failure | null> {
    const outcome = await api.tags.undo({ undo: token })
    return outcome.ok ? null : outcome.failure
  }
  return {
    known: known.value,
    knownFailure: known.failure,
    failure: changed.failure,
    learn,
    within,
    change,
    undo,
  }
})
