import type { DeviceRow, FirmwareWord } from '../../contract/api/devices.ts'
import { deviceTitle, type DeviceIdentity } from '../../contract/device-name.ts'
import { approvedValues } from '../../contract/fields/device.ts'
import { noLatestOfSome, variantKey } from '../../contract/firmware.ts'
import { roleOf, serviceVerdict, type ServiceVerdict } from '../../contract/firmware-verdict.ts'
import type { Json } from '../../contract/json.ts'
import type { Procedure, SqlRow, Transaction } from '../platform.ts'
import { parseDevice, type DeviceRecord } from '../management/management.ts'
import { naturalKey, searchable } from '../storage/search-text.ts'
import type { DerivedPart } from '../storage/store.ts'
import {
  normalizedMac,
  foldedTexts,
  keyOfVersion,
  storedColumns,
  storedOf,
  storedSchema,
  storedSelect,
  storedValues,
} from './stored-columns.ts'
import { numberOrNull, textOrNull } from '../storage/row-values.ts'

/**
 * Rows for tables and the full-text index, derived from the raw records; `row_id` is the raw record's.
 * `device_class` holds values that many devices share, so that counting, filtering and sorting by them read a
 * thousand rows and a number instead of 100,000 texts.
 */
export const deviceRows: DerivedPart = {
  name: 'devices',
  kind: 'device',
  // Raise it with that of the rooms too: titles are derived from their rows, which are rebuilt first.
  readerVersion: 5,
  tables: ['device_row', 'device_product', 'device_class', 'device_search'],
  recordTables: ['device_search', 'device_row'],
  organizationTables: ['device_class'],
  schema: `
    CREATE TABLE device_row (
      row_id INTEGER PRIMARY KEY,
      organization_id TEXT NOT NULL,
      gone INTEGER NOT NULL,
      class_id INTEGER NOT NULL,
      title_key TEXT NOT NULL,
      ${storedSchema}
      firmware_read_at INTEGER,
      own_verdict TEXT,
      folded TEXT,
      words TEXT NOT NULL
    );
    CREATE INDEX device_row_id ON device_row (organization_id, id, group_id, gone);
    CREATE INDEX device_row_group ON device_row (organization_id, group_id, gone, class_id, last_seen_at) WHERE group_id IS NOT NULL;
    CREATE INDEX device_row_title ON device_row (organization_id, gone, title_key, id, class_id, group_id, words);
    CREATE TABLE device_class (
      class_id INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      organization_id TEXT NOT NULL,
      status TEXT NOT NULL,
      status_words TEXT NOT NULL,
      product_id INTEGER,
      product_name TEXT,
      product_words TEXT,
      variant TEXT NOT NULL,
      firmware_version TEXT,
      firmware_key TEXT,
      service TEXT
    );
    CREATE INDEX device_class_of ON device_class (organization_id);
    CREATE VIRTUAL TABLE device_search USING fts5(words, content='', contentless_delete=1, tokenize='trigram', detail=none);
  `,
  rebuild(transaction, records) {
    for (const { rowId, organizationId, id, json, goneAt, listedAs } of records) {
      const reading = parseDevice(JSON.parse(json) as Json)
      if (reading.readable)
        writeDeviceRow(transaction, {
          rowId,
          organizationId,
          record: { ...reading.record, id },
          before: null,
          gone: goneAt !== null,
          ...(listedAs === undefined ? {} : { listedAs }),
        })
    }
  },
}

/**
 * The texts of a device's own record for the search box. As few as possible, because they are most of the
 * cost of a sync: products and rooms are few and searched separately, ids are compared as a whole, MAC
 * addresses are stored without separators.
 */
function searchTextOf(record: DeviceRecord): string {
  const { name, productName, serialNumber, computerName, userName, macAddress } = record
  return searchable([
    name === productName ? null : name,
    serialNumber,
    computerName,
    userName,
    macAddress === null ? null : normalizedMac(macAddress),
  ])
}

