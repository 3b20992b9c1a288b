import { defineStore } from 'pinia'
import { computed } from 'vue'
import type { RoomRestart } from '../../electron/contract/api/jobs.ts'
import type { RoomListRow, RoomRow } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { latestResult } from '../components/latest-result.ts'
import { RELOAD_EVERY_IN_MS } from '../lists/use-list.ts'
import { text } from '../locales/i18n.ts'
import { formatAge, formatMoment } from '../components/format.ts'
import { throttle } from '../components/throttle.ts'
import { visibleHealth } from '../lists/room-cell.ts'
import { reasonOf as reasonOfRoom, shortReasonOf as shortReasonOfRoom } from './room-summary.ts'

/** Rooms that jobs are restarting now, from the items of the jobs. */
export const useRoomRestarts = defineStore('room-restarts', () => {
  const restarts = latestResult<readonly RoomRestart[]>()
  /** Unreadable data is not shown. */
  const rooms = computed<ReadonlyMap<string, RoomRestart>>(() => {
    const known = restarts.failure.value === null ? restarts.value.value : null
    return new Map(known?.map((one) => [one.roomId, one]))
  })

  const load = (): Promise<boolean> => restarts.take(api.jobs.restarts())
  function follow(): () => void {
    const reload = throttle(() => void load(), RELOAD_EVERY_IN_MS)
    const disposers = [api.jobs.changed(reload.call), api.organizations.changed(reload.call)]
    void load()
    return () => [reload.stop, ...disposers].forEach((end) => end())
  }
  const of = (roomId: string): RoomRestart | null => rooms.value.get(roomId) ?? null

  /** A room that a job restarts is rebooting, despite earlier data. */
  const healthOf = (room: RoomRow): ReturnType<typeof visibleHealth> =>
    of(room.id) === null ? visibleHealth(room) : { kind: 'busy', label: text('rooms.health.rebooting') }

  /** The health of a room in its header. For one that is down: for how long, and on hover since when. */
  function headOf(
    room: RoomRow,
    nowAt: number,
  ): ReturnType<typeof visibleHealth> & { readonly about?: string } {
    const at = room.offlineSinceAt
    if (room.health !== 'down' || at === null || of(room.id) !== null) return healthOf(room)
    return {
      ...healthOf(room),
      label: text('rooms.health.downFor', { age: formatAge(at, nowAt) }),
      about: text('rooms.health.downSince', { when: formatMoment(at) }),
    }
  }

  /** Why the room needs attention, as complete text, and for a row. */
  const reasonOf = (room: RoomListRow, reason = reasonOfRoom): string =>
    of(room.id) === null ? reason(room) : text('rooms.health.rebooting')
  const shortReasonOf = (room: RoomListRow): string => reasonOf(room, shortReasonOfRoom)

  /** Since when that reason holds; null: not known. */
  function sinceOf(room: RoomRow): number | null {
    const restart = of(room.id)
    return restart === null ? room.offlineSinceAt : restart.sentAt
  }

  return { rooms, of, healthOf, headOf, reasonOf, shortReasonOf, sinceOf, follow }
})
