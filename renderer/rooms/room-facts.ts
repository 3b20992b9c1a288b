import type { JournalLine } from '../../electron/contract/api/journal.ts'
import type { Room } from '../../electron/contract/api/rooms.ts'
import { deviceLabel, devicesIn } from '../../electron/contract/device-name.ts'
import { isTimeZone } from '../../electron/contract/time-zone.ts'
import { text } from '../locales/i18n.ts'
import type { Fact } from '../components/fact.ts'
import { formatAgo, formatCount, formatMoment, formatTime } from '../components/format.ts'
import { wordOfStatus } from '../components/status-kind.ts'
import { onlineOf } from '../lists/room-cell.ts'
import type { RoomSummary } from './room-summary.ts'

const fact = (key: string, value: string | null, more: Partial<Fact> = {}): Fact => ({
  key,
  label: text(`rooms.facts.${key}`),
  value,
  ...more,
})
const moment = (at: number | null): string | null => (at === null ? null : formatMoment(at))

/** Times are shown by your clock: that of the room is stated where it differs. */
function zoneFact(zone: string | null, nowAt: number): Fact {
  if (zone === null || !isTimeZone(zone)) return fact('timeZone', zone)
  const [there, yours] = [formatTime(nowAt, zone), formatTime(nowAt)]
  return there === yours
    ? fact('timeZone', zone)
    : fact('timeZone', text('rooms.facts.clocks', { zone, there, yours }), { copy: zone })
}

/** How a reboot ended, according to the journal. */
const endOf = ({ outcome, afterwards }: JournalLine): string =>
  outcome !== 'accepted'
    ? 'unconfirmed'
    : afterwards === 'back-online' || afterwards === 'did-not-come-back'
      ? afterwards
      : 'accepted'

/**
 * The newest reboot among a room's lines of the journal (newest first) that the service did not refuse.
 * Reboots by other programs are not known here. `place`: a zone.
 */
export function lastRebootIn(lines: readonly JournalLine[], nowAt: number, place?: string): Fact {
  const line = lines.find(({ operation, outcome }) => operation === 'RebootRoom' && outcome !== 'refused')
  if (line === undefined) return fact('lastReboot', null, { none: text('rooms.facts.rebooted.none') })
  const { startedAt, who } = line
  const words = { when: formatMoment(startedAt, place), age: formatAgo(startedAt, nowAt), who }
  return fact('lastReboot', text(`rooms.facts.rebooted.${endOf(line)}`, words))
}

/**
 * The facts of a room. They have the age of its record, except those with their own age. Missing values are
 * shown as unknown.
 */
export const roomFactsOf = (room: Room, lines: readonly JournalLine[], nowAt: number): readonly Fact[] => [
  fact('devices', onlineOf(room), { none: text('components.facts.notKnown') }),
  lastRebootIn(lines, nowAt),
  fact('lastSeen', moment(room.lastSeenAt), { at: room.lastSeenAt }),
  fact('location', room.location),
  fact('type', room.type),
  fact('seats', room.seatCount === null ? null : formatCount(room.seatCount)),
  zoneFact(room.timeZone, nowAt),
  fact('created', moment(room.createdAt)),
]

/** Facts that are rarely needed: the service's own status, and the ids. */
export const advancedFactsOf = (room: Room): readonly Fact[] => [
  fact('status', wordOfStatus(room.status)),
  fact(room.groupIds.length > 1 ? 'groupIds' : 'groupId', room.groupIds.join('\n') || null, { mono: true }),
  fact('id', room.id, { mono: true }),
]

/** What somebody else needs who looks after the room: what is wrong, its devices, its details, and when they were read. */
export const ticketOf = (room: Room, summary: RoomSummary, details: readonly string[]): string =>
  [
    room.name,
    `${summary.title}.`,
    summary.sentence,
    summary.firmware,
    ...devicesIn(room).map((device) =>
      [deviceLabel(device), device.firmwareVersion, wordOfStatus(device.status)].filter(Boolean).join(' · '),
    ),
    ...details,
    `${text('rooms.columns.observedAt')}: ${formatMoment(room.observedAt)}`,
  ]
    .filter(Boolean)
    .join('\n')
