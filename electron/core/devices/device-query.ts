import type { FilterComparison, FilterTerm } from '../../contract/filter/filter.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import { deviceVocabulary } from '../../contract/filter/vocabularies.ts'
import {
  clientTypeValues,
  deviceFields,
  firmwareServiceValues,
  complianceValues,
  type DeviceSortColumn,
} from '../../contract/fields/device.ts'
import { allOf, anyOf, condition, isNotTrue, type Condition } from '../lists/condition.ts'
import { like, termsCondition, versionCondition, type SqlList, type SqlPlace } from '../lists/sql-filter.ts'
import { freeWord, widerWords, inRoom, narrowed, ofClass } from './text-conditions.ts'
import { normalizedMac, storedPlaces, storedOrders, type StoredKey } from './stored-columns.ts'
import type { DeviceSort } from '../../contract/api/devices.ts'
import { orderQuery, type SqlOrder } from '../lists/sql-order.ts'
import { firmwareWord, roomJoin, complianceJoin } from './device-rows.ts'

/** The data a filter is evaluated against. */
export interface QueryContext {
  readonly organizationId: string
  /** The name of the compliance results to use: the id of the organization, or of a single run. */
  readonly complianceOwner: string
  /** Epoch milliseconds; ages are relative to this. */
  readonly now: number
  /** Whether any device is in a room only by the room's record, because its group id names none. */
  readonly hasRoomByRecord: boolean
}

/** Throws Failed `invalid`, field `where`, naming the part that is not understood. */
export const deviceTerms = (where: string): readonly FilterTerm[] => termsIn(where, deviceVocabulary)

/**
 * Rows of the organization that match every term. Without `gone` in the filter, gone devices are excluded.
 */
export function filterCondition(context: QueryContext, terms: readonly FilterTerm[]): Condition {
  const own = condition('d.organization_id = ?', context.organizationId)
  const there = terms.some(({ key }) => key === 'gone') ? [] : [condition('d.gone = 0')]
  return allOf([own, ...there, termsCondition(deviceList(context), terms)])
}

/**
 * The last free word, and the terms with a prefix of it instead. They match every row that the full word
 * matches: the narrowest first.
 */
export function widerTerms(
  terms: readonly FilterTerm[],
): readonly { readonly term: FilterTerm; readonly others: readonly FilterTerm[] }[] {
  const index = terms.findLastIndex(({ key, negated }) => key === null && !negated)
  const term = terms[index]
  if (term === undefined) return []
  return widerWords(term.values[0] ?? '').map((word) => ({
    term,
    others: terms.with(index, { ...term, values: [word] }),
  }))
}

/** A text that is part of the row's search text, so that the full-text index narrows the search. */
const searched = (key: StoredKey): SqlPlace & { readonly known: string } => ({
  ...storedPlaces[key],
  narrow: narrowed,
})

/** Stored fields, unless defined differently below. */
export const rowPlaces = {
  ...storedPlaces,
  serialNumber: searched('serialNumber'),
  userName: searched('userName'),
  computerName: searched('computerName'),
}

