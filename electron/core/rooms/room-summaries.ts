import type { FirmwareWord } from '../../contract/api/devices.ts'
import { roleOf, type ServiceRole, type ServiceVerdict } from '../../contract/firmware-verdict.ts'
import type { RoomRow } from '../../contract/api/rooms.ts'
import { firmwareWord, complianceJoin } from '../devices/devices.ts'
import type { Database, SqlRow, SqlValue } from '../platform.ts'
import { naturalKey, searchable } from '../storage/search-text.ts'
import {
  countedAs,
  firmwareValues,
  healthOf,
  unknownIn,
  firmwareWorstFirst,
  healthsWorstFirst,
  type FirmwareTally,
  type RoomTally,
} from './room-health.ts'
import { numberOrNull, textOrNull } from '../storage/row-values.ts'
import { roomFields } from '../../contract/fields/room.ts'
import type { MemoryList } from '../lists/memory-list.ts'
import { folded } from '../../contract/filter/folded.ts'

/** A room for lists: its row, and the values that filters and sort orders compare. */
export interface RoomSummary {
  readonly rowId: number
  readonly row: RoomRow
  readonly timeZone: string | null
  readonly offlineCount: number | null
  /** The compliance values that occur among its devices, worst first. */
  readonly firmware: readonly FirmwareWord[]
  /** Folded name, location and type: searched by free words. */
  readonly words: string
  readonly nameKey: string | null
  readonly locationKey: string | null
  readonly typeKey: string | null
}

/** Every room of an organization, or those of `only`, with its devices counted. Runs on the reading thread. */
export async function querySummaries(
  database: Database,
  organizationId: string,
  only: readonly string[] | null = null,
): Promise<RoomSummary[]> {
  const chosen: SqlValue = only === null ? null : JSON.stringify(only)
  const kind = only === null ? 'sum' : 'rows'
  const [aliases, grouped, listed, reported, rooms] = await Promise.all([
    database.query(groupIdsOfRooms(only !== null), [organizationId, chosen]),
    database.query(groupedMembers(only !== null), [organizationId, chosen], kind),
    database.query(listedMembers(only !== null), [organizationId, chosen], kind),
    database.query(reportedSince(only !== null), [organizationId, chosen]),
    database.query(roomsThemselves(only !== null), [organizationId, chosen]),
  ])
  const members = [...grouped, ...listed]
  // A job reads thousands of rooms individually: reading the data of all others for each of them would be
  // wasted (measured: 35 ms against 1).
  const occurring =
    only === null
      ? null
      : JSON.stringify([...new Set(members.flatMap((row) => devicesOf(row).map(([id]) => Number(id))))])
  const kinds = await database.query(classesThemselves(only !== null), [organizationId, occurring])
  const counted = new Map<string, Counted>()
  const byId = new Map(kinds.map((row) => [String(row['class_id']), kindOf(row)]))
  for (const row of members) add(counted, row, byId)
  for (const row of reported)
    correct(counted.get(String(row['room_id'])), String(row['before']), String(row['status']))
  const groupIds = new Map<string, string[]>()
  for (const row of aliases)
    groupIds.set(String(row['id']), [...(groupIds.get(String(row['id'])) ?? []), String(row['alias'])])
  return rooms.map((row) =>
    summaryOf(row, groupIds.get(String(row['id'])) ?? [], counted.get(String(row['id'])) ?? null),
  )
}

/**
 * Devices that are in a room only because its record lists them: their own records name no room. Device ids
 * by room id.
 */
