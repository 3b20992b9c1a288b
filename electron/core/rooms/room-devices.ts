import type { RoomDevice, RoomMember, RoomRow } from '../../contract/api/rooms.ts'
import type { FirmwareWord } from '../../contract/api/devices.ts'
import {
  roleOf,
  serviceVerdict,
  type ServiceRole,
  type ServiceVerdict,
} from '../../contract/firmware-verdict.ts'
import { complianceJoin } from '../devices/devices.ts'
import type { Database, SqlRow } from '../platform.ts'
import { parseRoom, type RoomRecord } from '../management/management.ts'
import { textOrNull } from '../storage/row-values.ts'
import { devicesIn } from '../../contract/device-name.ts'
import type { Json } from '../../contract/json.ts'

/** The data of a room that is needed to find its devices. */
export interface RoomOfDevices {
  readonly id: string
  /** Missing: it is read only if the devices' own records do not suffice, and `firmwareStatus` is null. */
  readonly record?: RoomRecord | undefined
  /** When the record was read. */
  readonly observedAt: number
}

/**
 * The devices of each room. Synced devices come from their own records, except for a status that the room's
 * record, from a single-room refresh, states more recently; otherwise they come from the room's list; null:
 * nothing is known. `unread`: also the listed devices that were never synced, because they go down with the
 * room.
 */
export async function devicesOf(
  database: Database,
  organizationId: string,
  rooms: readonly RoomOfDevices[],
  unread = false,
): Promise<ReadonlyMap<string, readonly RoomDevice[] | null>> {
  const named = [organizationId, JSON.stringify(rooms.map((room) => room.id))]
  const [rows, unreadRows] = await Promise.all([
    database.query(membersOfRooms, named),
    unread ? database.query(unreadOfRooms, named) : [],
  ])
  const unreadIds = new Set(unreadRows.map(({ id }) => id))
  const withUnread = new Set(unreadRows.map((row) => row['room_id']))
  const known = new Map<string, SqlRow[]>()
  for (const row of rows) {
    const id = String(row['room_id'])
    const list = known.get(id)
    if (list) list.push(row)
    else known.set(id, [row])
  }
  const records = await queryRecords(
    database,
    organizationId,
    rooms.flatMap(({ id, record }) =>
      record === undefined && (withUnread.has(id) || !known.has(id)) ? [id] : [],
    ),
  )
  return new Map(
    rooms.map((room) => [
      room.id,
      listOf({ record: records.get(room.id), ...room }, known.get(room.id) ?? [], (id) => unreadIds.has(id)),
    ]),
  )
}

const columns =
  'd.row_id, d.id, d.name, d.name_key, d.status, d.product_id, d.product_name, d.serial_number, d.firmware_version, d.last_seen_at, d.firmware_read_at, d.class_id'

/** A device is in the room its group id names, else in the one whose record lists it. */
const membersOfRooms = `
  WITH member AS (
    SELECT a.id AS room_id, ${columns} FROM record_alias a
      CROSS JOIN device_row d ON d.organization_id = ?1 AND d.group_id = a.alias AND +d.gone = 0
      WHERE a.organization_id = ?1 AND a.kind = 'room' AND a.id IN (SELECT value FROM json_each(?2))
    UNION ALL
    SELECT m.room_id, ${columns} FROM room_member m
      CROSS JOIN device_row d ON d.organization_id = ?1 AND d.id = m.device_id AND +d.gone = 0
      WHERE m.organization_id = ?1 AND m.room_id IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (
        SELECT 1 FROM record_alias x WHERE x.organization_id = ?1 AND x.kind = 'room' AND x.alias = d.group_id AND x.id IS NOT NULL))
  SELECT d.*, o.observed_at, f.word, c.service, t.status AS told_status, t.told_at FROM member d JOIN raw_record o ON o.row_id = d.row_id
    LEFT JOIN device_class c ON c.class_id = d.class_id
    ${complianceJoin('f', 'c')}
    LEFT JOIN room_member t ON t.organization_id = ?1 AND t.device_id = d.id AND t.told_at > o.observed_at
  ORDER BY d.name_key, d.id`

const unreadOfRooms = `
  SELECT m.device_id AS id, m.room_id FROM room_member m WHERE m.organization_id = ?1 AND m.room_id IN (SELECT value FROM json_each(?2))
    AND NOT EXISTS (SELECT 1 FROM device_row d WHERE d.organization_id = ?1 AND d.id = m.device_id)`

/**
 * Own ids for the given ids: an own id, or the group id of any one of a room's devices. An id without a room
 * is omitted.
 */
export async function idsOfRooms(
  database: Database,
  organizationId: string,
  named: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query(
    `SELECT n.value AS named, COALESCE(y.id, x.id) AS id FROM json_each(?2) n
       LEFT JOIN room_row y ON y.organization_id = ?1 AND y.id = n.value
       LEFT JOIN record_alias x ON x.organization_id = ?1 AND x.kind = 'room' AND x.alias = n.value`,
    [organizationId, JSON.stringify(named)],
  )
  return new Map(
    rows.flatMap((row) =>
      typeof row['id'] === 'string' ? [[String(row['named']), row['id']] as const] : [],
    ),
  )
}