export interface DeviceWriting {
  readonly rowId: number
  readonly organizationId: string
  readonly record: DeviceRecord
  /** The record from which the row is derived until now; null: there is no row yet. */
  readonly before: DeviceRecord | null
  readonly gone: boolean
  /** The only client type under which the service listed it; null: none, or several. */
  readonly listedAs?: string | null
}

const ownColumns = [
  'row_id',
  'organization_id',
  'gone',
  'class_id',
  'title_key',
  'words',
  'own_verdict',
  'folded',
]
const allColumns = [...ownColumns, ...storedColumns]
const writeAll = `INSERT OR REPLACE INTO device_row (${allColumns.join(', ')}) VALUES (${allColumns.map(() => '?').join(', ')})`

/** The stored columns without an index. */
const inNoIndex = storedColumns.map((name) => !['id', 'group_id'].includes(name))
const updateOthers = `UPDATE device_row SET firmware_read_at = NULL, ${['own_verdict', 'folded', ...storedColumns.filter((_, index) => inNoIndex[index])].map((column) => `${column} = ?`).join(', ')} WHERE row_id = ? AND firmware_version IS ?`

export function writeDeviceRow(
  transaction: Transaction,
  { rowId, organizationId, record, before, gone, listedAs = null }: DeviceWriting,
): void {
  const words = searchTextOf(record)
  const stored = storedValues({ ...record, clientType: record.clientType ?? listedAs })
  const ownVerdict = serviceVerdict(record.firmwareStatus ?? null)
  const texts = foldedTexts(record)
  // Most records of a sync differ only in their time: if the indexed values are unchanged, the indexes are
  // not updated. A version that the device reported is also unchanged.
  const isTextSame = before !== null && searchTextOf(before) === words
  const areIndexesSame = isTextSame && sameInIndexes(before, record)
  const others = stored.filter((_, index) => inNoIndex[index])
  if (
    areIndexesSame &&
    transaction.run(updateOthers, [ownVerdict, texts, ...others, rowId, before.firmwareVersion]).changes === 1
  )
    setDeviceGone(transaction, rowId, gone)
  else {
    const verdict = ownVerdict ?? roomsVerdict(transaction, organizationId, record.id)
    const classId = classOf(transaction, organizationId, { ...record, verdict })
    transaction.run(writeAll, [
      rowId,
      organizationId,
      gone ? 1 : 0,
      classId,
      titleKey({ ...record, room: roomOf(transaction, organizationId, record) }),
      words,
      ownVerdict,
      texts,
      ...stored,
    ])
  }
  if (isTextSame) return
  if (before !== null) transaction.run('DELETE FROM device_search WHERE rowid = ?', [rowId])
  transaction.run('INSERT INTO device_search (rowid, words) VALUES (?, ?)', [rowId, words])
}

function indexedOf(record: DeviceRecord): string {
  const { name, groupId, status, productId, productName, variantType, firmwareVersion, firmwareStatus } =
    record
  return JSON.stringify([
    name,
    groupId,
    status,
    productId,
    productName,
    variantType,
    firmwareVersion,
    firmwareStatus,
  ])
}
const sameInIndexes = (a: DeviceRecord, b: DeviceRecord): boolean => indexedOf(a) === indexedOf(b)

/** The sort key of what lists show as a device's title. */
const titleKey = (device: DeviceIdentity): string => naturalKey(deviceTitle(device))

/** As `roomJoin`. */
function roomOf(
  transaction: Transaction,
  organizationId: string,
  { id, groupId }: DeviceRecord,
): { readonly name: string | null } {
  const row = transaction.first(
    `SELECT r.name FROM room_row r WHERE r.organization_id = ?1 AND r.id = COALESCE(
       (SELECT a.id FROM record_alias a WHERE a.organization_id = ?1 AND a.kind = 'room' AND a.alias = ?2),
       (SELECT m.room_id FROM room_member m WHERE m.organization_id = ?1 AND m.device_id = ?3))`,
    [organizationId, groupId, id],
  )
  return { name: textOrNull(row?.['name']) }
}

