import type { DeviceList, DeviceSelection, PastedList } from '../../contract/api/devices.ts'
import { Failed } from '../../contract/failure.ts'
import { noteAtMost } from '../../contract/note.ts'
import type { Tag, TagChange } from '../../contract/api/tags.ts'
import { writtenText } from '../notes/notes.ts'
import type { Clock } from '../platform.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { unwatched, type RunningTask, type Tasks } from '../tasks.ts'
import { keepPasted, pastedName } from './saved-lists.ts'
import { keepNote } from './device-notes.ts'
import { dropList, queryLists } from './list-rows.ts'
import { tagName, tagNames } from './tag-names.ts'
import { lookUp } from './pasted-list.ts'
import { TagChanges } from './tag-changes.ts'
import { queryTags } from './tag-rows.ts'
import type { Handlers } from '../../contract/rpc-client.ts'
import { Listeners } from '../listeners.ts'

/**
 * What a technician attaches to devices: tags, notes, and lists of devices pasted from elsewhere. Rejects
 * with Failed `invalid`, `not-found` or `cache-unusable`.
 */
export interface Tags {
  list(organizationId: string): Promise<readonly Tag[]>
  change(
    organizationId: string,
    change: {
      readonly selection: DeviceSelection
      readonly add: readonly string[]
      readonly remove: readonly string[]
    },
    task?: RunningTask,
  ): Promise<TagChange>
  rename(
    organizationId: string,
    names: { readonly from: string; readonly to: string },
    task?: RunningTask,
  ): Promise<TagChange>
  remove(organizationId: string, name: string, task?: RunningTask): Promise<TagChange>
  undo(organizationId: string, undo: string, task?: RunningTask): Promise<TagChange>
  /** null: removes the note. */
  note(organizationId: string, deviceId: string, note: string | null): Promise<void>
  lists(organizationId: string): Promise<readonly DeviceList[]>
  paste(
    organizationId: string,
    pasted: { readonly text: string; readonly keep: boolean; readonly name: string | null },
    task?: RunningTask,
  ): Promise<PastedList>
  removeList(organizationId: string, name: string): Promise<readonly DeviceList[]>
  /**
   * Tags, notes or lists changed: cached filtered orders are queried again. Returns the function that ends
   * it.
   */
  onChange(listener: (organizationId: string) => void): () => void
}

export interface TagsDeps {
  readonly workbook: Workbook
  readonly store: Store
  readonly clock: Clock
  readonly newId: () => string
  readonly selected: (organizationId: string, selection: DeviceSelection) => Promise<readonly string[]>
}

export function openTags(deps: TagsDeps): Tags {
  const { workbook, store, clock, newId } = deps
  const listeners = new Listeners<[organizationId: string]>()
  const changed = listeners.notify
  const changes = new TagChanges({ workbook, newId, changed })

  let queue: Promise<unknown> = Promise.resolve()
  /** One change at a time: each needs many transactions. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work)
    queue = turn.catch(() => undefined)
    return turn
  }

  return {
    list: (organizationId) => queryTags(workbook, organizationId),

    async change(organizationId, { selection, add, remove }, task = unwatched) {
      const put = tagNames(add, 'add')
      const taken = tagNames(remove, 'remove')
      const both = put.find(({ word }) => taken.some((other) => other.word === word))
      if (both !== undefined)
        throw Failed.invalid('remove', `"${both.name}" cannot be added and removed at the same time.`)
      if (put.length + taken.length === 0) return { changed: 0, undo: null }
      const ids = [...new Set(await deps.selected(organizationId, selection))]
      return inTurn(() => changes.tag(organizationId, ids, put, taken, task))
    },

    async rename(organizationId, { from, to }, task = unwatched) {
      const [before, after] = [tagName(from, 'from'), tagName(to, 'to')]
      return inTurn(() => changes.rename(organizationId, before, after, task))
    },

    async remove(organizationId, name, task = unwatched) {
      const tag = tagName(name, 'name')
      return inTurn(() => changes.remove(organizationId, tag, task))
    },

    undo: (organizationId, undo, task = unwatched) => inTurn(() => changes.undo(organizationId, undo, task)),

    async note(organizationId, deviceId, note) {
      const written = writtenText(note, 'note', noteAtMost)
      if (await keepNote(workbook, organizationId, deviceId, written)) changed(organizationId)
    },

    lists: (organizationId) => queryLists(workbook, organizationId),

    async paste(organizationId, { text, keep, name }, task = unwatched) {
      const named = name === null ? null : tagName(name, 'name')
      const { list, ids } = await lookUp(store.database, organizationId, text, task)
      if (!keep || ids.length === 0) return list
      task.step('writing', 0, ids.length)
      const createdAt = clock.now()
      const ownName = pastedName(createdAt, (await workbook.preferences()).timeZone)
      const saved = await keepPasted(workbook, organizationId, { named, ownName, createdAt, ids })
      changed(organizationId)
      return { ...list, name: saved }
    },

    async removeList(organizationId, name) {
      const list = tagName(name, 'name')
      await workbook.write((transaction) => dropList(transaction, organizationId, list))
      changed(organizationId)
      return queryLists(workbook, organizationId)
    },

    onChange: listeners.add,
  }
}

/** The methods for tags and pasted lists. */
export const tagHandlers = (
  tags: Tags,
  currentId: () => Promise<string>,
  tasks: Tasks,
): { readonly tags: Handlers<'tags'>; readonly lists: Handlers<'lists'> } => ({
  tags: {
    list: async () => tags.list(await currentId()),
    change: (change) => tasks.run('tags', async (task) => tags.change(await currentId(), change, task)),
    rename: (names) => tasks.run('tags', async (task) => tags.rename(await currentId(), names, task)),
    remove: ({ name }) => tasks.run('tags', async (task) => tags.remove(await currentId(), name, task)),
    undo: ({ undo }) => tasks.run('tags', async (task) => tags.undo(await currentId(), undo, task)),
  },
  lists: {
    list: async () => tags.lists(await currentId()),
    paste: (pasted) => tasks.run('paste', async (task) => tags.paste(await currentId(), pasted, task)),
    remove: async ({ name }) => tags.removeList(await currentId(), name),
  },
})
