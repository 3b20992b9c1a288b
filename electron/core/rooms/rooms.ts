import type { WordCount } from '../../contract/device.ts'
import { Failed } from '../../contract/failure.ts'
import type { Json } from '../../contract/json.ts'
import { readFilter } from '../../contract/filter-reader.ts'
import { roomVocabulary } from '../../contract/filter-words.ts'
import type { Room, RoomColumn, RoomDevice, RoomPage, RoomQuery, RoomRow } from '../../contract/room.ts'
import type { SqlRow, SqlValue } from '../host.ts'
import { readRoom } from '../management/management.ts'
import { likePattern, searchWords } from '../storage/search-text.ts'
import type { Store } from '../storage/store.ts'
import { members, roomRowOf } from './room-rows.ts'

export { markRoomRow, roomRows, writeRoomRow } from './room-rows.ts'
export { roomChanges } from './room-changes.ts'

const pageRows = 500

/** Rooms as the store knows them. Never asks the network. Rejects with Failed `cache-unusable`, `not-found` or `invalid`. */
export interface Rooms {
  /** Rooms that are not gone. */
  list(organizationId: string, query: RoomQuery): Promise<RoomPage>
  /** By its own id. */
  get(organizationId: string, id: string): Promise<Room>
  /** By its own id or by the group id of any one of its devices. */
  find(organizationId: string, idOrGroupId: string): Promise<Room>
  position(
    organizationId: string,
    query: Pick<RoomQuery, 'where' | 'sort'> & { readonly id: string },
  ): Promise<{ readonly index: number | null; readonly total: number }>
  suggest(organizationId: string, query: { readonly key: string; readonly typed: string }): Promise<readonly WordCount[]>
  /** Every room that is not gone, by name, with devices and raw record. */
  all(organizationId: string): AsyncIterable<Room>
  standing(organizationId: string): Promise<{ readonly count: number; readonly asOf: number | null }>
}

/** Column names reach SQL from this list only. */
const sortColumns: Readonly<Partial<Record<RoomColumn, string>>> = {
  name: 'r.name_key',
  location: 'r.location_key',
  status: 'r.status',
  deviceCount: 'device_count',
  seatCount: 'r.seat_count',
  lastSeenAt: 'last_seen_at',
}

/** Where the devices of a room are known themselves, they count; else what the room's record tells of them. */
const roomColumns = `r.id, r.name, r.status, r.location, r.type, r.seat_count, o.observed_at, o.gone_at,
  (SELECT json_group_array(x.alias) FROM (SELECT alias FROM record_alias WHERE organization_id = r.organization_id AND kind = 'room' AND id = r.id ORDER BY alias) x) AS group_ids,
  COALESCE(c.devices, r.own_count) AS device_count,
  CASE WHEN c.devices IS NULL THEN r.own_online ELSE c.online END AS online_count,
  c.last_seen_at AS last_seen_at`

const roomTables = `room_row r JOIN raw_record o ON o.row_id = r.row_id LEFT JOIN counted c ON c.room_id = r.id`

const counted = `WITH member AS (${members}),
  counted AS (SELECT room_id, count(*) AS devices, sum(status = 'online') AS online, max(last_seen_at) AS last_seen_at FROM member GROUP BY room_id)`

