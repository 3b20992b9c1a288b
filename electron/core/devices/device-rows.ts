import type { DeviceRow } from '../../contract/device.ts'
import type { Json } from '../../contract/json.ts'
import type { SqlRow, Transaction } from '../host.ts'
import { readDevice, type DeviceRecord } from '../management/management.ts'
import { naturalKey, searchable } from '../storage/search-text.ts'
import type { DerivedPart } from '../storage/store.ts'

/** Rows for tables and the full-text index, made from the raw records; `row_id` is the raw record's. */
export const deviceRows: DerivedPart = {
  name: 'devices',
  kind: 'device',
  readerVersion: 1,
  tables: ['device_row', 'device_product', 'device_search'],
  schema: `
    CREATE TABLE device_row (
      row_id INTEGER PRIMARY KEY,
      organization_id TEXT NOT NULL,
      gone INTEGER NOT NULL,
      status TEXT NOT NULL,
      last_seen_at INTEGER,
      name_key TEXT NOT NULL,
      id TEXT NOT NULL,
      group_id TEXT,
      product_name TEXT,
      serial_number TEXT,
      firmware_key TEXT,
      user_name TEXT,
      name TEXT NOT NULL,
      product_id INTEGER,
      variant_type TEXT,
      firmware_version TEXT,
      added_at INTEGER,
      words TEXT NOT NULL
    );
    CREATE INDEX device_row_id ON device_row (organization_id, id);
    CREATE INDEX device_row_group ON device_row (organization_id, group_id) WHERE group_id IS NOT NULL;
    CREATE INDEX device_row_name ON device_row (organization_id, gone, name_key, id);
    CREATE TABLE device_product (
      organization_id TEXT NOT NULL, product_name TEXT NOT NULL, words TEXT NOT NULL, PRIMARY KEY (organization_id, product_name)
    ) WITHOUT ROWID;
    CREATE VIRTUAL TABLE device_search USING fts5(words, content='', contentless_delete=1, tokenize='trigram', detail=none);
  `,
  rebuild(transaction, records) {
    for (const { rowId, organizationId, json, goneAt } of records) {
      const reading = readDevice(JSON.parse(json) as Json)
      if (reading.readable) writeDeviceRow(transaction, { rowId, organizationId, record: reading.record, before: null, gone: goneAt !== null })
    }
  },
}

/**
 * What the search box finds a device by, of its own record. Kept short, for it is most of the cost of a sync: products and rooms are
 * few and searched beside it, ids are compared whole, MAC addresses stand without separators.
 */
function wordsOf(record: DeviceRecord): string {
  const mac = record.computer?.macAddress ?? null
  return searchable([
    record.name === record.productName ? null : record.name,
    record.serialNumber,
    record.computer?.name ?? null,
    record.computer?.userName ?? null,
    mac === null ? null : mac.replaceAll(/[:-]/g, ''),
  ])
}

export interface DeviceWriting {
  readonly rowId: number
  readonly organizationId: string
  readonly record: DeviceRecord
  /** The record the row was made from until now; null: there is no row yet. */
  readonly before: DeviceRecord | null
  readonly gone: boolean
}

export function writeDeviceRow(transaction: Transaction, { rowId, organizationId, record, before, gone }: DeviceWriting): void {
  const words = wordsOf(record)
  transaction.run(
    `INSERT OR REPLACE INTO device_row (row_id, organization_id, gone, status, last_seen_at, name_key, id, group_id, product_name, serial_number,
       firmware_key, user_name, name, product_id, variant_type, firmware_version, added_at, words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      rowId,
      organizationId,
      gone ? 1 : 0,
      record.status,
      record.lastSeenAt,
      naturalKey(record.name),
      record.id,
      record.groupId,
      record.productName,
      record.serialNumber,
      record.firmwareVersion === null ? null : naturalKey(record.firmwareVersion),
      record.computer?.userName ?? null,
      record.name,
      record.productId,
      record.variantType,
      record.firmwareVersion,
      record.addedAt,
      words,
    ],
  )
  if (record.productName !== null && record.productName !== before?.productName)
    transaction.run('INSERT OR IGNORE INTO device_product (organization_id, product_name, words) VALUES (?, ?, ?)', [
      organizationId,
      record.productName,
      searchable([record.productName]),
    ])
  if (before !== null) {
    if (wordsOf(before) === words) return
    transaction.run('DELETE FROM device_search WHERE rowid = ?', [rowId])
  }
  transaction.run('INSERT INTO device_search (rowid, words) VALUES (?, ?)', [rowId, words])
}

export function markDeviceRow(transaction: Transaction, rowId: number, gone: boolean): void {
  transaction.run('UPDATE device_row SET gone = ? WHERE row_id = ?', [gone ? 1 : 0, rowId])
}

/** A device's room: the one its group id names, else the one whose record lists the device. Tables of the rooms' part. */
export const placed = `
  LEFT JOIN record_alias a ON a.organization_id = d.organization_id AND a.kind = 'room' AND a.alias = d.group_id
  LEFT JOIN room_member m ON m.organization_id = d.organization_id AND m.device_id = d.id
  LEFT JOIN room_row r ON r.organization_id = d.organization_id AND r.id = COALESCE(a.id, m.room_id)`

export const rowColumns = `d.row_id, d.id, d.name, d.serial_number, d.product_id, d.variant_type, d.product_name, d.firmware_version, d.group_id, d.status,
  d.last_seen_at, d.added_at, d.user_name, o.observed_at, o.gone_at, r.id AS room_id, r.name AS room_name`

export const rowTables = `device_row d JOIN raw_record o ON o.row_id = d.row_id ${placed}`

const text = (value: SqlRow[string] | undefined): string | null => (typeof value === 'string' ? value : null)
const number = (value: SqlRow[string] | undefined): number | null => (typeof value === 'number' ? value : null)

export function deviceRowOf(row: SqlRow): DeviceRow {
  const roomId = text(row['room_id'])
  return {
    id: String(row['id']),
    name: String(row['name']),
    serialNumber: text(row['serial_number']),
    productId: number(row['product_id']),
    variantType: text(row['variant_type']),
    productName: text(row['product_name']),
    firmwareVersion: text(row['firmware_version']),
    groupId: text(row['group_id']),
    status: String(row['status']),
    lastSeenAt: number(row['last_seen_at']),
    addedAt: number(row['added_at']),
    observedAt: Number(row['observed_at']),
    gone: row['gone_at'] !== null,
    goneAt: number(row['gone_at']),
    room: roomId === null ? null : { id: roomId, name: text(row['room_name']), location: null },
    userName: text(row['user_name']),
    firmware: { word: 'unknown', by: null, latest: null },
    computerName: null,
    operatingSystem: null,
    ipAddress: null,
    macAddress: null,
    clientName: null,
    clientVersion: null,
    tags: [],
  }
}