const listedOnly = (someOnly: boolean): string => `
  SELECT d.id, m.room_id FROM ${
    someOnly
      ? `room_member m CROSS JOIN device_row d ON d.organization_id = ?1 AND d.id = m.device_id WHERE m.organization_id = ?1 AND m.room_id IN (SELECT value FROM json_each(?2))`
      : // Read from the devices: most are in the room of their group id, which their index contains (measured: 80 ms against 110 ms for 100,000).
        `device_row d CROSS JOIN room_member m ON m.organization_id = ?1 AND m.device_id = d.id WHERE d.organization_id = ?1 AND ?2 IS NULL`
  } AND +d.gone = 0 AND (d.group_id IS NULL OR NOT EXISTS (
      SELECT 1 FROM record_alias x WHERE x.organization_id = ?1 AND x.kind = 'room' AND x.alias = d.group_id AND x.id IS NOT NULL))`

/**
 * Rooms with the class of each device: status, product and firmware are equal within a class, and classes are
 * few. Looking them up here instead of joining them takes 17 ms instead of 57 for 100,000 devices (measured).
 */
const classes = `group_concat(d.class_id || ':' || coalesce(d.last_seen_at, '')) AS classes`

const groupedMembers = (someOnly: boolean): string => `
  SELECT a.id AS room_id, ${classes} FROM record_alias a
    CROSS JOIN device_row d ON d.organization_id = ?1 AND d.group_id = a.alias AND +d.gone = 0
    WHERE a.organization_id = ?1 AND a.kind = 'room' AND ${someOnly ? 'a.id IN (SELECT value FROM json_each(?2))' : 'a.id IS NOT NULL AND ?2 IS NULL'} GROUP BY a.id`

const listedMembers = (someOnly: boolean): string => `
  SELECT l.room_id, ${classes} FROM (${listedOnly(someOnly)}) l CROSS JOIN device_row d ON d.organization_id = ?1 AND d.id = l.id GROUP BY l.room_id`

const classesThemselves = (someOnly: boolean): string => `
  SELECT c.class_id, c.status, ${firmwareWord('f', 'c')} AS word, f.word AS catalogue, c.service FROM device_class c
    ${complianceJoin('f', 'c')}
    WHERE c.organization_id = ?1 AND ${someOnly ? 'c.class_id IN (SELECT value FROM json_each(?2))' : '?2 IS NULL'}`

/**
 * Devices for which a single-room refresh has newer data than their own records, with the room in which they
 * are counted: it may be another than the one that was read. There are few of them, because a sync reads them
 * all again.
 */
const reportedSince = (someOnly: boolean): string => `
  SELECT ${
    someOnly
      ? 'e.room_id'
      : `COALESCE((SELECT x.id FROM record_alias x WHERE x.organization_id = ?1 AND x.kind = 'room' AND x.alias = d.group_id), m.room_id) AS room_id`
  }, m.status, d.status AS before FROM ${
    someOnly
      ? `(${groupedOnly} UNION ALL ${listedOnly(true)}) e CROSS JOIN room_member m ON m.organization_id = ?1 AND m.device_id = e.id`
      : 'room_member m INDEXED BY room_member_told'
  }
    CROSS JOIN device_row d ON d.organization_id = m.organization_id AND d.id = m.device_id JOIN raw_record o ON o.row_id = d.row_id
    WHERE m.organization_id = ?1${someOnly ? '' : ' AND ?2 IS NULL'} AND m.told_at IS NOT NULL AND m.told_at > o.observed_at AND +d.gone = 0 AND m.status <> d.status`

/**
 * Devices of some rooms by their group ids, as `listedOnly`. SQLite would choose the index of all ids, which
 * contains the group ids too, and scan the organization (measured with 40,000 devices: 2.2 ms a room instead of 0.4).
 */
const groupedOnly = `
  SELECT d.id, a.id AS room_id FROM record_alias a CROSS JOIN device_row d INDEXED BY device_row_group ON d.organization_id = ?1 AND d.group_id = a.alias
    WHERE a.organization_id = ?1 AND a.kind = 'room' AND a.id IN (SELECT value FROM json_each(?2))`

const groupIdsOfRooms = (someOnly: boolean): string => `
  SELECT id, alias FROM record_alias
  WHERE organization_id = ?1 AND kind = 'room' AND ${someOnly ? 'id IN (SELECT value FROM json_each(?2))' : 'id IS NOT NULL AND ?2 IS NULL'} ORDER BY id, alias`