export function openRooms({ store }: { readonly store: Store }): Rooms {
  const { database } = store

  const devicesOf = async (organizationId: string, rooms: readonly { id: string; json: Json }[]): Promise<Map<string, readonly RoomDevice[] | null>> => {
    const wanted = JSON.stringify(rooms.map((room) => room.id))
    const rows = await database.read(
      `WITH member AS (${numbered(members)})
       SELECT m.room_id, d.id, d.name, d.status, d.product_name, d.firmware_version, d.last_seen_at, o.observed_at FROM member m JOIN device_row d ON d.row_id = m.row_id JOIN raw_record o ON o.row_id = d.row_id
       WHERE m.room_id IN (SELECT value FROM json_each(?2)) ORDER BY d.name_key, d.id`,
      [organizationId, wanted],
    )
    const known = new Map<string, SqlRow[]>()
    for (const row of rows) {
      const id = String(row['room_id'])
      const list = known.get(id)
      if (list) list.push(row)
      else known.set(id, [row])
    }
    return new Map(rooms.map(({ id, json }) => [id, roomDevices(json, known.get(id) ?? [])]))
  }

  const whole = async (organizationId: string, condition: string, parameters: readonly SqlValue[]): Promise<Room[]> => {
    const rows = await database.read(
      `${numbered(counted)} SELECT ${roomColumns}, j.json FROM ${roomTables} JOIN raw_json j ON j.row_id = r.row_id WHERE r.organization_id = ?1 AND ${condition}`,
      [organizationId, ...parameters],
    )
    const found = rows.map((row) => ({ row: roomRowOf(row), json: JSON.parse(String(row['json'])) as Json }))
    const devices = await devicesOf(
      organizationId,
      found.map(({ row, json }) => ({ id: row.id, json })),
    )
    return found.map(({ row, json }) => roomOf(row, json, devices.get(row.id) ?? null))
  }

  const one = async (organizationId: string, what: string, condition: string): Promise<Room> => {
    const [room] = await whole(organizationId, condition, [what])
    if (!room) throw new Failed({ kind: 'not-found', call: null, what })
    return room
  }

  const standing = async (organizationId: string): Promise<{ count: number; asOf: number | null }> => {
    const sql = `SELECT count(*) AS n, min(observed_at) AS at FROM raw_record WHERE organization_id = ? AND kind = 'room' AND gone_at IS NULL`
    const [row] = await database.read(sql, [organizationId])
    return { count: Number(row?.['n'] ?? 0), asOf: typeof row?.['at'] === 'number' ? row['at'] : null }
  }

  return {
    async list(organizationId, query) {
      const start = wholeNumber('start', query.start, Number.MAX_SAFE_INTEGER)
      const count = wholeNumber('count', query.count, pageRows)
      const { terms } = readFilter(query.where, roomVocabulary)
      const words = searchWords(
        terms
          .filter((term) => term.key === null)
          .map((term) => term.values[0])
          .join(' '),
      )
      const chosen = terms.filter((term) => term.key === 'status').flatMap((term) => term.values)
      const sort = query.sort[0] ?? { column: 'name' as const, descending: false }
      const where = ['r.organization_id = ?1', 'r.gone = 0', ...words.map((_, index) => `r.words LIKE ?${index + 2} ESCAPE '\\'`)]
      const parameters: SqlValue[] = [organizationId, ...words.map(likePattern)]
      const statusWhere = chosen.length === 0 ? [] : [`r.status IN (SELECT value FROM json_each(?${parameters.length + 1}))`]
      const statusParameters = chosen.length === 0 ? [] : [JSON.stringify(chosen)]
      const column = sortColumns[sort.column] ?? 'r.name_key'
      const order = `${column} IS NULL, ${column} ${sort.descending ? 'DESC' : 'ASC'}, r.name_key IS NULL, r.name_key, r.id`
      const matching = [...where, ...statusWhere].join(' AND ')
      const all = [...parameters, ...statusParameters]
      const [rows, statuses, totals, { count: known, asOf }] = await Promise.all([
        database.read(`${numbered(counted)} SELECT ${roomColumns} FROM ${roomTables} WHERE ${matching} ORDER BY ${order} LIMIT ${count} OFFSET ${start}`, all),
        database.read(`SELECT r.status, count(*) AS n FROM room_row r WHERE ${where.join(' AND ')} GROUP BY 1 ORDER BY n DESC, 1`, parameters),
        database.read(`SELECT count(*) AS n FROM room_row r WHERE ${matching}`, all),
        standing(organizationId),
      ])
      return {
        rows: rows.map(roomRowOf),
        total: Number(totals[0]?.['n'] ?? 0),
        all: known,
        statuses: statuses.map((row) => ({ word: String(row['status']), count: Number(row['n']) })),
        health: [],
        asOf,
      }
    },

    get: (organizationId, id) => one(organizationId, id, 'r.id = ?2'),

    find: (organizationId, what) =>
      one(
        organizationId,
        what,
        `r.id = COALESCE((SELECT y.id FROM room_row y WHERE y.organization_id = ?1 AND y.id = ?2),
                         (SELECT x.id FROM record_alias x WHERE x.organization_id = ?1 AND x.kind = 'room' AND x.alias = ?2))`,
      ),

    async position() {
      return { index: null, total: 0 }
    },

    async suggest() {
      return []
    },

    async *all(organizationId) {
      const sql = 'SELECT row_id FROM room_row WHERE organization_id = ? AND gone = 0 ORDER BY name_key IS NULL, name_key, id'
      const ids = await database.readNumbers(sql, [organizationId])
      const place = new Map([...ids].map((id, index) => [id, index]))
      for (let start = 0; start < ids.length; start += pageRows) {
        const chunk = [...ids.subarray(start, start + pageRows)]
        const names = await database.read('SELECT row_id, id FROM room_row WHERE row_id IN (SELECT value FROM json_each(?))', [JSON.stringify(chunk)])
        const position = new Map(names.map((row) => [String(row['id']), place.get(Number(row['row_id'])) ?? 0]))
        const rooms = await whole(organizationId, 'r.row_id IN (SELECT value FROM json_each(?2))', [JSON.stringify(chunk)])
        yield* rooms.sort((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0))
      }
    },

    standing,
  }
}

/** The organization is always the first parameter. */
function numbered(sql: string): string {
  return sql.replaceAll(':organization', '?1')
}

function roomOf(row: RoomRow, json: Json, devices: readonly RoomDevice[] | null): Room {
  const reading = readRoom(json)
  if (!reading.readable) throw new Error('A room row without a readable record')
  return { ...row, timeZone: reading.record.timeZone, createdAt: reading.record.createdAt, devices, raw: reading.record.raw }
}

function roomDevices(json: Json, rows: readonly SqlRow[]): readonly RoomDevice[] | null {
  const reading = readRoom(json)
  const own = reading.readable ? reading.record.devices : null
  if (rows.length === 0)
    return (
      own?.map(({ id, name, status, firmwareStatus }) => ({
        id,
        name,
        status,
        productName: null,
        firmwareVersion: null,
        firmwareStatus,
        firmware: null,
        lastSeenAt: null,
        observedAt: 0,
      })) ?? null
    )
  const firmwareStatus = new Map(own?.map((device) => [device.id, device.firmwareStatus]))
  return rows.map((row) => ({
    id: String(row['id']),
    name: String(row['name']),
    status: String(row['status']),
    productName: typeof row['product_name'] === 'string' ? row['product_name'] : null,
    firmwareVersion: typeof row['firmware_version'] === 'string' ? row['firmware_version'] : null,
    firmwareStatus: firmwareStatus.get(String(row['id'])) ?? null,
    firmware: null,
    lastSeenAt: typeof row['last_seen_at'] === 'number' ? row['last_seen_at'] : null,
    observedAt: Number(row['observed_at']),
  }))
}

function wholeNumber(field: string, value: number, most: number): number {
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new Failed({ kind: 'invalid', field, message: `A whole number from 0 to ${most} was expected.` })
  return value
}
