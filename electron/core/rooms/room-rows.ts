import { serviceVerdict } from '../../contract/firmware-verdict.ts'
import type { Json } from '../../contract/json.ts'
import type { Transaction } from '../platform.ts'
import { parseRoom, type RoomRecord } from '../management/management.ts'
import { naturalKey, searchable } from '../storage/search-text.ts'
import { storedDeviceId } from '../storage/record-ids.ts'
import type { DerivedPart } from '../storage/store.ts'
import { countedAs } from './room-health.ts'

/**
 * Rows of rooms, and the devices their records list; `row_id` is the raw record's. `last_known`: the values of
 * compared members that the last records lack, of devices too, because their rows take longer to rebuild; a
 * rebuild forgets them.
 */
export const roomRows: DerivedPart = {
  name: 'rooms',
  kind: 'room',
  readerVersion: 3,
  tables: ['room_row', 'room_member', 'last_known'],
  recordTables: ['room_row'],
  organizationTables: ['room_member', 'last_known'],
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
      time_zone TEXT,
      own_count INTEGER,
      own_online INTEGER,
      own_offline INTEGER,
      own_rebooting INTEGER,
      own_error INTEGER,
      own_current INTEGER,
      own_behind INTEGER,
      words TEXT NOT NULL
    );
    CREATE INDEX room_row_id ON room_row (organization_id, id);
    CREATE TABLE room_member (
      organization_id TEXT NOT NULL, device_id TEXT NOT NULL, room_id TEXT NOT NULL, status TEXT, told_at INTEGER, verdict TEXT,
      PRIMARY KEY (organization_id, device_id)
    ) WITHOUT ROWID;
    CREATE INDEX room_member_of ON room_member (organization_id, room_id);
    CREATE INDEX room_member_told ON room_member (organization_id) WHERE told_at IS NOT NULL;
    CREATE TABLE last_known (
      organization_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, member TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (organization_id, kind, id, member)
    ) WITHOUT ROWID;
  `,
  rebuild(transaction, records) {
    for (const { rowId, organizationId, id, json, goneAt } of records) {
      const reading = parseRoom(JSON.parse(json) as Json)
      if (reading.readable)
        writeRoomRow(transaction, {
          rowId,
          organizationId,
          record: { ...reading.record, id },
          gone: goneAt !== null,
        })
    }
  },
}

export interface RoomWriting {
  readonly rowId: number
  readonly organizationId: string
  readonly record: RoomRecord
  readonly gone: boolean
  /**
   * When a single-room refresh received the record: its device statuses are newer than the devices' own
   * records and apply until those are read again. null: the record is from a sync, which reads both.
   */
  readonly reportedAt?: number | null
}

/**
 * By the room's own members: by default SQLite scans all members of the organization through the primary key
 * (measured: 1.6 ms a room, else 0.01).
 */
const forgetMembers =
  'DELETE FROM room_member INDEXED BY room_member_of WHERE organization_id = ? AND room_id = ?'

export function writeRoomRow(
  transaction: Transaction,
  { rowId, organizationId, record, gone, reportedAt = null }: RoomWriting,
): void {
  const counts = { online: 0, offline: 0, rebooting: 0, error: 0 }
  for (const { status } of record.devices ?? []) {
    const counter = countedAs(status)
    if (counter !== null) counts[counter]++
  }
  const verdicts = { current: 0, behind: 0 }
  for (const { firmwareStatus } of record.devices ?? []) {
    const verdict = serviceVerdict(firmwareStatus)
    if (verdict !== null) verdicts[verdict]++
  }
  const counted =
    record.devices === null
      ? [null, null, null, null, null, null, null]
      : [record.devices.length, ...Object.values(counts), ...Object.values(verdicts)]
  transaction.run(
    `INSERT OR REPLACE INTO room_row (row_id, organization_id, gone, id, name, name_key, status, location, location_key, type, seat_count, time_zone, own_count, own_online,
       own_offline, own_rebooting, own_error, own_current, own_behind, words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
      record.timeZone,
      ...counted,
      searchable([record.name, record.location, record.type]),
    ],
  )
  transaction.run(forgetMembers, [organizationId, record.id])
  if (gone) return
  for (const device of record.devices ?? [])
    transaction.run(
      'INSERT OR REPLACE INTO room_member (organization_id, device_id, room_id, status, told_at, verdict) VALUES (?, ?, ?, ?, ?, ?)',
      [
        organizationId,
        storedDeviceId(transaction, organizationId, device.id),
        record.id,
        reportedAt === null || device.status === 'unknown' ? null : device.status,
        device.status === 'unknown' ? null : reportedAt,
        serviceVerdict(device.firmwareStatus),
      ],
    )
}

/** Whether no other room has listed a device of this record since it was written: the one listed last has it. */
export function hasItsDevices(
  transaction: Transaction,
  organizationId: string,
  { id, devices }: RoomRecord,
): boolean {
  const row = transaction.first(
    'SELECT count(*) AS n FROM room_member INDEXED BY room_member_of WHERE organization_id = ? AND room_id = ?',
    [organizationId, id],
  )
  return Number(row?.['n']) === (devices?.length ?? 0)
}

export function setRoomGone(transaction: Transaction, rowId: number, gone: boolean): void {
  transaction.run('UPDATE room_row SET gone = ? WHERE row_id = ?', [gone ? 1 : 0, rowId])
}
