import { serviceVerdict } from '../../contract/firmware-verdict.ts'
import type { Json, JsonObject } from '../../contract/json.ts'
import { placeMoves, recordChanges, type ChangeDraft } from '../changes/changes.ts'
import {
  setDeviceGone,
  writeDeviceRow,
  writeListedAs,
  writeTitles,
  writeVerdicts,
} from '../devices/devices.ts'
import type { SqlRow, Transaction } from '../platform.ts'
import { parseDevice, parseRoom, type DeviceRecord, type RoomRecord } from '../management/management.ts'
import { hasItsDevices, setRoomGone, writeRoomRow } from '../rooms/rooms.ts'
import { withoutSettingValues } from '../settings/settings.ts'
import { idKey, storedDeviceId } from '../storage/record-ids.ts'
import type { RecordKind } from '../storage/store.ts'
import {
  deviceChanges,
  lastKnown,
  placesOf,
  roomBeforeSync,
  roomChanges,
  valuesOfDevice,
  valuesOfRoom,
} from './compared-record.ts'

/** The sync and organization that write. */
export interface SyncOrigin {
  readonly organizationId: string
  /** The number of the sync report; greater for a later sync. */
  readonly syncId: number
  readonly startedAt: number
  /** True after an earlier complete sync: only then is a new record a change. */
  readonly known: boolean
  /** True for a single-record refresh, which overrides what the last sync stored. */
  readonly alone?: boolean
}

interface StoredRecord {
  readonly rowId: number
  /** As it was spelt first. */
  readonly id: string
  /** As the service spelt it last. */
  readonly sentId: string
  readonly json: string
  readonly goneAt: number | null
  readonly syncId: number
  readonly listedAs: string | null
}

export interface Written {
  /** null: unreadable, and nothing was written. */
  readonly id: string | null
  /** Why it is unreadable; null: it is readable. */
  readonly why: string | null
  /** The group id in a room's record. */
  readonly groupId: string | null
  /** Readable, and new in this sync. */
  readonly fresh: boolean
}

/** Listed under several client types: none of them identifies the device. */
const several = ''

/**
 * Writes one record: raw record, rows and changes. `listedAs`: the client type under which a device was
 * listed; null: all types were requested.
 */
export function writeRecord(
  transaction: Transaction,
  origin: SyncOrigin,
  kind: RecordKind,
  received: Json,
  receivedAt: number,
  listedAs: string | null = null,
): Written {
  const item = withoutSettingValues(received)
  const reading = kind === 'device' ? parseDevice(item) : parseRoom(item)
  if (!reading.readable) return { id: null, why: reading.why, groupId: null, fresh: false }
  const json = JSON.stringify(item)
  const { groupId } = reading.record
  const sentId = reading.record.id
  const previous = stored(transaction, origin, kind, sentId)
  const id = previous?.id ?? sentId
  const read = { kind, record: { ...reading.record, id }, sentId, json, receivedAt, listedAs }
  if (previous === null) insert(transaction, origin, read)
  else update(transaction, origin, read, previous)
  return { id, why: null, groupId, fresh: previous?.syncId !== origin.syncId }
}

/**
 * The stored record with this id, in any case: with the same spelling, else one that this sync has not listed.
 * Two records of one sync whose ids differ in case only are two.
 */
function stored(
  transaction: Transaction,
  origin: SyncOrigin,
  kind: RecordKind,
  id: string,
): StoredRecord | null {
  const { organizationId, syncId } = origin
  const rows = transaction
    .all(
      'SELECT r.row_id, r.id, r.sent_id, r.observed_at, r.gone_at, r.sync_id, r.listed_as, j.json FROM raw_record r JOIN raw_json j USING (row_id) WHERE r.organization_id = ? AND r.kind = ? AND r.id_key = ?',
      [organizationId, kind, idKey(id)],
    )
    .map((row) => ({
      rowId: Number(row['row_id']),
      id: String(row['id']),
      sentId: String(row['sent_id'] ?? row['id']),
      json: String(row['json']),
      observedAt: Number(row['observed_at']),
      goneAt: row['gone_at'] === null ? null : Number(row['gone_at']),
      syncId: Number(row['sync_id']),
      listedAs: typeof row['listed_as'] === 'string' ? row['listed_as'] : null,
    }))
  const same = rows.find(({ sentId }) => sentId === id)
  if (same !== undefined) return same
  const first = rows.find((row) => row.id === id)
  const isFree = (row: StoredRecord): boolean => origin.alone === true || row.syncId !== syncId
  if (first === undefined || isFree(first)) return first ?? rows.find(isFree) ?? null
  // Another record of this sync took its place, because it came first: it gets a row of its own.
  const reading =
    kind === 'device'
      ? parseDevice(JSON.parse(first.json) as Json)
      : parseRoom(JSON.parse(first.json) as Json)
  if (reading.readable)
    insert(transaction, origin, { ...first, kind, record: reading.record, receivedAt: first.observedAt })
  return first
}

interface ReceivedRecord {
  readonly kind: RecordKind
  readonly record: DeviceRecord | RoomRecord
  readonly sentId: string
  readonly json: string
  readonly receivedAt: number
  readonly listedAs: string | null
}