/** The rooms of these devices changed: what they are called. Unknown ids are ignored. */
export function writeTitles(
  transaction: Transaction,
  organizationId: string,
  of: { readonly groupIds: readonly string[]; readonly deviceIds: readonly string[] },
): void {
  const rowsWhere = (column: string, values: readonly string[]): readonly SqlRow[] =>
    values.flatMap((value) =>
      transaction.all(
        `SELECT d.title_key, ${planColumns} FROM ${planTables} WHERE d.organization_id = ? AND d.${column} = ?`,
        [organizationId, value],
      ),
    )
  for (const row of [...rowsWhere('group_id', of.groupIds), ...rowsWhere('id', of.deviceIds)]) {
    const key = titleKey(planDeviceOf(row))
    if (key !== row['title_key'])
      transaction.run('UPDATE device_row SET title_key = ? WHERE row_id = ?', [key, Number(row['row_id'])])
  }
}

/** Deletes classes without devices (including gone ones): after a sync, with one pass over the rows. */
export function pruneDeviceClasses(transaction: Transaction, organizationId: string): void {
  transaction.run(
    `DELETE FROM device_class WHERE organization_id = ?1 AND class_id NOT IN (SELECT d.class_id FROM device_row d WHERE d.organization_id = ?1)`,
    [organizationId],
  )
}

