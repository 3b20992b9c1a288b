import type { Json } from '../../contract/json.ts'
import type { RoomRow } from '../../contract/room.ts'
import type { SqlRow, Transaction } from '../host.ts'
import { readRoom, type RoomRecord } from '../management/management.ts'
import { naturalKey, searchable } from '../storage/search-text.ts'
import type { DerivedPart } from '../storage/store.ts'

/** Rows of rooms and which devices their records list; `row_id` is the raw record's. */
export const roomRows: DerivedPart = {
  name: 'rooms',
  kind: 'room',
  readerVersion: 1,
  tables: ['room_row', 'room_member'],
  schema: `
    CREATE TABLE room_row (
      row_id INTEGER PRIMARY KEY,
      organization_id TEXT NOT NULL,
      gone INTEGER NOT NULL,
      id TEXT NOT NULL,
      name TEXT,
      name_key TEXT,
      status TEXT NOT NULL,
      location TEXT,
      location_key TEXT,
      type TEXT,
      seat_count INTEGER,
      own_count INTEGER,
      own_online INTEGER,
      words TEXT NOT NULL
    );
    CREATE INDEX room_row_id ON room_row (organization_id, id);
    CREATE TABLE room_member (
      organization_id TEXT NOT NULL, device_id TEXT NOT NULL, room_id TEXT NOT NULL, PRIMARY KEY (organization_id, device_id)
    ) WITHOUT ROWID;
    CREATE INDEX room_member_of ON room_member (organization_id, room_id);
  `,
  rebuild(transaction, records) {
    for (const { rowId, organizationId, json, goneAt } of records) {
      const reading = readRoom(JSON.parse(json) as Json)
      if (reading.readable) writeRoomRow(transaction, { rowId, organizationId, record: reading.record, gone: goneAt !== null })
    }
  },
}

export interface RoomWriting {
  readonly rowId: number
  readonly organizationId: string
  readonly record: RoomRecord
  readonly gone: boolean
}

export function writeRoomRow(transaction: Transaction, { rowId, organizationId, record, gone }: RoomWriting): void {
  const online = record.devices?.filter((device) => device.status === 'online').length ?? null
  transaction.run(
    `INSERT OR REPLACE INTO room_row (row_id, organization_id, gone, id, name, name_key, status, location, location_key, type, seat_count, own_count, own_online, words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      rowId,
      organizationId,
      gone ? 1 : 0,
      record.id,
      record.name,
      record.name === null ? null : naturalKey(record.name),
      record.status,
      record.location,
      record.location === null ? null : naturalKey(record.location),
      record.type,
      record.seatCount,
      record.devices?.length ?? null,
      online,
      searchable([record.name, record.location, record.type]),
    ],
  )
  transaction.run('DELETE FROM room_member WHERE organization_id = ? AND room_id = ?', [organizationId, record.id])
  if (gone) return
  for (const device of record.devices ?? [])
    transaction.run('INSERT OR REPLACE INTO room_member (organization_id, device_id, room_id) VALUES (?, ?, ?)', [organizationId, device.id, record.id])
}

export function markRoomRow(transaction: Transaction, rowId: number, gone: boolean): void {
  transaction.run('UPDATE room_row SET gone = ? WHERE row_id = ?', [gone ? 1 : 0, rowId])
}

/** Devices that are not gone, beside the room each stands in: by its group id, else by the list of the room's record. */
export const members = `
  SELECT a.id AS room_id, d.row_id, d.status, d.last_seen_at FROM record_alias a
    JOIN device_row d ON d.organization_id = a.organization_id AND d.group_id = a.alias
    WHERE a.organization_id = :organization AND a.kind = 'room' AND a.id IS NOT NULL AND d.gone = 0
  UNION ALL
  SELECT m.room_id, d.row_id, d.status, d.last_seen_at FROM room_member m
    JOIN device_row d ON d.organization_id = m.organization_id AND d.id = m.device_id
    WHERE m.organization_id = :organization AND d.gone = 0 AND NOT EXISTS (
      SELECT 1 FROM record_alias x WHERE x.organization_id = d.organization_id AND x.kind = 'room' AND x.alias = d.group_id AND x.id IS NOT NULL)`

const text = (value: SqlRow[string] | undefined): string | null => (typeof value === 'string' ? value : null)
const number = (value: SqlRow[string] | undefined): number | null => (typeof value === 'number' ? value : null)

/** A row of `room_row r` with its raw record, its group ids as JSON, and its members counted. */
export function roomRowOf(row: SqlRow): RoomRow {
  return {
    id: String(row['id']),
    name: text(row['name']),
    status: String(row['status']),
    location: text(row['location']),
    type: text(row['type']),
    seatCount: number(row['seat_count']),
    groupIds: JSON.parse(text(row['group_ids']) ?? '[]') as string[],
    deviceCount: number(row['device_count']),
    onlineCount: number(row['online_count']),
    health: 'unknown',
    unknownCount: null,
    worstFirmware: null,
    behindCount: null,
    lastSeenAt: number(row['last_seen_at']),
    observedAt: Number(row['observed_at']),
    gone: row['gone_at'] !== null,
    goneAt: number(row['gone_at']),
  }
}