function insert(
  transaction: Transaction,
  origin: SyncOrigin,
  { kind, record, json, receivedAt, listedAs }: ReceivedRecord,
): void {
  const { organizationId, syncId } = origin
  const { lastId: rowId } = transaction.run(
    'INSERT INTO raw_record (organization_id, kind, id, id_key, observed_at, sync_id, listed_as) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [organizationId, kind, record.id, idKey(record.id), receivedAt, syncId, listedAs],
  )
  transaction.run('INSERT INTO raw_json (row_id, json) VALUES (?, ?)', [rowId, json])
  if (isDevice(kind, record))
    writeDeviceRow(transaction, { rowId, organizationId, record, before: null, gone: false, listedAs })
  else writeRoom(transaction, origin, { rowId, record, before: null, receivedAt })
  if (origin.known)
    note(transaction, origin, kind, record, [{ kind: 'appeared', before: null, after: null }], receivedAt)
}

function update(
  transaction: Transaction,
  origin: SyncOrigin,
  { kind, record, sentId, json, receivedAt, listedAs: requested }: ReceivedRecord,
  before: StoredRecord,
): void {
  const { organizationId } = origin
  const { rowId, id } = before
  // A room read alone may have been requested before the sync that listed it: the later one wins. An
  // unfiltered list says nothing about the type: the known type remains.
  const listedAs =
    requested === null
      ? before.listedAs
      : before.syncId === origin.syncId && before.listedAs !== null && before.listedAs !== requested
        ? several
        : requested
  transaction.run(
    'UPDATE raw_record SET observed_at = ?, sync_id = max(sync_id, ?), gone_at = NULL, listed_as = ?, sent_id = ? WHERE row_id = ?',
    [receivedAt, origin.syncId, listedAs, sentId === record.id ? null : sentId, rowId],
  )
  // One room under two group ids is listed twice (services.md#B41): of the records of one sync the record
  // with more content is stored.
  if (
    kind === 'room' &&
    !origin.alone &&
    before.syncId === origin.syncId &&
    memberCountIn(json) < memberCountIn(before.json)
  )
    return
  const drafts: ChangeDraft[] =
    before.goneAt === null ? [] : [{ kind: 'came-back', before: null, after: null }]
  // A single-room refresh is written even if the JSON is unchanged, so that device states get a new
  // timestamp, and so is a room some of whose devices another room has listed meanwhile.
  const isUnchanged = json === before.json && !origin.alone
  if (isUnchanged && (isDevice(kind, record) || hasItsDevices(transaction, organizationId, record))) {
    if (before.goneAt !== null) (kind === 'device' ? setDeviceGone : setRoomGone)(transaction, rowId, false)
    if (isDevice(kind, record) && listedAs !== before.listedAs)
      writeListedAs(transaction, rowId, record, listedAs || null)
  } else {
    transaction.run('UPDATE raw_json SET json = ? WHERE row_id = ?', [json, rowId])
    const old = JSON.parse(before.json) as Json
    if (isDevice(kind, record)) {
      const reading = parseDevice(old)
      const was = reading.readable ? reading.record : null
      if (was) {
        const compared = { kind, id, before: valuesOfDevice(was), after: valuesOfDevice(record) }
        const known = { ...was, ...lastKnown(transaction, organizationId, compared) }
        drafts.push(...deviceChanges(known, record, placesOf(transaction, organizationId, was, record)))
      }
      writeDeviceRow(transaction, {
        rowId,
        organizationId,
        record,
        before: was,
        gone: false,
        listedAs: listedAs || null,
      })
    } else {
      const reading = parseRoom(old)
      if (reading.readable) {
        const compared = { kind, id, before: valuesOfRoom(reading.record), after: valuesOfRoom(record) }
        const known = { ...reading.record, ...lastKnown(transaction, organizationId, compared) }
        const isSecond =
          !origin.alone && before.syncId === origin.syncId && reading.record.groupId !== record.groupId
        const was = isSecond ? roomBeforeSync(transaction, origin, [known, record]) : known
        if (was) drafts.push(...roomChanges(was, record))
      }
      writeRoom(transaction, origin, {
        rowId,
        record,
        before: reading.readable ? reading.record : null,
        receivedAt,
        isUnchanged,
      })
    }
  }
  note(transaction, origin, kind, record, drafts, receivedAt)
}

/** The row of a room, and what its record says of its devices: their firmware, and their title. */
function writeRoom(
  transaction: Transaction,
  origin: SyncOrigin,
  {
    rowId,
    record,
    before,
    receivedAt,
    isUnchanged = false,
  }: {
    rowId: number
    record: RoomRecord
    before: RoomRecord | null
    receivedAt: number
    isUnchanged?: boolean
  },
): void {
  const { organizationId } = origin
  writeRoomRow(transaction, {
    rowId,
    organizationId,
    record,
    gone: false,
    reportedAt: reportedAt(origin, receivedAt),
  })
  const [was, is] = [before, record].map(
    (room) => new Map(room?.devices?.map(({ id, firmwareStatus }) => [id, serviceVerdict(firmwareStatus)])),
  )
  const ids = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])
  const storedIds = (differs: (id: string) => boolean): readonly string[] =>
    [...ids].filter(differs).map((id) => storedDeviceId(transaction, organizationId, id))
  writeVerdicts(
    transaction,
    organizationId,
    // If it is unchanged, another room has stated those of some devices meanwhile.
    storedIds((id) => isUnchanged || (was?.get(id) ?? null) !== (is?.get(id) ?? null)),
  )
  writeTitles(transaction, organizationId, {
    groupIds: before?.name === record.name ? [] : groupIdsOf(transaction, organizationId, record.id),
    // Also of those that this room had before: another room may have listed them meanwhile.
    deviceIds: storedIds(() => true),
  })
}