const roomsThemselves = (someOnly: boolean): string => `
  SELECT r.row_id, r.id, r.name, r.name_key, r.status, r.location, r.location_key, r.type, r.seat_count, r.time_zone, r.words, o.observed_at, o.gone_at,
    r.own_count, r.own_online, r.own_offline, r.own_rebooting, r.own_error, r.own_current, r.own_behind
  FROM room_row r JOIN raw_record o ON o.row_id = r.row_id
  WHERE r.organization_id = ?1 AND ${someOnly ? 'r.id IN (SELECT value FROM json_each(?2))' : '?2 IS NULL'}`

interface Counted {
  readonly tally: Record<keyof RoomTally, number>
  readonly firmware: Record<keyof FirmwareTally, number>
  readonly roles: Record<ServiceRole, number>
  lastSeenAt: number | null
  /** When the offline devices were last seen: the earliest and the latest time. */
  offline: { first: number; last: number } | null
}

/** The class and the last-seen time of each device of a room. */
const devicesOf = (row: SqlRow): readonly (readonly [classId: string, seenAt: number | null])[] =>
  String(row['classes'])
    .split(',')
    .map((one) => {
      const [classId = '', seenAt = ''] = one.split(':')
      return [classId, seenAt === '' ? null : Number(seenAt)]
    })

/** The counters of one class of devices. */
interface Kind {
  readonly counter: ReturnType<typeof countedAs>
  readonly word: keyof FirmwareTally | null
  readonly role: ServiceRole | null
}

const firmwareCounters: readonly (keyof FirmwareTally)[] = ['current', 'behind', 'ahead', 'revoked']

const kindOf = (row: SqlRow): Kind => ({
  counter: countedAs(String(row['status'])),
  word: firmwareCounters.find((word) => word === row['word']) ?? null,
  role: roleOf(
    (textOrNull(row['catalogue']) ?? 'unknown') as FirmwareWord,
    textOrNull(row['service']) as ServiceVerdict | null,
  ),
})

function add(counted: Map<string, Counted>, row: SqlRow, kinds: ReadonlyMap<string, Kind>): void {
  const id = String(row['room_id'])
  const known = counted.get(id) ?? {
    tally: { devices: 0, online: 0, offline: 0, rebooting: 0, error: 0 },
    firmware: { current: 0, behind: 0, ahead: 0, revoked: 0 },
    roles: { decides: 0, contradicts: 0 },
    lastSeenAt: null,
    offline: null,
  }
  counted.set(id, known)
  for (const [classId, seenAt] of devicesOf(row)) {
    const kind = kinds.get(classId)
    if (seenAt !== null) known.lastSeenAt = Math.max(seenAt, known.lastSeenAt ?? seenAt)
    if (seenAt !== null && kind?.counter === 'offline')
      known.offline = {
        first: Math.min(seenAt, known.offline?.first ?? seenAt),
        last: Math.max(seenAt, known.offline?.last ?? seenAt),
      }
    known.tally.devices++
    if (kind !== undefined && kind.counter !== null) known.tally[kind.counter]++
    if (kind !== undefined && kind.word !== null) known.firmware[kind.word]++
    if (kind !== undefined && kind.role !== null) known.roles[kind.role]++
  }
}

function correct(counted: Counted | undefined, before: string, after: string): void {
  if (counted === undefined) return
  const [from, to] = [countedAs(before), countedAs(after)]
  if (from !== null) counted.tally[from]--
  if (to !== null) counted.tally[to]++
}

