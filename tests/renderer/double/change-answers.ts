import type { ChangeGroup, ChangeQuery, ChangeRow } from '../../../electron/contract/api/changes.ts'
import type { ChangeKind } from '../../../electron/contract/api/changes.ts'
import type { Device } from '../../../electron/contract/api/devices.ts'
import { changeVocabulary } from '../../../electron/contract/filter/filter-words.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import type { Announce } from '../../../electron/core/announcer.ts'
import { counted, matching, type Field } from './filtering.ts'
import { catalogue, seeded } from './fleet.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const GROUPS_AT_MOST = 500

/** Kinds that call for work come first within a day. */
const workFirst: readonly ChangeKind[] = [
  'went-offline',
  'gone',
  'status-changed',
  'firmware-changed',
  'setting-changed',
  'moved-room',
  'renamed',
  'appeared',
  'came-back',
  'rebooted',
  'back-online',
]

export interface ChangeDouble {
  readonly newCount: () => number
  readonly lookedAt: () => number | null
  readonly sinceLooked: () => readonly ChangeRow[]
  readonly answers: AllHandlers['changes']
}

export function changeAnswers(
  options: { readonly nowAt: number; readonly unlooked: boolean },
  made: readonly ChangeRow[],
  tagsOf: (id: string) => readonly string[],
  announce: Announce,
): ChangeDouble {
  let lookedAt: number | null = options.unlooked || made.length === 0 ? null : options.nowAt - 26 * HOUR
  const fields: Readonly<Record<string, (change: ChangeRow) => Field>> = {
    kind: (change) => [change.kind],
    of: (change) => [change.of],
    name: (change) => [change.subjectName],
    product: (change) => [change.productName],
    room: (change) => [change.room?.name ?? null],
    before: (change) => [change.before],
    after: (change) => [change.after],
    tag: (change) => tagsOf(change.subjectId),
    id: (change) => [change.subjectId],
    age: (change) => [change.observedAt],
  }
  const rules = {
    vocabulary: changeVocabulary,
    read: (change: ChangeRow, key: string) => fields[key]?.(change) ?? [],
    words: (change: ChangeRow) => [
      change.subjectName,
      change.productName,
      change.room?.name ?? null,
      change.subjectId,
      change.before,
      change.after,
    ],
    nowAt: options.nowAt,
  }
  const list = ({ where, since }: ChangeQuery): ChangeRow[] => {
    const from = since === 'looked' ? (lookedAt ?? -Infinity) : (since ?? -Infinity)
    return matching<ChangeRow & { readonly gone?: boolean }>(made, where, rules).filter((change) =>
      since === 'looked' ? change.observedAt > from : change.observedAt >= from,
    )
  }
  const sinceLooked = (): readonly ChangeRow[] => list({ where: '', since: 'looked' })

  return {
    lookedAt: () => lookedAt,
    sinceLooked,
    newCount: () => sinceLooked().length,
    answers: {
      groups: async (query) => {
        const rows = list(query)
        return {
          groups: grouped(rows).slice(0, GROUPS_AT_MOST),
          total: rows.length,
          kinds: counted(rows, (row) => row.kind).map(({ word, count }) => ({
            word: word as ChangeKind,
            count,
          })),
          lookedAt,
          oldestAt: made.at(-1)?.observedAt ?? null,
        }
      },
      window: async ({ where, since, group, start, count }) => {
        const rows = list({ where, since }).filter((row) => group === null || keyOf(row) === group)
        return { rows: rows.slice(start, start + count), total: rows.length }
      },
      look: async ({ at }) => {
        lookedAt = at
        announce('changes.changed', { count: 0 })
        announce('app.changed', { what: 'standing' })
        return { lookedAt }
      },
    },
  }
}

const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0)

/** Values make a group readable where many rows share them. */
const told = (row: ChangeRow): Pick<ChangeGroup, 'productName' | 'before' | 'after'> =>
  row.kind === 'firmware-changed' || row.kind === 'status-changed' || row.kind === 'setting-changed'
    ? { productName: row.productName, before: row.before, after: row.after }
    : { productName: null, before: null, after: null }

