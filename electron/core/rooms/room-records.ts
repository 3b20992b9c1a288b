import { devicesIn } from '../../contract/device-name.ts'
import type { Json } from '../../contract/json.ts'
import type { RoomDevice, RoomMember, RoomRow } from '../../contract/api/rooms.ts'
import { parseRoom, type RoomRecord } from '../management/management.ts'
import type { Database } from '../platform.ts'
import { devicesOf } from './room-devices.ts'

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
  const records = await queryRecords(
    database,
    organizationId,
    rows.map(({ id }) => id),
  )
  const rooms = rows.flatMap(({ id, observedAt }) => {
    const record = records.get(id)
    return record === undefined ? [] : [{ id, record, observedAt }]
  })
  const devices = await devicesOf(database, organizationId, rooms)
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