/** Known devices of a room are counted from their own records; otherwise the room's record is used. */
function summaryOf(row: SqlRow, groupIds: readonly string[], counted: Counted | null): RoomSummary {
  const own = numberOrNull(row['own_count'])
  const tally: RoomTally | null =
    counted?.tally ??
    (own === null
      ? null
      : {
          devices: own,
          online: numberOrNull(row['own_online']) ?? 0,
          offline: numberOrNull(row['own_offline']) ?? 0,
          rebooting: numberOrNull(row['own_rebooting']) ?? 0,
          error: numberOrNull(row['own_error']) ?? 0,
        })
  const verdicts = {
    current: numberOrNull(row['own_current']) ?? 0,
    behind: numberOrNull(row['own_behind']) ?? 0,
  }
  const firmware = counted?.firmware ?? { ...verdicts, ahead: 0, revoked: 0 }
  const roles = counted?.roles ?? { decides: verdicts.current + verdicts.behind, contradicts: 0 }
  const words = tally === null ? [] : firmwareValues(tally.devices, firmware)
  const status = String(row['status'])
  const goneAt = numberOrNull(row['gone_at'])
  const type = textOrNull(row['type'])
  const location = textOrNull(row['location'])
  const health = healthOf(status, tally, goneAt !== null, firmware.revoked)
  return {
    rowId: Number(row['row_id']),
    row: {
      id: String(row['id']),
      name: textOrNull(row['name']),
      status,
      location,
      site: location?.split(',')[0]?.trim() || null,
      type,
      seatCount: numberOrNull(row['seat_count']),
      groupIds,
      deviceCount: tally?.devices ?? null,
      onlineCount: tally?.online ?? null,
      health,
      offlineSinceAt: tally?.offline
        ? (counted?.offline?.[health === 'down' ? 'last' : 'first'] ?? null)
        : null,
      unknownCount: tally === null ? null : unknownIn(tally),
      worstFirmware: words[0] ?? null,
      behindCount: tally === null ? null : firmware.behind + firmware.revoked,
      ...(roles.decides === 0 ? {} : { byServiceCount: roles.decides }),
      ...(roles.contradicts === 0 ? {} : { contradictedCount: roles.contradicts }),
      lastSeenAt: counted?.lastSeenAt ?? null,
      observedAt: Number(row['observed_at']),
      gone: goneAt !== null,
      goneAt,
    },
    timeZone: textOrNull(row['time_zone']),
    offlineCount: tally?.offline ?? null,
    firmware: words,
    words: String(row['words']),
    nameKey: textOrNull(row['name_key']),
    locationKey: textOrNull(row['location_key']),
    typeKey: type === null ? null : naturalKey(type),
  }
}

/** The filters and sort orders of room lists; ties in natural order of the name, then by id. */
export const roomList: MemoryList<RoomSummary, RoomRow, typeof roomFields> = {
  fields: roomFields,
  isGone: ({ row }) => row.gone,
  member: ({ row }) => row,
  values: {
    offlineCount: ({ offlineCount }) => offlineCount,
    byServiceCount: ({ row }) => row.byServiceCount ?? 0,
    contradictedCount: ({ row }) => row.contradictedCount ?? 0,
    worstFirmware: ({ firmware }) => firmware,
    note: ({ row }) => row.note ?? null,
    goneAt: ({ row }) => (row.gone ? 'yes' : 'no'),
  },
  ranks: {
    name: ({ nameKey }) => nameKey,
    location: ({ locationKey }) => locationKey,
    site: ({ row }) => (row.site === null ? null : naturalKey(row.site)),
    type: ({ typeKey }) => typeKey,
    goneAt: ({ row }) => row.goneAt,
    // The worst first.
    health: ({ row }) => healthsWorstFirst.indexOf(row.health),
    worstFirmware: ({ row }) =>
      row.worstFirmware === null ? null : firmwareWorstFirst.indexOf(row.worstFirmware),
  },
  ties: [({ nameKey }) => nameKey, ({ row }) => row.id],
  /** Searches name, location or type, the room's id and its group ids. Quoted text must occur exactly. */
  freeWord(typed) {
    const phrase = searchable([typed]).trim()
    return ({ words, row }) =>
      words.includes(phrase) || [row.id, ...row.groupIds].some((id) => folded(id) === phrase)
  },
}
