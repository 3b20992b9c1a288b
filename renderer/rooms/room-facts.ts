import type { Room } from '../../electron/contract/api/rooms.ts'
import { text } from '../locales/i18n.ts'
import type { Fact } from '../components/fact.ts'
import { formatCount, formatMoment } from '../components/format.ts'
import { wordOfStatus } from '../components/status-kind.ts'
import { onlineOf } from '../lists/room-cell.ts'

const fact = (key: string, value: string | null, more: Partial<Fact> = {}): Fact => ({
  key,
  label: text(`rooms.facts.${key}`),
  value,
  ...more,
})
const moment = (at: number | null): string | null => (at === null ? null : formatMoment(at))

/** The facts of a room, all of one reading except those with their own age. Missing values are shown as unknown. */
export const roomFactsOf = (room: Room): readonly Fact[] => [
  fact('devices', onlineOf(room), { none: text('components.facts.notKnown') }),
  fact('lastSeen', moment(room.lastSeenAt), { at: room.lastSeenAt }),
  fact('location', room.location),
  fact('type', room.type),
  fact('seats', room.seatCount === null ? null : formatCount(room.seatCount)),
  fact('timeZone', room.timeZone),
  fact('created', moment(room.createdAt)),
]

/** Rarely needed facts: the service's own status word, and the ids. */
export const advancedFactsOf = (room: Room): readonly Fact[] => [
  fact('status', wordOfStatus(room.status)),
  fact(room.groupIds.length > 1 ? 'groupIds' : 'groupId', room.groupIds.join('\n') || null, { mono: true }),
  fact('id', room.id, { mono: true }),
]
