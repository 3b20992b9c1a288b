import { computed, type ComputedRef } from 'vue'
import type { RoomColumn } from '../../electron/contract/fields/room.ts'
import type { RoomListRow } from '../../electron/contract/api/rooms.ts'
import { age, drawings, status, step, words, type Cell } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf, wideFor } from '../lists/list-columns.ts'
import { drawingOf, onlineOf } from '../lists/room-cell.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { useNow } from '../components/now.ts'
import { wordOfStatus, visibleStatus } from '../components/status-kind.ts'
import { staleAfterInMs } from '../components/stale-limit.ts'
import { useRoomRestarts } from './room-restarts-store.ts'

/** Rooms report every few minutes; a room not seen for a week is amber. */
const SILENT_AFTER_IN_MS = 7 * 86_400_000
/** The worst firmware in a room, in colour if something is to be done: `2 behind` counts those behind and revoked. */
const inkOf = { behind: 'warn', revoked: 'bad', current: null, ahead: null, unknown: null } as const
const firmware = step<RoomListRow>((room) => {
  if (room.worstFirmware === null) return { words: null, beside: null, title: '' }
  const [kind, label] = [
    inkOf[room.worstFirmware],
    text(`rooms.firmware.${room.worstFirmware}`, { n: formatCount(room.behindCount ?? 0) }),
  ]
  return kind === null
    ? { words: label, beside: null, title: '' }
    : { words: '', beside: { words: label, kind }, title: '' }
})
const devices = drawings<RoomListRow>(
  (room) => (room.members ?? []).map(drawingOf),
  (room) => onlineOf(room) ?? text('components.facts.notKnown'),
)
const column = columnsOf<RoomListRow, RoomColumn>('rooms.columns')
const wide = (key: RoomColumn, least: number, ...more: readonly string[]): number =>
  wideFor(least, text(`rooms.columns.${key}`), ...more)
const atEnd = { look: 'end tabular-nums', descendingFirst: true }

export function useRoomColumns(): ComputedRef<readonly GridColumn<RoomListRow, RoomColumn>[]> {
  const now = useNow()
  const restarts = useRoomRestarts()
  const named = status<RoomListRow>((room) => ({
    kind: restarts.healthOf(room).kind,
    label: room.name ?? text('rooms.unnamed'),
  }))
  /** A room without a problem needs no reason: its updates are in their column. */
  const isWell = (room: RoomListRow): boolean => restarts.healthOf(room).kind === 'ok'
  const why = words<RoomListRow>((room) => (isWell(room) ? '' : restarts.shortReasonOf(room)), {
    title: (room) => (isWell(room) ? '' : restarts.reasonOf(room)),
    none: '',
  })
  const state = status<RoomListRow>((room) => visibleStatus(room, now.value, staleAfterInMs.value))
  const ageOf = (at: (room: RoomListRow) => number | null, limit: () => number): Cell<RoomListRow> =>
    age(at, () => now.value, limit)
  const seen = ageOf(
    (room) => room.lastSeenAt,
    () => SILENT_AFTER_IN_MS,
  )
  const read = ageOf(
    (room) => room.observedAt,
    () => staleAfterInMs.value,
  )
  const since = age<RoomListRow>(
    (room) => restarts.sinceOf(room),
    () => now.value,
    () => Number.POSITIVE_INFINITY,
    '',
  )
  return computed(() => [
    column('name', 213, 1, named, { full: 290, grow: 2, look: 'font-semibold' }),
    column('deviceCount', wide('deviceCount', 152), 3, devices, { descendingFirst: true }),
    column('health', 257, 2, why, { full: 300, grow: 8 }),
    column('offlineSinceAt', wide('offlineSinceAt', 66), 4, since, { ...atEnd, descendingFirst: true }),
    column(
      'worstFirmware',
      wide('worstFirmware', 106, text('rooms.firmware.behind', { n: '99' })),
      5,
      firmware,
    ),
    column(
      'site',
      96,
      6,
      words((room) => room.site),
      { grow: 1 },
    ),
    column(
      'note',
      140,
      13,
      words((room) => room.note ?? null, { title: (room) => room.note ?? '' }),
      { grow: 2, extra: true },
    ),
    column('status', wide('status', 126, wordOfStatus('disconnected')), 10, state, { extra: true }),
    column(
      'location',
      140,
      9,
      words((room) => room.location),
      { full: 230, grow: 2, extra: true },
    ),
    column(
      'type',
      150,
      8,
      words((room) => room.type),
      { full: 180, grow: 1, look: 'dim', extra: true },
    ),
    column(
      'seatCount',
      wide('seatCount', 72),
      12,
      words((room) => (room.seatCount === null ? null : formatCount(room.seatCount))),
      { ...atEnd, extra: true },
    ),
    column('lastSeenAt', wide('lastSeenAt', 116), 7, seen, atEnd),
    column('observedAt', wide('observedAt', 76), 11, read, { ...atEnd, extra: true }),
  ])
}