/** The SQL of each token: `d` is the row, `c` its class, `y` its room. */
export function deviceList(context: QueryContext): SqlList<typeof deviceFields> {
  const { organizationId, complianceOwner, now } = context
  const within = (holds: Condition): Condition => ofClass(organizationId, holds)
  const room = (holds: Condition): Condition => inRoom(context, holds)
  return {
    fields: deviceFields,
    now,
    freeWord: (word) => freeWord(context, word),
    tokens: {
      ...rowPlaces,
      userOrRoom: ({ text: typed, whole }) =>
        anyOf([
          like(rowPlaces.userName.by, typed, whole),
          room(like(roomName, typed, whole)),
          like(rowPlaces.name.by, typed, whole),
        ]),
      status: { by: 'c.status_words', within },
      productName: { by: 'c.product_words', within },
      productId: { by: 'c.product_id', within },
      firmwareVersion: ({ comparison, value }) =>
        within(firmwareCondition(complianceOwner, comparison, value)),
      approved: ({ value }) => within(approvedCondition(complianceOwner, value.toLowerCase())),
      clientType: ({ value }) =>
        value === ''
          ? condition('d.client_type IS NULL')
          : condition('d.client_type = ? COLLATE NOCASE', clientTypeNamed(value)),
      macAddress: ({ value, text: typed, whole }) => {
        const bare = normalizedMac(typed)
        if (value === '') return condition('d.mac_address IS NULL')
        if (bare === '') return condition('0')
        return allOf([narrowed(bare) ?? condition('1'), like('d.mac_address_key', bare, whole)])
      },
      // A room without a known name is still a room.
      roomName: ({ value, text: typed, whole }) =>
        value === '' ? isNotTrue(room(condition('1'))) : room(like(roomName, typed, whole)),
      location: ({ value, text: typed, whole }) =>
        value === ''
          ? isNotTrue(room(condition('y.location IS NOT NULL')))
          : room(like(roomLocation, typed, whole)),
      tags: ({ value, text: typed }) =>
        value === ''
          ? isNotTrue(marked(organizationId, 'tag'))
          : marked(organizationId, 'tag', isWord(typed)),
      lists: ({ text: typed }) => marked(organizationId, 'list', isWord(typed)),
      note: ({ value, text: typed, whole }) =>
        value === ''
          ? isNotTrue(marked(organizationId, 'note'))
          : marked(organizationId, 'note', like('k.word', typed, whole)),
      observedAt: { by: '(SELECT o.observed_at FROM raw_record o WHERE o.row_id = d.row_id)' },
      goneAt: ({ value }) =>
        ({ no: condition('d.gone = 0'), yes: condition('d.gone = 1') })[value.toLowerCase()] ??
        condition('1'),
    },
  }
}

/** `meeting-room` is `MeetingRoom`. */
const clientTypeNamed = (value: string): string =>
  clientTypeValues.find((word) => word.toLowerCase() === value.toLowerCase().replaceAll(/[\s_-]/g, '')) ??
  value

/**
 * The first line of a room's search text, and the next one: its name and its location, folded, if the record
 * states them.
 */
const firstLine = (text: string): string => `substr(${text}, 1, instr(${text} || char(10), char(10)) - 1)`
export const roomName = `(CASE WHEN y.name IS NOT NULL THEN ${firstLine('y.words')} END)`
const afterName =
  '(CASE WHEN y.name IS NULL THEN y.words ELSE substr(y.words, instr(y.words, char(10)) + 1) END)'
export const roomLocation = `(CASE WHEN y.location IS NOT NULL THEN ${firstLine(afterName)} END)`

/** `holds` of a mark `k`; missing: any. */
const marked = (
  organizationId: string,
  kind: 'tag' | 'list' | 'note',
  holds: Condition = condition('1'),
): Condition =>
  condition(
    `d.id IN (SELECT k.device_id FROM device_mark k WHERE k.organization_id = ? AND k.kind = ? AND ${holds.sql})`,
    organizationId,
    kind,
    ...holds.parameters,
  )
const isWord = (typed: string): Condition => condition('k.word = ?', typed.trim())

/** For a class `c`: its compliance is this. The parameter names the compliance results. */
const standsWhere = (sql: string): string =>
  `(c.product_id, c.variant, COALESCE(c.firmware_version, '')) IN (SELECT s.product_id, s.variant, s.firmware_version FROM firmware_standing s WHERE s.organization_id = ? AND ${sql})`

/** For a class `c`. Without a compliance result no version is approved. */
const approvedCondition = (complianceOwner: string, word: string): Condition =>
  word === 'none'
    ? isNotTrue(condition(standsWhere(`s.approved <> 'none'`), complianceOwner))
    : condition(standsWhere('s.approved = ?'), complianceOwner, word)

/**
 * For a class `c`: a version, or its compliance from the catalogue, else from the service's verdict; without
 * either it is unknown.
 */
