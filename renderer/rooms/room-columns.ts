import { computed, type ComputedRef } from 'vue'
import { roomHealthWords, type RoomColumn } from '../../electron/contract/fields/room.ts'
import type { RoomRow } from '../../electron/contract/api/rooms.ts'
import { age, pill, status, words, type Cell } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf, wideFor } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../parts/format.ts'
import { usePresentTime } from '../parts/present-time.ts'
import { wordOfStatus } from '../parts/status-kind.ts'
import { statusShown } from '../parts/status-shown.ts'
import { staleAfterInMs } from '../parts/stale-limit.ts'
import { firmwareOf, onlineOf, pillOfFirmware } from './room-cells.ts'
import { useRoomRestarts } from './room-restarts-store.ts'
import { wordOfHealth } from './room-summary.ts'

/** Rooms come in every few minutes; a week without a word is worth amber (chosen). */
const SILENT_AFTER_IN_MS = 7 * 86_400_000
const firmware = pill<RoomRow>((room) =>
  room.worstFirmware === null ? null : { kind: pillOfFirmware(room.worstFirmware), label: firmwareOf(room) },
)
const devices = words<RoomRow>((room) => onlineOf(room) ?? text('parts.facts.notKnown'), {
  isQuiet: (room) => !room.deviceCount,
})
const column = columnsOf<RoomRow, RoomColumn>('rooms.columns')
const wide = (key: RoomColumn, least: number, ...more: readonly string[]): number =>
  wideFor(least, text(`rooms.columns.${key}`), ...more)
const atEnd = { look: 'end tabular', descendingFirst: true }

export function useRoomColumns(): ComputedRef<readonly GridColumn<RoomRow, RoomColumn>[]> {
  const now = usePresentTime()
  const restarts = useRoomRestarts()
  const health = status<RoomRow>((room) => restarts.healthOf(room))
  const state = status<RoomRow>((room) => statusShown(room, now.value, staleAfterInMs.value))
  const since = (at: (room: RoomRow) => number | null, limit: () => number): Cell<RoomRow> =>
    age(at, () => now.value, limit)
  const seen = since(
    (room) => room.lastSeenAt,
    () => SILENT_AFTER_IN_MS,
  )
  const read = since(
    (room) => room.observedAt,
    () => staleAfterInMs.value,
  )
  return computed(() => {
    const healthWords = [...roomHealthWords.map(wordOfHealth), text('rooms.health.rebooting')]
    return [
      column(
        'name',
        170,
        1,
        words((room) => room.name ?? text('rooms.unnamed')),
        { grow: 3 },
      ),
      column('health', wide('health', 104, ...healthWords), 2, health),
      column('deviceCount', wide('deviceCount', 146), 3, devices, { descendingFirst: true }),
      column(
        'worstFirmware',
        wide('worstFirmware', 106, text('rooms.firmware.behind', { n: '99' })),
        4,
        firmware,
      ),
      column('status', wide('status', 126, wordOfStatus('disconnected')), 7, state),
      column(
        'location',
        140,
        6,
        words((room) => room.location),
        { grow: 2 },
      ),
      column(
        'type',
        150,
        9,
        words((room) => room.type),
        { grow: 1, look: 'dim' },
      ),
      column(
        'seatCount',
        wide('seatCount', 72),
        10,
        words((room) => (room.seatCount === null ? null : formatCount(room.seatCount))),
        atEnd,
      ),
      column('lastSeenAt', wide('lastSeenAt', 116), 5, seen, atEnd),
      column('observedAt', wide('observedAt', 76), 8, read, atEnd),
    ]
  })
}