/** Room ids by device id, by the same rule: the room its group id names, else the one whose record lists it. */
export async function roomsOfDevices(
  database: Database,
  organizationId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.query(
    `SELECT d.id, COALESCE(
       (SELECT x.id FROM record_alias x WHERE x.organization_id = ?1 AND x.kind = 'room' AND x.alias = d.group_id),
       (SELECT m.room_id FROM room_member m WHERE m.organization_id = ?1 AND m.device_id = d.id)) AS room_id
     FROM json_each(?2) n CROSS JOIN device_row d ON d.organization_id = ?1 AND d.id = n.value WHERE +d.gone = 0`,
    [organizationId, JSON.stringify(deviceIds)],
  )
  return new Map(
    rows.flatMap((row) =>
      typeof row['room_id'] === 'string' ? [[String(row['id']), row['room_id']] as const] : [],
    ),
  )
}

function firmwareOf(
  catalogue: FirmwareWord | null,
  verdict: ServiceVerdict | null,
): { readonly firmware: FirmwareWord; readonly firmwareService?: ServiceRole } {
  const word = catalogue ?? 'unknown'
  const role = roleOf(word, verdict)
  return {
    firmware: role === 'decides' && verdict !== null ? verdict : word,
    ...(role === null ? {} : { firmwareService: role }),
  }
}

function listOf(
  { record, observedAt }: RoomOfDevices,
  rows: readonly SqlRow[],
  isUnread: (id: string) => boolean,
): readonly RoomDevice[] | null {
  const listed =
    record?.devices?.map(({ id, name, status, firmwareStatus }) => ({
      id,
      name,
      status,
      productName: null,
      serialNumber: null,
      firmwareVersion: null,
      firmwareStatus,
      ...(serviceVerdict(firmwareStatus) === null
        ? { firmware: null }
        : firmwareOf(null, serviceVerdict(firmwareStatus))),
      lastSeenAt: null,
      observedAt,
    })) ?? null
  if (rows.length === 0) return listed
  const firmwareStatus = new Map(record?.devices?.map((device) => [device.id, device.firmwareStatus]))
  const known = rows.map((row) => {
    const memberStatus = textOrNull(row['told_status'])
    return {
      id: String(row['id']),
      name: String(row['name']),
      status: memberStatus ?? String(row['status']),
      productName: textOrNull(row['product_name']),
      serialNumber: textOrNull(row['serial_number']),
      firmwareVersion: textOrNull(row['firmware_version']),
      firmwareStatus: firmwareStatus.get(String(row['id'])) ?? null,
      ...firmwareOf(row['word'] as FirmwareWord | null, row['service'] as ServiceVerdict | null),
      lastSeenAt: typeof row['last_seen_at'] === 'number' ? row['last_seen_at'] : null,
      observedAt: Number(memberStatus === null ? row['observed_at'] : row['told_at']),
      ...(typeof row['firmware_read_at'] === 'number' ? { firmwareReadAt: row['firmware_read_at'] } : {}),
    }
  })
  return [...known, ...(listed ?? []).filter(({ id }) => isUnread(id))]
}

/** Devices of a room in a row of the list (contract). */
const drawnAtMost = 8

/** The records of these rooms, by id. */
export async function queryRecords(
  database: Pick<Database, 'query'>,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RoomRecord>> {
  const jsons = await database.query(
    `SELECT r.id, j.json FROM room_row r JOIN raw_json j ON j.row_id = r.row_id WHERE r.organization_id = ?1 AND r.id IN (SELECT value FROM json_each(?2))`,
    [organizationId, JSON.stringify(ids)],
  )
  return new Map(jsons.map((row) => [String(row['id']), recordOf(String(row['json']))]))
}

function recordOf(json: string): RoomRecord {
  const reading = parseRoom(JSON.parse(json) as Json)
  if (!reading.readable) throw new Error('A room row without a readable record')
  return reading.record
}

/** The devices shown in the rows of a list, problems first, by room; rooms whose devices are not known are missing. */
export async function queryMembers(
  database: Database,
  organizationId: string,
  rows: readonly RoomRow[],
): Promise<ReadonlyMap<string, readonly RoomMember[]>> {
  const devices = await devicesOf(database, organizationId, rows)
  return new Map(
    rows.flatMap(({ id, name }) => {
      const known = devices.get(id) ?? null
      return known === null ? [] : [[id, drawnOf({ name, devices: known })] as const]
    }),
  )
}

function drawnOf(room: {
  readonly name: string | null
  readonly devices: readonly RoomDevice[]
}): readonly RoomMember[] {
  const members = devicesIn(room).map(({ id, name, productName, status, firmware }) => ({
    id,
    name,
    productName,
    status,
    isRevoked: firmware === 'revoked',
  }))
  const isWell = (one: RoomMember): boolean => one.status === 'online' && !one.isRevoked
  return [...members.filter((one) => !isWell(one)), ...members.filter(isWell)].slice(0, drawnAtMost)
}
