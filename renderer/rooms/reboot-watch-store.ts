import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import { noKeyToSend } from '../../electron/contract/failure.ts'
import type { RoomDevice } from '../../electron/contract/api/rooms.ts'
import { useFrameStore } from '../frame/frame-store.ts'
import { api } from '../api.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount } from '../parts/format.ts'
import { toast } from '../parts/toasts.ts'
import { namesOf } from './room-summary.ts'

/** As a job watches its rooms (core/jobs): looked after 20 s, then less and less often, each minute at last; ten minutes in all. */
const FIRST_LOOK_IN_MS = 20_000
const GROWS_BY = 1.5
const BETWEEN_LOOKS_AT_MOST_IN_MS = 60_000
export const watchedForInMs = 10 * 60_000

export interface WatchedRoom {
  readonly id: string
  readonly name: string
  /** Devices that went down: those online or restarting when it was sent. */
  readonly devices: readonly RoomDevice[]
  readonly sentAt: number
  /** How many of them were seen away, and are online again. */
  readonly back: number
  /** null: it is watched still. `not-seen`: none was seen restarting, so nobody can say; `not-watched`: the service answers no more. */
  readonly ended: 'back-online' | 'did-not-come-back' | 'not-seen' | 'not-watched' | null
}

/**
 * A single room after its reboot was accepted: read again until every device that went down is online again, with or without the dialog.
 * A device counts as back once it was seen away; a reading from before the reboot counts for nothing. Reads only, and not after a refused key.
 */
export const useRebootWatch = defineStore('reboot-watch', () => {
  const rooms = shallowRef<ReadonlyMap<string, WatchedRoom>>(new Map())
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  /** Set by the frame: how a message leads to its room. */
  let opened: (id: string) => unknown = () => undefined

  const put = (room: WatchedRoom): void => {
    rooms.value = new Map([...rooms.value, [room.id, room]])
  }
  function end(
    room: WatchedRoom,
    ended: NonNullable<WatchedRoom['ended']>,
    missing: readonly RoomDevice[],
  ): void {
    timers.delete(room.id)
    put({ ...room, ended })
    const n = room.devices.length
    const words = {
      'back-online': () => countedText('rooms.watch.back', n, { name: room.name, n: formatCount(n) }),
      'did-not-come-back': () =>
        text('rooms.watch.missing', {
          name: room.name,
          names: namesOf(missing),
          minutes: formatCount(watchedForInMs / 60_000),
        }),
      'not-watched': () => text('rooms.watch.notWatched', { name: room.name }),
      'not-seen': () =>
        text('rooms.watch.notSeen', { name: room.name, minutes: formatCount(watchedForInMs / 60_000) }),
    }
    toast({
      text: words[ended](),
      kind: ended === 'back-online' ? 'ok' : 'warn',
      action: { label: text('rooms.watch.show'), run: () => opened(room.id) },
    })
  }
  function start(id: string, name: string, devices: readonly RoomDevice[]): void {
    clearTimeout(timers.get(id))
    const down = devices.filter(({ status }) => status === 'online' || status === 'rebooting')
    if (down.length === 0) return
    const sentAt = Date.now()
    put({ id, name, devices: down, sentAt, back: 0, ended: null })
    const away = new Set<string>()
    const on = new Set<string>()
    async function look(step: number): Promise<void> {
      const outcome = await api.rooms.refresh({ id })
      const room = rooms.value.get(id)
      // Rebooted once more meanwhile: the newer watching has it.
      if (room === undefined || room.sentAt !== sentAt || room.ended !== null) return
      if (!outcome.ok && ['key-refused', ...noKeyToSend, 'not-found'].includes(outcome.failure.kind))
        return end(room, 'not-watched', [])
      for (const device of outcome.ok ? (outcome.value.devices ?? []) : []) {
        if (device.observedAt < sentAt) continue
        if (device.status === 'offline' || device.status === 'rebooting') {
          away.add(device.id)
          on.delete(device.id)
        } else if (device.status !== 'unknown' && away.has(device.id)) on.add(device.id)
      }
      const missing = down.filter((device) => away.has(device.id) && !on.has(device.id))
      const now: WatchedRoom = { ...room, back: down.filter((device) => on.has(device.id)).length }
      if (now.back === down.length) return end(now, 'back-online', [])
      if (Date.now() - sentAt >= watchedForInMs)
        return end(now, missing.length > 0 ? 'did-not-come-back' : 'not-seen', missing)
      put(now)
      next(Math.min(step * GROWS_BY, BETWEEN_LOOKS_AT_MOST_IN_MS))
    }
    function next(step: number): void {
      timers.set(
        id,
        setTimeout(
          () => void look(step),
          Math.min(step, Math.max(1_000, sentAt + watchedForInMs - Date.now())),
        ),
      )
    }
    next(FIRST_LOOK_IN_MS)
  }
  function follow(show: (id: string) => unknown): () => void {
    opened = show
    // Rooms of another organization are not asked for under this one.
    const frame = useFrameStore()
    const stop = watch(() => frame.current?.id, forget)
    return () => {
      stop()
      forget()
    }
  }
  function forget(): void {
    timers.forEach((timer) => clearTimeout(timer))
    timers.clear()
    rooms.value = new Map()
  }

  return { rooms, start, follow }
})