const groupIdsOf = (transaction: Transaction, organizationId: string, roomId: string): readonly string[] =>
  transaction
    .all(`SELECT alias FROM record_alias WHERE organization_id = ? AND kind = 'room' AND id = ?`, [
      organizationId,
      roomId,
    ])
    .map(({ alias }) => String(alias))

/** The amount of content: the number of members with a value. */
export const memberCountOf = (record: JsonObject): number =>
  Object.values(record).filter((value) => value !== null && value !== '').length

const memberCountIn = (json: string): number => memberCountOf(JSON.parse(json) as JsonObject)

const reportedAt = (origin: SyncOrigin, receivedAt: number): number | null =>
  origin.alone ? receivedAt : null

function isDevice(kind: RecordKind, _record: DeviceRecord | RoomRecord): _record is DeviceRecord {
  return kind === 'device'
}

function note(
  transaction: Transaction,
  origin: SyncOrigin,
  kind: RecordKind,
  record: DeviceRecord | RoomRecord,
  drafts: readonly ChangeDraft[],
  at: number,
): void {
  if (drafts.length === 0) return
  recordChanges(
    transaction,
    { organizationId: origin.organizationId, of: kind, id: record.id, name: record.name ?? record.id },
    drafts,
    at,
  )
}

/** Records which room a group id names; null: none. Two group ids may name one room. */
export function writeAlias(
  transaction: Transaction,
  { organizationId, startedAt, known }: SyncOrigin,
  groupId: string,
  roomId: string | null,
  at: number,
): void {
  const before = transaction.first(
    `SELECT id FROM record_alias WHERE organization_id = ? AND kind = 'room' AND alias = ?`,
    [organizationId, groupId],
  )
  transaction.run(
    'INSERT OR REPLACE INTO record_alias (organization_id, kind, alias, id, observed_at) VALUES (?, ?, ?, ?, ?)',
    [organizationId, 'room', groupId, roomId, at],
  )
  if ((before?.['id'] ?? null) === roomId) return
  writeTitles(transaction, organizationId, { groupIds: [groupId], deviceIds: [] })
  // Devices may come before the rooms that they are in.
  if (known && roomId !== null) placeMoves(transaction, organizationId, { groupId, roomId, since: startedAt })
}

/** The records that are not gone and that this sync has not seen. */
export function unlisted(transaction: Transaction, origin: SyncOrigin, kind: RecordKind): SqlRow[] {
  return transaction.all(
    `SELECT r.row_id, r.id, r.not_listed_since, ${kind === 'device' ? 'd.name' : 'COALESCE(d.name, d.id) AS name'} FROM raw_record r NOT INDEXED JOIN ${kind === 'device' ? 'device_row' : 'room_row'} d USING (row_id)
     WHERE r.organization_id = ? AND r.kind = ? AND r.gone_at IS NULL AND r.sync_id < ?`,
    [origin.organizationId, kind, origin.syncId],
  )
}

/** Marks rows of `unlisted` as gone, with their changes. */
export function markGone(
  transaction: Transaction,
  organizationId: string,
  kind: RecordKind,
  rows: readonly SqlRow[],
  at: number,
): void {
  for (const row of rows) goneNow(transaction, organizationId, kind, row, at)
}

function goneNow(
  transaction: Transaction,
  organizationId: string,
  kind: RecordKind,
  row: SqlRow,
  at: number,
): void {
  const rowId = Number(row['row_id'])
  transaction.run('UPDATE raw_record SET gone_at = ? WHERE row_id = ?', [at, rowId])
  if (kind === 'device') setDeviceGone(transaction, rowId, true)
  else setRoomGone(transaction, rowId, true)
  recordChanges(
    transaction,
    { organizationId, of: kind, id: String(row['id']), name: String(row['name']) },
    [{ kind: 'gone', before: null, after: null }],
    at,
  )
}

/** Marks one room that the service no longer knows. A room that is already gone keeps its date. */
export function markRoomGone(transaction: Transaction, organizationId: string, id: string, at: number): void {
  const row = transaction.first(
    `SELECT r.row_id, r.id, COALESCE(d.name, d.id) AS name FROM raw_record r JOIN room_row d USING (row_id)
     WHERE r.organization_id = ? AND r.kind = 'room' AND r.id = ? AND r.gone_at IS NULL`,
    [organizationId, id],
  )
  if (row) goneNow(transaction, organizationId, 'room', row, at)
}
