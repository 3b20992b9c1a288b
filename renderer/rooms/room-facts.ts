import type { Room } from '../../electron/contract/api/rooms.ts'
import { text } from '../locales/i18n.ts'
import type { Fact } from '../parts/fact.ts'
import { formatCount, formatMoment } from '../parts/format.ts'
import { wordOfStatus } from '../parts/status-kind.ts'
import { onlineOf } from '../lists/room-cell.ts'
import { shownHealth } from './room-summary.ts'

const label = (key: string): string => text(`rooms.facts.${key}`)
const moment = (at: number | null): string | null => (at === null ? null : formatMoment(at))

/** Everything the record says of a room, with its age. What was not sent is shown as not known. */
export function roomFactsOf(room: Room): readonly Fact[] {
  const at = room.observedAt
  return [
    { key: 'health', label: label('health'), value: shownHealth(room).label, at },
    { key: 'status', label: label('status'), value: wordOfStatus(room.status), at },
    {
      key: 'devices',
      label: label('devices'),
      value: onlineOf(room),
      none: text('parts.facts.notKnown'),
      at,
    },
    { key: 'lastSeen', label: label('lastSeen'), value: moment(room.lastSeenAt), at: room.lastSeenAt },
    { key: 'location', label: label('location'), value: room.location, at },
    { key: 'type', label: label('type'), value: room.type, at },
    {
      key: 'seats',
      label: label('seats'),
      value: room.seatCount === null ? null : formatCount(room.seatCount),
      at,
    },
    { key: 'timeZone', label: label('timeZone'), value: room.timeZone, at },
    { key: 'created', label: label('created'), value: moment(room.createdAt), at },
    {
      key: 'groupIds',
      label: label(room.groupIds.length > 1 ? 'groupIds' : 'groupId'),
      value: room.groupIds.join('\n') || null,
      mono: true,
      at,
    },
    { key: 'id', label: label('id'), value: room.id, mono: true, at },
  ]
}
