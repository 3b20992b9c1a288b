import { Failed } from '../../../electron/contract/failure.ts'
import type { DeviceSelection } from '../../../electron/contract/api/devices.ts'
import type { Change } from '../../../electron/contract/api/changes.ts'
import { roomVocabulary } from '../../../electron/contract/filter/filter-words.ts'
import type { Room, RoomRow } from '../../../electron/contract/api/rooms.ts'
import type { AllHandlers } from '../../../electron/contract/rpc-client.ts'
import { counted, matching, sorted, suggested, type Field } from './filtering.ts'

const worstFirst = ['revoked', 'behind', 'unknown', 'ahead', 'current']
export const healthOrder = ['down', 'trouble', 'unknown', 'ok']

const roomFields: Readonly<Record<string, (room: Room) => Field>> = {
  name: (room) => [room.name],
  location: (room) => [room.location],
  type: (room) => [room.type],
  status: (room) => [room.status],
  health: (room) => [room.health],
  fw: (room) => [room.worstFirmware ?? 'unknown'],
  seats: (room) => [room.seatCount],
  devices: (room) => [room.deviceCount],
  online: (room) => [room.onlineCount],
  offline: (room) => [room.devices?.filter((device) => device.status === 'offline').length ?? null],
  age: (room) => [room.lastSeenAt],
  read: (room) => [room.observedAt],
  group: (room) => room.groupIds,
  id: (room) => [room.id],
  gone: (room) => [room.gone ? 'yes' : 'no'],
}

export interface RoomDouble {
  /** Rooms a selection means; gone ones are among what is picked by id. */
  readonly selected: (selection: DeviceSelection) => readonly Room[]
  readonly answers: Omit<AllHandlers['rooms'], 'rebootPlan' | 'reboot'>
}

/** Lists of rooms, suggestions and single rooms over the fleet in memory. */
export function roomAnswers(
  options: { readonly nowAt: number; readonly offline: boolean; readonly asOf: number | null },
  rooms: readonly Room[],
  made: readonly Change[],
): RoomDouble {
  const read = (room: Room, key: string): Field => roomFields[key]?.(room) ?? []
  const rules = {
    vocabulary: roomVocabulary,
    read,
    words: (room: Room) => [room.name, room.location, room.type, room.id],
    nowAt: options.nowAt,
  }
  const list = (
    where: string,
    sort: readonly { readonly column: string; readonly descending: boolean }[],
  ): Room[] => sorted(matching(rooms, where, rules), sort, sortValue)
  const found = (id: string): Room => {
    const room = rooms.find((one) => one.id === id || one.groupIds.includes(id))
    if (!room) throw new Failed({ kind: 'not-found', call: null, what: 'room' })
    return room
  }
  const selected = (selection: DeviceSelection): readonly Room[] =>
    selection.kind === 'picked'
      ? rooms.filter((room) => selection.ids.includes(room.id))
      : matching(rooms, selection.where, rules).filter((room) => !selection.except.includes(room.id))
  return {
    selected,
    answers: {
      list: async ({ where, sort, start, count }) => {
        const rows = list(where, sort)
        return {
          rows: rows.slice(start, start + count),
          total: rows.length,
          all: rooms.filter((room) => !room.gone).length,
          statuses: counted(matching(rooms, where, rules, 'status'), (room) => room.status),
          health: counted(matching(rooms, where, rules, 'health'), (room) => room.health),
          asOf: options.asOf,
        }
      },
      get: async ({ id }) => found(id),
      history: async ({ id }) => {
        const room = found(id)
        return made.filter((change) => change.of === 'room' && change.subjectId === room.id)
      },
      position: async ({ where, sort, id }) => {
        const rows = list(where, sort)
        const index = rows.findIndex((room) => room.id === id)
        return { index: index < 0 ? null : index, total: rows.length }
      },
      suggest: async ({ key, typed }) =>
        suggested(
          rooms.filter((room) => !room.gone),
          key,
          typed,
          read,
        ),
      refresh: async ({ id }) => {
        if (options.offline)
          throw new Failed({
            kind: 'offline',
            call: { operation: 'GetRoom', host: 'api.cloud.jabra.com' },
            message: 'ENOTFOUND',
          })
        return { ...found(id), observedAt: options.nowAt }
      },
    },
  }
}

function sortValue(room: RoomRow, column: string): string | number | null {
  if (column === 'health') return healthOrder.indexOf(room.health)
  if (column === 'worstFirmware')
    return room.worstFirmware === null ? null : worstFirst.indexOf(room.worstFirmware)
  const value: unknown = room[column as keyof RoomRow]
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