/** The class of a device, created for the first of its kind. */
function classOf(transaction: Transaction, organizationId: string, one: ClassOfDevice): number {
  const { status, productId, productName, firmwareVersion, verdict } = one
  const variant = variantKey(one.variantType)
  const key = JSON.stringify([
    organizationId,
    status,
    productId,
    productName,
    variant,
    firmwareVersion,
    verdict,
  ])
  const known = transaction.first('SELECT class_id FROM device_class WHERE key = ?', [key])
  if (known !== undefined) return Number(known['class_id'])
  return transaction.run(
    `INSERT INTO device_class (key, organization_id, status, status_words, product_id, product_name, product_words, variant, firmware_version, firmware_key, service)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      key,
      organizationId,
      status,
      searchable([status]),
      productId,
      productName,
      productName === null ? null : searchable([productName]),
      variant,
      firmwareVersion,
      firmwareVersion === null ? null : keyOfVersion(firmwareVersion),
      verdict,
    ],
  ).lastId
}

/** The common values of the devices of one class. */
interface ClassOfDevice {
  readonly status: string
  readonly productId: number | null
  readonly productName: string | null
  readonly variantType: string | null
  readonly firmwareVersion: string | null
  /** The service's own verdict. */
  readonly verdict: string | null
}

/** The verdict on a device's firmware in the record of its room. */
function roomsVerdict(transaction: Transaction, organizationId: string, deviceId: string): string | null {
  return textOrNull(
    transaction.first('SELECT verdict FROM room_member WHERE organization_id = ? AND device_id = ?', [
      organizationId,
      deviceId,
    ])?.['verdict'],
  )
}

/**
 * The record of a room states different values for these devices than before: they belong to another class.
 * Unknown device ids are ignored.
 */
export function writeVerdicts(
  transaction: Transaction,
  organizationId: string,
  deviceIds: readonly string[],
): void {
  for (const id of deviceIds) {
    const row = transaction.first(
      'SELECT row_id, status, product_id, product_name, variant_type, firmware_version, own_verdict FROM device_row WHERE organization_id = ? AND id = ?',
      [organizationId, id],
    )
    if (row === undefined) continue
    const classId = classOf(transaction, organizationId, {
      status: String(row['status']),
      productId: numberOrNull(row['product_id']),
      productName: textOrNull(row['product_name']),
      variantType: textOrNull(row['variant_type']),
      firmwareVersion: textOrNull(row['firmware_version']),
      verdict: textOrNull(row['own_verdict']) ?? roomsVerdict(transaction, organizationId, id),
    })
    transaction.run('UPDATE device_row SET class_id = ?1 WHERE row_id = ?2 AND class_id <> ?1', [
      classId,
      Number(row['row_id']),
    ])
  }
}

export const noFirmwareCounts = (): Record<FirmwareWord, number> => ({
  current: 0,
  behind: 0,
  ahead: 0,
  revoked: 0,
  unknown: 0,
})

/** The compliance of a class `c`: the catalogue's result `s`, else the service's own verdict. */
export const firmwareWord = (s: string, c: string): string =>
  `CASE WHEN COALESCE(${s}.word, 'unknown') <> 'unknown' THEN ${s}.word ELSE COALESCE(${c}.service, 'unknown') END`

/**
 * The join of the compliance of a class `c`, as `s`. `organization`: SQL that names the compliance results,
 * if they belong to a single run.
 */
export const complianceJoin = (s: string, c: string, organization = `${c}.organization_id`): string =>
  `LEFT JOIN firmware_standing ${s} ON ${s}.organization_id = ${organization} AND ${s}.product_id = ${c}.product_id AND ${s}.variant = ${c}.variant AND ${s}.firmware_version = COALESCE(${c}.firmware_version, '')`

/** Listed under another client type with an identical record. */
export function writeListedAs(
  transaction: Transaction,
  rowId: number,
  record: DeviceRecord,
  listedAs: string | null,
): void {
  transaction.run('UPDATE device_row SET client_type = ? WHERE row_id = ?', [
    record.clientType ?? listedAs,
    rowId,
  ])
}

export function setDeviceGone(transaction: Transaction, rowId: number, gone: boolean): void {
  transaction.run('UPDATE device_row SET gone = ?1 WHERE row_id = ?2 AND gone <> ?1', [gone ? 1 : 0, rowId])
}

/**
 * A device's room: the one its group id names, else the one whose record lists the device. Tables of the
 * rooms module.
 */
export const roomJoin = `
  LEFT JOIN record_alias a ON a.organization_id = d.organization_id AND a.kind = 'room' AND a.alias = d.group_id
  LEFT JOIN room_member m ON m.organization_id = d.organization_id AND m.device_id = d.id
  LEFT JOIN room_row r ON r.organization_id = d.organization_id AND r.id = COALESCE(a.id, m.room_id)`

export const rowColumns = `d.row_id, ${storedSelect},
  o.observed_at, d.firmware_read_at, o.gone_at, r.id AS room_id, r.name AS room_name, r.location AS room_location,
  s.word AS firmware_word, s.behind_by AS firmware_by, s.latest AS firmware_latest, s.why AS firmware_why, s.compared_with, s.approved, s.approved_version, e.service AS firmware_service,
  (SELECT json_group_array(k.name ORDER BY k.word) FROM device_mark k INDEXED BY device_mark_of
   WHERE k.organization_id = d.organization_id AND k.device_id = d.id AND k.kind = 'tag') AS tags,
  (SELECT k.name FROM device_mark k INDEXED BY device_mark_of
   WHERE k.organization_id = d.organization_id AND k.device_id = d.id AND k.kind = 'note') AS note`

/** What a plan needs of a device: its names, and what is compared. */
export type PlanDevice = DeviceIdentity &
  Pick<DeviceRow, 'status' | 'gone' | 'productId' | 'firmwareVersion' | 'variantType'>
export const planColumns =
  'd.row_id, d.id, d.name, d.user_name, d.product_name, d.serial_number, d.product_id, d.firmware_version, d.variant_type, d.status, d.gone, r.id AS room_id, r.name AS room_name'
export const planTables = `device_row d ${roomJoin}`
export const planDeviceOf = (row: SqlRow): PlanDevice => ({
  id: String(row['id']),
  name: textOrNull(row['name']),
  userName: textOrNull(row['user_name']),
  productName: textOrNull(row['product_name']),
  serialNumber: textOrNull(row['serial_number']),
  room: row['room_id'] === null ? null : { name: textOrNull(row['room_name']) },
  status: String(row['status']),
  gone: row['gone'] !== 0,
  productId: numberOrNull(row['product_id']),
  firmwareVersion: textOrNull(row['firmware_version']),
  variantType: textOrNull(row['variant_type']),
})

/**
 * `judged`: the name of compliance results of a single run (firmware/compliance.ts), of letters, digits,
 * dashes and a blank; empty: the organization's.
 */
export const rowTables = (
  judged: string,
): string => `device_row d JOIN raw_record o ON o.row_id = d.row_id ${roomJoin}
  LEFT JOIN device_class e ON e.class_id = d.class_id
  ${complianceJoin('s', 'e', `d.organization_id${judged === '' ? '' : ` || '${judged}'`}`)}`

function firmwareOf(row: SqlRow): DeviceRow['firmware'] {
  const catalogue = (textOrNull(row['firmware_word']) ?? 'unknown') as FirmwareWord
  const verdict = textOrNull(row['firmware_service']) as ServiceVerdict | null
  const role = roleOf(catalogue, verdict)
  return {
    word: role === 'decides' && verdict !== null ? verdict : catalogue,
    by: numberOrNull(row['firmware_by']),
    latest: textOrNull(row['firmware_latest']),
    why: role === 'decides' ? null : (noLatestOfSome.find((why) => why === row['firmware_why']) ?? null),
    ...(role === null ? {} : { service: role }),
    ...(typeof row['compared_with'] === 'string' ? { comparedWith: row['compared_with'] } : {}),
    ...approvedOf(row),
  }
}

function approvedOf(row: SqlRow): Pick<DeviceRow['firmware'], 'approved'> {
  const word = approvedValues.find((one) => one === row['approved']) ?? 'none'
  return word === 'none' ? {} : { approved: { word, version: textOrNull(row['approved_version']) } }
}

export function deviceRowOf(row: SqlRow): DeviceRow {
  const roomId = textOrNull(row['room_id'])
  return {
    ...storedOf(row),
    firmware: firmwareOf(row),
    observedAt: Number(row['observed_at']),
    firmwareReadAt: numberOrNull(row['firmware_read_at']),
    gone: row['gone_at'] !== null,
    goneAt: numberOrNull(row['gone_at']),
    room:
      roomId === null
        ? null
        : { id: roomId, name: textOrNull(row['room_name']), location: textOrNull(row['room_location']) },
    tags: JSON.parse(textOrNull(row['tags']) ?? '[]') as string[],
    ...(typeof row['note'] === 'string' ? { note: row['note'] } : {}),
  }
}

/**
 * The version that a device itself reported, and when: with its own age. Its record stays as received and
 * does not become newer; the next record that differs replaces it, with a change. The service's verdict on
 * another version no longer counts.
 */
export const writeReportedVersion: Procedure<
  { readonly organizationId: string; readonly id: string; readonly version: string; readonly at: number },
  void
> = {
  name: 'devices.write-reported-version',
  shared: true,
  run(transaction, { organizationId, id, version, at }) {
    const row = transaction.first(
      'SELECT row_id, status, product_id, product_name, variant_type, firmware_version FROM device_row WHERE organization_id = ? AND id = ?',
      [organizationId, id],
    )
    if (row === undefined) return
    const rowId = Number(row['row_id'])
    transaction.run('UPDATE device_row SET firmware_read_at = ? WHERE row_id = ?', [at, rowId])
    if (row['firmware_version'] === version) return
    const classId = classOf(transaction, organizationId, {
      status: String(row['status']),
      productId: numberOrNull(row['product_id']),
      productName: textOrNull(row['product_name']),
      variantType: textOrNull(row['variant_type']),
      firmwareVersion: version,
      verdict: null,
    })
    transaction.run(
      'UPDATE device_row SET class_id = ?, firmware_version = ?, firmware_version_key = ? WHERE row_id = ?',
      [classId, version, keyOfVersion(version), rowId],
    )
  },
}
