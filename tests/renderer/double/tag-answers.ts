import type { Device, DeviceSelection, WordCount } from '../../../electron/contract/api/devices.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { tagAtMost } from '../../../electron/contract/tag.ts'
import type { Tag, TagChange } from '../../../electron/contract/api/tags.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { Announce } from '../../../electron/core/announcer.ts'

const HOUR = 3_600_000
const READ_AT_MOST = 10_000
const SHOWN_AT_MOST = 500
const UNDONE_AT_MOST = 20

export interface TagDouble {
  readonly tagsOf: (id: string) => readonly string[]
  readonly listsOf: (id: string) => readonly string[]
  readonly allLists: () => readonly WordCount[]
  /** `selected`: what a selection means, told by the devices, which need the tags first. */
  readonly answers: (
    selected: (selection: DeviceSelection) => readonly Device[],
  ) => Pick<AllHandlers, 'tags' | 'lists'>
}

type Tags = ReadonlyMap<string, ReadonlySet<string>>

/** Tags with their undo, and pasted lists, as the core keeps them: over the fleet in memory. */
export function tagAnswers(
  options: { readonly nowAt: number },
  devices: readonly Device[],
  announce: Announce,
): TagDouble {
  let tags: Tags = new Map(
    [
      ['spare', 40],
      ['loan', 57],
      ['board room kit', 111],
      ['to return', 301],
    ].map(([name, every]) => [
      String(name),
      new Set(devices.filter((_device, i) => i % Number(every) === 3).map((device) => device.id)),
    ]),
  )
  let lists: ReadonlyMap<string, { readonly ids: ReadonlySet<string>; readonly createdAt: number }> = new Map(
    devices.length === 0
      ? []
      : [
          [
            'Berlin move',
            {
              ids: new Set(
                devices
                  .filter((_device, i) => i % 17 === 5)
                  .slice(0, 38)
                  .map((device) => device.id),
              ),
              createdAt: options.nowAt - 50 * HOUR,
            },
          ],
        ],
  )
  const undone = new Map<string, Tags>()
  let order = 0

  const ordered = (): readonly Tag[] =>
    [...tags]
      .map(([name, ids]) => ({ name, count: ids.size }))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }))
  const named = (name: string): string => {
    const trimmed = name.trim()
    if (trimmed === '' || trimmed.length > tagAtMost || /[",]/.test(trimmed))
      throw new Failed({ kind: 'invalid', field: 'name', message: 'is no name for a tag' })
    return [...tags.keys()].find((known) => known.toLowerCase() === trimmed.toLowerCase()) ?? trimmed
  }
  const put = (next: Tags, changed: number): TagChange => {
    if (changed === 0) return { changed, undo: null }
    const undo = `undo-${++order}`
    undone.set(undo, tags)
    for (const old of [...undone.keys()].slice(0, -UNDONE_AT_MOST)) undone.delete(old)
    tags = new Map([...next].filter(([, ids]) => ids.size > 0))
    announce('tags.changed', { count: changed })
    announce('devices.changed', { count: changed })
    return { changed, undo }
  }
  const holding = (name: string): ReadonlySet<string> => {
    const ids = tags.get(name)
    if (!ids) throw new Failed({ kind: 'not-found', call: null, what: 'tag' })
    return ids
  }
  const allOf = (
    known: ReadonlyMap<string, { readonly ids: ReadonlySet<string>; readonly createdAt: number }>,
  ) =>
    [...known]
      .map(([name, { ids, createdAt }]) => ({ name, count: ids.size, createdAt }))
      .toSorted((a, b) => b.createdAt - a.createdAt)

  return {
    tagsOf: (id) => [...tags].filter(([, ids]) => ids.has(id)).map(([name]) => name),
    listsOf: (id) => [...lists].filter(([, { ids }]) => ids.has(id)).map(([name]) => name),
    allLists: () => allOf(lists).map(({ name, count }) => ({ word: name, count })),
    answers: (selected) => ({
      tags: {
        list: async () => ordered(),
        change: async ({ selection, add, remove }) => {
          const changed = new Set<string>()
          const next = new Map([...tags].map(([name, ids]) => [name, new Set(ids)]))
          const ids = selected(selection).map((device) => device.id)
          for (const name of add.map(named)) {
            const mine = next.get(name) ?? new Set<string>()
            next.set(name, mine)
            for (const id of ids.filter((one) => !mine.has(one))) {
              changed.add(id)
              mine.add(id)
            }
          }
          for (const name of remove.map(named))
            for (const id of ids) if (next.get(name)?.delete(id)) changed.add(id)
          return put(next, changed.size)
        },
        rename: async ({ from, to }) => {
          const ids = holding(from)
          const name = named(to)
          const next = new Map([...tags].filter(([other]) => other !== from))
          return name === from
            ? { changed: 0, undo: null }
            : put(next.set(name, new Set([...(next.get(name) ?? []), ...ids])), ids.size)
        },
        remove: async ({ name }) => {
          const ids = holding(name)
          return put(new Map([...tags].filter(([other]) => other !== name)), ids.size)
        },
        undo: async ({ undo }) => {
          const before = undone.get(undo)
          if (!before) throw new Failed({ kind: 'not-found', call: null, what: 'undo' })
          undone.delete(undo)
          const changed = devices.filter((device) =>
            [...tags, ...before].some(
              ([name]) => tags.get(name)?.has(device.id) !== before.get(name)?.has(device.id),
            ),
          ).length
          tags = before
          announce('tags.changed', { count: changed })
          announce('devices.changed', { count: changed })
          return { changed, undo: null }
        },
      },
      lists: {
        list: async () => allOf(lists),
        paste: async ({ text, keep, name }) => {
          const words = text.split(/[\s,;"']+/).filter(Boolean)
          const read = words.slice(0, READ_AT_MOST)
          const known = byWord(devices)
          const ids = new Set<string>()
          const shown: { word: string; id: string; name: string; gone: boolean }[] = []
          const [notFound, twice] = [new Set<string>(), new Set<string>()]
          const several = new Map<string, number>()
          for (const word of read) {
            const devicesOfWord = known.get(plain(word)) ?? []
            if (devicesOfWord.length === 0) notFound.add(word)
            else if (devicesOfWord.every((device) => ids.has(device.id))) twice.add(word)
            if (devicesOfWord.length > 1) several.set(word, devicesOfWord.length)
            for (const device of devicesOfWord) {
              if (!ids.has(device.id))
                shown.push({ word, id: device.id, name: device.name, gone: device.gone })
              ids.add(device.id)
            }
          }
          const listName = keep
            ? (name?.trim() ?? '') ||
              `Pasted ${new Date(options.nowAt).toISOString().slice(0, 16).replace('T', ' ')}`
            : null
          if (listName !== null) {
            lists = new Map([...lists, [listName, { ids, createdAt: options.nowAt + ++order }]])
            announce('devices.changed', { count: ids.size })
          }
          return {
            name: listName,
            found: ids.size,
            devices: shown.slice(0, SHOWN_AT_MOST),
            notFound: [...notFound],
            twice: [...twice],
            several: [...several].map(([word, count]) => ({ word, count })),
            notRead: words.length - read.length,
          }
        },
        remove: async ({ name }) => {
          if (!lists.has(name)) throw new Failed({ kind: 'not-found', call: null, what: 'list' })
          lists = new Map([...lists].filter(([other]) => other !== name))
          return allOf(lists)
        },
      },
    }),
  }
}

/** A MAC address in any notation is its twelve digits; anything else is itself, case aside. */
function plain(word: string): string {
  const digits = word.replaceAll(/[:.-]/g, '').toLowerCase()
  return /^[0-9a-f]{12}$/.test(digits) ? digits : word.toLowerCase()
}

function byWord(devices: readonly Device[]): ReadonlyMap<string, readonly Device[]> {
  const known = new Map<string, Device[]>()
  for (const device of devices)
    for (const word of new Set(
      [device.id, device.serialNumber, device.macAddress].filter((one) => one !== null).map(plain),
    ))
      known.set(word, [...(known.get(word) ?? []), device])
  return known
}