function firmwareCondition(complianceOwner: string, comparison: FilterComparison, value: string): Condition {
  const word = value.toLowerCase()
  if (![...complianceValues, ...firmwareServiceValues].some((one) => one === word))
    return versionCondition('c.firmware_key', comparison, value)
  const compared = condition(standsWhere(`s.word <> 'unknown'`), complianceOwner)
  const saidBehind = condition(standsWhere(`s.word IN ('behind', 'revoked')`), complianceOwner)
  switch (word) {
    case 'unknown':
      return allOf([isNotTrue(compared), condition('c.service IS NULL')])
    case 'by-service':
      return allOf([isNotTrue(compared), condition('c.service IS NOT NULL')])
    case 'contradicted':
      return allOf([
        compared,
        anyOf([
          allOf([saidBehind, condition(`c.service = 'current'`)]),
          allOf([isNotTrue(saidBehind), condition(`c.service = 'behind'`)]),
        ]),
      ])
    default:
      return anyOf([
        condition(standsWhere('s.word = ?'), complianceOwner, word),
        allOf([isNotTrue(compared), condition('c.service = ?', word)]),
      ])
  }
}

/**
 * Devices that call for work come first: revoked, then the most releases behind. Devices without a result
 * come last.
 */
const complianceRank = `CASE ${firmwareWord('f', 'e')} WHEN 'revoked' THEN 0 WHEN 'behind' THEN 1000000 - min(COALESCE(f.behind_by, 0), 999999)
  WHEN 'ahead' THEN 2000000 WHEN 'current' THEN 3000000 END`

/** The source of the compliance: disputed ones first, then the service, then the catalogue. */
const whoseWord = `CASE WHEN COALESCE(f.word, 'unknown') = 'unknown' THEN CASE WHEN e.service IS NOT NULL THEN 1 END
  WHEN e.service = CASE WHEN f.word IN ('behind', 'revoked') THEN 'current' ELSE 'behind' END THEN 0 ELSE 2 END`

const joinedRoom = { sql: roomJoin }
const joinedRecord = { sql: 'LEFT JOIN raw_record o ON o.row_id = d.row_id' }
const joinedClass = { sql: 'LEFT JOIN device_class c ON c.class_id = d.class_id' }

const orders = (complianceOwner: string): Readonly<Record<DeviceSortColumn, SqlOrder>> => {
  // Through the class: one lookup for each row, in two small tables, regardless of the planner's estimates.
  const withCompliance = {
    sql: `LEFT JOIN device_class e ON e.class_id = d.class_id ${complianceJoin('f', 'e', '?')}`,
    parameters: [complianceOwner],
  }
  return {
    ...storedOrders,
    // Of `deviceTitle`.
    userOrRoom: { by: 'd.title_key', always: true },
    productName: { by: 'c.product_words', join: joinedClass },
    firmware: { by: complianceRank, join: withCompliance },
    firmwareService: { by: whoseWord, join: withCompliance },
    behindBy: { by: 'f.behind_by', join: withCompliance },
    approved: { by: `NULLIF(f.approved, 'none')`, join: withCompliance },
    status: { by: 'c.status_words', join: joinedClass, always: true },
    roomName: { by: 'r.name_key', join: joinedRoom },
    location: { by: 'r.location_key', join: joinedRoom },
    observedAt: { by: 'o.observed_at', join: joinedRecord, always: true },
    // In the order of the index.
    id: { by: 'd.id', always: true },
    goneAt: { by: 'o.gone_at', join: joinedRecord },
    tags: {
      by: `(SELECT group_concat(k.word, char(10) ORDER BY k.word) FROM device_mark k INDEXED BY device_mark_of
      WHERE k.organization_id = d.organization_id AND k.device_id = d.id AND k.kind = 'tag')`,
    },
    note: {
      by: `(SELECT k.word FROM device_mark k INDEXED BY device_mark_of
      WHERE k.organization_id = d.organization_id AND k.device_id = d.id AND k.kind = 'note')`,
    },
  }
}

/**
 * The row ids of all matching rows, sorted; ties in natural order of the title, then by id. `complianceOwner`:
 * which compliance results to use.
 */
export function deviceOrder(complianceOwner: string, where: Condition, sort: DeviceSort): Condition {
  const byTitle = sort.find(({ column }) => column === 'userOrRoom')
  const ties = [
    ...(byTitle === undefined ? ['d.title_key ASC'] : []),
    ...(sort.some(({ column }) => column === 'id')
      ? []
      : [`d.id ${byTitle?.descending === true ? 'DESC' : 'ASC'}`]),
  ]
  return orderQuery('SELECT d.row_id FROM device_row d', orders(complianceOwner), { where, sort, ties })
}
