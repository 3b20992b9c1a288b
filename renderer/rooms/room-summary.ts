import type { Room, RoomDevice } from '../../electron/contract/room.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount } from '../parts/format.ts'
import type { MarkKind } from '../parts/status-kind.ts'

export interface RoomSummary {
  readonly kind: MarkKind
  readonly title: string
  /** Empty: the title says it all. */
  readonly sentence: string
}

/** Devices named one by one before the rest is counted. */
const NAMED = 3

const nameOf = (device: RoomDevice): string => device.name ?? device.productName ?? device.id
/** The words are published nowhere and none was observed. Chosen: `UpToDate`, in any case, asks for nothing; every other word is told. */
export const asksForNothing = (word: string): boolean => word.trim() === '' || word.trim().toLowerCase() === 'uptodate'

/** `2 devices report UpdateAvailable.` for each word, as received. */
function firmwareSentences(devices: readonly RoomDevice[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { firmwareStatus } of devices)
    if (firmwareStatus !== null && !asksForNothing(firmwareStatus)) counts.set(firmwareStatus, (counts.get(firmwareStatus) ?? 0) + 1)
  return [...counts].map(([word, n]) => countedText('rooms.summary.report', n, { n: formatCount(n), word }))
}

/** The sentence that matters: what of this room answers, and what its devices say of their firmware. */
export function summaryOf(room: Room): RoomSummary {
  const { deviceCount, onlineCount } = room
  if (deviceCount === null || onlineCount === null)
    return { kind: 'unknown', title: text('rooms.summary.unknown'), sentence: text('rooms.summary.unknownSentence') }
  if (deviceCount === 0) return { kind: 'unknown', title: text('rooms.summary.empty'), sentence: text('rooms.summary.emptySentence') }
  const devices = room.devices ?? []
  const reports = firmwareSentences(devices)
  const missing = devices.filter((device) => device.status !== 'online').map(nameOf)
  // The service's own count and its list of members may differ: the worse of both is told.
  const offline = Math.max(deviceCount - onlineCount, missing.length)
  const named = { online: formatCount(onlineCount), all: formatCount(Math.max(deviceCount, devices.length)), offline: formatCount(offline) }
  if (offline === 0)
    return {
      kind: reports.length ? 'warn' : 'ok',
      title: countedText('rooms.summary.all', deviceCount, named),
      sentence: reports.join(' ') || text('rooms.summary.allSentence'),
    }
  const names =
    missing.length > NAMED
      ? text('rooms.summary.more', { names: missing.slice(0, NAMED).join(', '), n: formatCount(missing.length - NAMED) })
      : missing.join(', ')
  return {
    kind: onlineCount === 0 ? 'off' : 'warn',
    title: text(onlineCount === 0 ? 'rooms.summary.none' : 'rooms.summary.some', named),
    sentence: [...(names ? [text('rooms.summary.missing', { names })] : []), ...reports].join(' '),
  }
}
