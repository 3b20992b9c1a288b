import type { Device, DeviceSelection, DeviceWindowQuery } from '../../../electron/contract/api/devices.ts'
import type { Change } from '../../../electron/contract/api/changes.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import { deviceVocabulary } from '../../../electron/contract/filter/filter-words.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import { counted, deviceField, deviceWords, matching, sorted, suggested } from './filtering.ts'
import type { TagDouble } from './tag-answers.ts'

const DAY = 86_400_000
const HOUR = 3_600_000

export interface DeviceDouble {
  /** Devices a selection means, with their tags. Throws Failed `invalid`. */
  readonly selected: (selection: DeviceSelection) => readonly Device[]
  readonly answers: Omit<AllHandlers['devices'], 'settings' | 'settingsOver'>
}

/** Lists, facets, suggestions and single devices over the fleet in memory. */
export function deviceAnswers(
  options: { readonly nowAt: number; readonly asOf: number | null },
  devices: readonly Device[],
  tags: Pick<TagDouble, 'tagsOf' | 'listsOf' | 'allLists'>,
  made: readonly Change[],
): DeviceDouble {
  const present = devices.filter((device) => !device.gone).length
  const tagged = (): Device[] => devices.map((device) => withTags(device))
  const withTags = (device: Device): Device => ({ ...device, tags: tags.tagsOf(device.id) })
  const rules = {
    vocabulary: deviceVocabulary,
    read: (device: Device, key: string) =>
      key === 'list' ? tags.listsOf(device.id) : deviceField(device, key),
    words: deviceWords,
    nowAt: options.nowAt,
  }
  const list = ({ where, sort }: Pick<DeviceWindowQuery, 'where' | 'sort'>): Device[] =>
    sorted(matching(tagged(), where, rules), sort, (device, column) => sortValue(device, column))
  const selected = (selection: DeviceSelection): readonly Device[] => {
    if (selection.kind === 'picked') return tagged().filter((device) => selection.ids.includes(device.id))
    const except = new Set(selection.except)
    return matching(tagged(), selection.where, rules).filter((device) => !except.has(device.id))
  }
  const found = (id: string): Device => {
    const device = devices.find((one) => one.id === id)
    if (!device) throw new Failed({ kind: 'not-found', call: null, what: 'device' })
    return withTags(device)
  }

  return {
    selected,
    answers: {
      window: async ({ where, sort, start, count }) => {
        const rows = list({ where, sort })
        return {
          rows: rows.slice(start, start + count),
          total: rows.length,
          all: present,
          asOf: options.asOf,
        }
      },
      facets: async ({ where }) => ({
        statuses: counted(matching(tagged(), where, rules, 'status'), (device) => device.status),
        products: counted(matching(tagged(), where, rules, 'product'), (device) => device.productName),
        firmware: counted(matching(tagged(), where, rules, 'fw'), (device) => device.firmware.word),
      }),
      position: async ({ where, sort, id }) => {
        const rows = list({ where, sort })
        const index = rows.findIndex((device) => device.id === id)
        return { index: index < 0 ? null : index, total: rows.length }
      },
      suggest: async ({ key, typed }) => {
        if (key === 'list')
          return tags.allLists().filter(({ word }) => word.toLowerCase().includes(typed.toLowerCase()))
        return suggested(
          tagged().filter((device) => !device.gone),
          key,
          typed,
          rules.read,
        )
      },
      selected: async ({ selection }) => ({ count: selected(selection).length }),
      get: async ({ id }) => found(id),
      history: async ({ id }) => historyOf(found(id), options.nowAt, made),
    },
  }
}

const standingOrder = ['revoked', 'behind', 'unknown', 'ahead', 'current']
function sortValue(device: Device, column: string): string | number | null {
  if (column === 'roomName') return device.room?.name ?? null
  if (column === 'location') return device.room?.location ?? null
  if (column === 'firmware')
    return standingOrder.indexOf(device.firmware.word) * 1_000 - (device.firmware.by ?? 0)
  const value: unknown = device[column as keyof Device]
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** What a device of the double went through, and what was made of it among the changes. */
function historyOf(device: Device, nowAt: number, made: readonly Change[]): readonly Change[] {
  const about = { of: 'device', subjectId: device.id, subjectName: device.name } as const
  const own: readonly Change[] = [
    {
      ...about,
      id: 3,
      kind: 'back-online',
      before: 'offline',
      after: 'online',
      observedAt: nowAt - 2 * HOUR,
    },
    {
      ...about,
      id: 2,
      kind: 'went-offline',
      before: 'online',
      after: 'offline',
      observedAt: nowAt - 5 * HOUR,
    },
    {
      ...about,
      id: 1,
      kind: 'firmware-changed',
      before: '2.3.11',
      after: device.firmwareVersion,
      observedAt: nowAt - 34 * DAY,
    },
  ]
  return [
    ...own,
    ...made.filter((change) => change.of === 'device' && change.subjectId === device.id),
  ].toSorted((a, b) => b.observedAt - a.observedAt)
}
