import type { DeviceList, DeviceSelection, PastedList } from '../../contract/api/devices.ts'
import { Failed } from '../../contract/failure.ts'
import { noteAtMost } from '../../contract/note.ts'
import type { Tag, TagChange } from '../../contract/api/tags.ts'
import { writtenText } from '../notes/notes.ts'
import type { Clock } from '../platform.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'
import { unwatched, type RunningTask, type Tasks } from '../tasks.ts'
import { dropPasted, keepPasted, pastedName } from './saved-lists.ts'
import { keepNote } from './device-notes.ts'
import { queryLists } from './list-rows.ts'
import { TagIndex } from './tag-index.ts'
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

/**
 * Updates the store's copy of tags, notes and lists from the workbook, which is the authority. Rejects with
 * Failed `cache-unusable`.
 */
export async function openTags(deps: TagsDeps): Promise<Tags> {
  const { workbook, store, clock, newId } = deps
  const index = new TagIndex(workbook, store)
  const changes = new TagChanges({ workbook, index, newId })
  const listeners = new Listeners<[organizationId: string]>()
  /** The workbook's stamp when this program last read it. */
  const seen = new Map<string, string>()
  const changed = listeners.notify

  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0
  /** One change at a time: each needs many transactions. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    waiting++
    const turn = queue.then(work).finally(() => waiting--)
    queue = turn.catch(() => undefined)
    return turn
  }

  const reconcile = async (organizationId: string): Promise<void> => {
    const stamp = await index.reconcile(organizationId)
    const previous = seen.get(organizationId)
    seen.set(organizationId, stamp)
    if (previous !== undefined && previous !== stamp) changed(organizationId)
  }
  /** While a change is in progress the two files differ, until it has made them equal. */
  const reconcileWhenIdle = (organizationId: string): Promise<void> =>
    waiting > 0 ? Promise.resolve() : inTurn(() => reconcile(organizationId))

  /**
   * Runs a change after those of other programs are applied; emits it even if it was applied only in part.
   */
  const change = <T>(organizationId: string, work: () => Promise<T>): Promise<T> =>
    inTurn(async () => {
      await reconcile(organizationId)
      const previous = seen.get(organizationId)
      try {
        return await work()
      } finally {
        const stamp = await index.reconcile(organizationId).catch(() => undefined)
        if (stamp !== undefined) seen.set(organizationId, stamp)
        if (stamp !== previous) changed(organizationId)
      }
    })

  const organizations = (await workbook.query('SELECT id FROM organization')).map((row) => String(row['id']))
  await index.forgetOthers(organizations)
  for (const id of organizations) await reconcile(id)

  return {
    async list(organizationId) {
      await reconcileWhenIdle(organizationId)
      return queryTags(workbook, organizationId)
    },

    async change(organizationId, { selection, add, remove }, task = unwatched) {
      const put = tagNames(add, 'add')
      const taken = tagNames(remove, 'remove')
      const both = put.find(({ word }) => taken.some((other) => other.word === word))
      if (both !== undefined)
        throw Failed.invalid('remove', `"${both.name}" cannot be added and removed at the same time.`)
      if (put.length + taken.length === 0) return { changed: 0, undo: null }
      const ids = [...new Set(await deps.selected(organizationId, selection))]
      return change(organizationId, () => changes.tag(organizationId, ids, put, taken, task))
    },

    async rename(organizationId, { from, to }, task = unwatched) {
      const [before, after] = [tagName(from, 'from'), tagName(to, 'to')]
      return change(organizationId, () => changes.rename(organizationId, before, after, task))
    },

    async remove(organizationId, name, task = unwatched) {
      const tag = tagName(name, 'name')
      return change(organizationId, () => changes.remove(organizationId, tag, task))
    },

    undo: (organizationId, undo, task = unwatched) =>
      change(organizationId, () => changes.undo(organizationId, undo, task)),

    async note(organizationId, deviceId, note) {
      const written = writtenText(note, 'note', noteAtMost)
      return change(organizationId, () =>
        keepNote({ workbook, index, newId }, organizationId, deviceId, written),
      )
    },

    async lists(organizationId) {
      await reconcileWhenIdle(organizationId)
      return queryLists(workbook, organizationId)
    },

    async paste(organizationId, { text, keep, name }, task = unwatched) {
      const named = name === null ? null : tagName(name, 'name')
      const { list, ids } = await lookUp(store.database, organizationId, text, task)
      if (!keep || ids.length === 0) return list
      task.step('writing', 0, ids.length)
      const createdAt = clock.now()
      const ownName = pastedName(createdAt, (await workbook.preferences()).timeZone)
      const saved = await change(organizationId, () =>
        keepPasted({ workbook, index, newId }, organizationId, { named, ownName, createdAt, ids }),
      )
      return { ...list, name: saved }
    },

    async removeList(organizationId, name) {
      const list = tagName(name, 'name')
      await change(organizationId, () => dropPasted({ workbook, index, newId }, organizationId, list))
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