const keyOf = (row: ChangeRow): string =>
  JSON.stringify([dayOf(row.observedAt), row.of, row.kind, ...Object.values(told(row))])

function grouped(rows: readonly ChangeRow[]): readonly ChangeGroup[] {
  const groups = new Map<string, ChangeRow[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const members = groups.get(key)
    if (members) members.push(row)
    else groups.set(key, [row])
  }
  return [...groups]
    .map(([key, members]): ChangeGroup => {
      const [newest, oldest] = [members[0] as ChangeRow, members.at(-1) as ChangeRow]
      return {
        key,
        dayAt: dayOf(newest.observedAt),
        of: newest.of,
        kind: newest.kind,
        ...told(newest),
        count: members.length,
        firstAt: oldest.observedAt,
        lastAt: newest.observedAt,
        names: [...new Set(members.map((member) => member.subjectName))].slice(0, 3),
      }
    })
    .toSorted(
      (a, b) =>
        b.dayAt - a.dayAt || workFirst.indexOf(a.kind) - workFirst.indexOf(b.kind) || b.count - a.count,
    )
}

/** Changes as syncs of two weeks find them, newest first: most are comings and goings, some days see a firmware rolled out. */
export function madeChanges(
  count: number,
  nowAt: number,
  devices: readonly Device[],
  rooms: readonly Room[],
): readonly ChangeRow[] {
  if (devices.length === 0) return []
  const random = seeded(11)
  const changes = Array.from({ length: count }, (_none, i): Omit<ChangeRow, 'id' | 'own'> => {
    const observedAt = nowAt - 15 * MINUTE * Math.floor(1 + (i / count) ** 1.6 * 14 * 24 * 4)
    const chance = random()
    const room = rooms[Math.floor(random() * rooms.length)]
    if (chance < 0.02 && room)
      return {
        of: 'room',
        subjectId: room.id,
        subjectName: room.name ?? room.id,
        kind: 'status-changed',
        before: 'connected',
        after: 'disconnected',
        observedAt,
        productName: null,
        room: { id: room.id, name: room.name },
      }
    const device = devices[Math.floor(random() * devices.length)] as Device
    return {
      of: 'device',
      subjectId: device.id,
      subjectName: device.name,
      ...whatHappened(chance, device, rooms, random),
      observedAt,
      productName: device.productName,
      room: device.room && { id: device.room.id, name: device.room.name },
    }
  })
  return changes.map((change, i) => ({ ...change, own: false, id: 1_000 + count - i }))
}

function whatHappened(
  chance: number,
  device: Device,
  rooms: readonly Room[],
  random: () => number,
): Pick<ChangeRow, 'kind' | 'before' | 'after'> {
  const versions = catalogue.find((entry) => entry.productId === device.productId)?.versions ?? []
  const before = versions[1 + Math.floor(random() * (versions.length - 1))] ?? null
  if (chance < 0.38) return { kind: 'went-offline', before: 'online', after: 'offline' }
  if (chance < 0.68) return { kind: 'back-online', before: 'offline', after: 'online' }
  if (chance < 0.8) return { kind: 'firmware-changed', before, after: versions[0] ?? null }
  if (chance < 0.85) return { kind: 'appeared', before: null, after: null }
  if (chance < 0.87) return { kind: 'gone', before: null, after: null }
  if (chance < 0.88) return { kind: 'came-back', before: null, after: null }
  if (chance < 0.91) return { kind: 'rebooted', before: 'online', after: 'rebooting' }
  if (chance < 0.94)
    return { kind: 'moved-room', before: rooms[0]?.name ?? null, after: device.room?.name ?? null }
  if (chance < 0.96) return { kind: 'renamed', before: `${device.productName} (old)`, after: device.name }
  if (chance < 0.98) return { kind: 'setting-changed', before: 'sidetoneLevel: 4', after: 'sidetoneLevel: 6' }
  return { kind: 'status-changed', before: 'online', after: 'FirmwareUpdateFailed' }
}
