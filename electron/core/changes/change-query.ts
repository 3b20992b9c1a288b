import type { FilterTerm } from '../../contract/filter/filter.ts'
import { changeFields, type ChangeSortColumn } from '../../contract/fields/change.ts'
import type { ChangeSort, SeenChanges } from '../../contract/api/changes.ts'
import { allOf, anyOf, condition, isNotTrue, type Condition } from '../lists/condition.ts'
import { like, termsCondition, type SqlList, type SqlPlace } from '../lists/sql-filter.ts'
import { orderQuery, type SqlOrder } from '../lists/sql-order.ts'
import type { Database } from '../platform.ts'
import { kindsByWork } from './change-groups.ts'
import { besideChange } from './change-rows.ts'
import { isOwn, type OwnChanges } from './own-writes.ts'
import { comparable } from '../storage/search-text.ts'

/** The data a filter is evaluated against. */
export interface QueryContext {
  readonly organizationId: string
  /** Epoch milliseconds; ages are relative to this. */
  readonly now: number
  /** Earliest moment, inclusive; null: all that are stored. */
  readonly from: number | null
  /** What is left out as seen; null: nothing. */
  readonly seen: SeenChanges | null
  /** The changes that followed our own writes since then; null: no term needs them. */
  readonly own: OwnChanges | null
}

/**
 * Changes `c` of the organization since then that match every term. Rooms are few, so rooms in a term are
 * looked up first.
 */
export async function changeCondition(
  database: Database,
  context: QueryContext,
  terms: readonly FilterTerm[],
): Promise<Condition> {
  const { organizationId, from, seen } = context
  const rooms = terms.some(({ key }) => key === 'room') ? await roomsOf(database, organizationId) : []
  return allOf([
    condition('c.organization_id = ?', organizationId),
    ...(from === null ? [] : [condition('c.observed_at >= ?', from)]),
    isUnseen(seen),
    termsCondition(changeList(context, rooms), terms),
  ])
}

export const isUnseen = (seen: SeenChanges | null): Condition =>
  seen === null ? condition('1') : condition('(c.id > ? OR c.observed_at > ?)', seen.id, seen.at)

interface KnownRoom {
  readonly id: string
  /** In the form used for comparison. */
  readonly name: string | null
}

async function roomsOf(database: Database, organizationId: string): Promise<readonly KnownRoom[]> {
  const rows = await database.query('SELECT id, name FROM room_row WHERE organization_id = ?', [
    organizationId,
  ])
  return rows.map((row) => ({
    id: String(row['id']),
    name: typeof row['name'] === 'string' ? comparable(row['name']) : null,
  }))
}

const texts = {
  subjectName: text('name', 'subject_name'),
  before: text('before', 'before'),
  after: text('after', 'after'),
}
function text(folded: string, column: string): SqlPlace {
  return { by: `COALESCE(c.${folded}_folded, c.${column})`, known: `c.${column}` }
}

function changeList(
  { organizationId, now, own }: QueryContext,
  rooms: readonly KnownRoom[],
): SqlList<typeof changeFields> {
  return {
    fields: changeFields,
    now,
    freeWord: (word) =>
      anyOf([
        ...Object.values(texts).map(({ by }) => like(by, word, false)),
        product(organizationId, word, false),
        ownCondition(organizationId, word),
      ]),
    tokens: {
      ...texts,
      observedAt: { by: 'c.observed_at' },
      of: { by: 'c.subject' },
      kind: { by: 'c.kind' },
      subjectId: { by: 'c.subject_id' },
      productName: ({ text: typed, whole }) =>
        typed === '' ? isNotTrue(product(organizationId, '', false)) : product(organizationId, typed, whole),
      roomName: ({ text: typed, whole }) => {
        const fits = (name: string | null): boolean =>
          typed === '' || (name !== null && (whole ? name === typed : name.includes(typed)))
        const ids = rooms.filter(({ name }) => fits(name)).map(({ id }) => id)
        const inAny = inRooms(organizationId, JSON.stringify(ids))
        return typed === '' ? isNotTrue(inAny) : inAny
      },
      own: ({ value }) => isOwn(own?.keys() ?? [], value.toLowerCase() === 'yes'),
      tags: ({ text: typed }) => {
        const tagged = `c.subject = 'device' AND c.subject_id IN (SELECT k.device_id FROM device_mark k WHERE k.organization_id = ? AND k.kind = 'tag'`
        return typed === ''
          ? isNotTrue(condition(`(${tagged}))`, organizationId))
          : condition(`(${tagged} AND k.word = ?))`, organizationId, typed.trim())
      },
    },
  }
}

const known = { sql: besideChange }
const orders: Readonly<Record<ChangeSortColumn, SqlOrder>> = {
  observedAt: { by: 'c.observed_at', always: true },
  of: { by: 'c.subject' },
  kind: {
    by: `CASE c.kind ${kindsByWork.map((kind, index) => `WHEN '${kind}' THEN ${index}`).join(' ')} END`,
  },
  // The name of its subject, in natural order: from its current room or user, or its name at that time.
  subjectName: {
    by: `COALESCE(CASE c.subject WHEN 'device' THEN COALESCE(r.name_key, d.user_name_key) END,
      CASE c.subject_name WHEN d.name THEN d.name_key WHEN r.name THEN r.name_key ELSE COALESCE(c.name_folded, lower(c.subject_name)) END)`,
    join: known,
  },
  before: { by: `${texts.before.by} COLLATE NOCASE` },
  after: { by: `${texts.after.by} COLLATE NOCASE` },
  productName: { by: 'd.product_name COLLATE NOCASE', join: known },
  serialNumber: { by: 'd.serial_number_key', join: known },
  userName: { by: 'd.user_name_key', join: known },
  roomName: { by: 'r.name_key', join: known },
  subjectId: { by: 'c.subject_id COLLATE NOCASE' },
}

/** The ids of the matching changes, sorted; of equal ones the newest first. */
export const changeOrder = (where: Condition, sort: ChangeSort): Condition =>
  orderQuery('SELECT c.id FROM change c', orders, { where, sort, ties: ['c.observed_at DESC', 'c.id DESC'] })

/** The current product of its device. */
function product(organizationId: string, named: string, whole: boolean): Condition {
  const { sql, parameters } = like('k.product_words', named, whole)
  return condition(
    `(c.subject = 'device' AND c.subject_id IN (SELECT d.id FROM device_row d WHERE d.organization_id = ? AND d.class_id IN (
       SELECT k.class_id FROM device_class k WHERE k.organization_id = ? AND ${sql})))`,
    organizationId,
    organizationId,
    ...parameters,
  )
}

/** The current texts of the device, such as its user and serial number. */
function ownCondition(organizationId: string, word: string): Condition {
  const { sql, parameters } = like('d.words', word, false)
  return condition(
    `(c.subject = 'device' AND c.subject_id IN (SELECT d.id FROM device_row d WHERE d.organization_id = ? AND ${sql}))`,
    organizationId,
    ...parameters,
  )
}

/** The rooms themselves, and their current devices: by group id, else by the room's own list. */
function inRooms(organizationId: string, ids: string): Condition {
  return condition(
    `CASE c.subject WHEN 'room' THEN c.subject_id IN (SELECT value FROM json_each(?)) ELSE c.subject_id IN (
       SELECT d.id FROM device_row d WHERE d.organization_id = ? AND d.group_id IN (
         SELECT a.alias FROM record_alias a WHERE a.organization_id = ? AND a.kind = 'room' AND a.id IN (SELECT value FROM json_each(?)))
       UNION ALL
       SELECT m.device_id FROM room_member m JOIN device_row d ON d.organization_id = m.organization_id AND d.id = m.device_id
         WHERE m.organization_id = ? AND m.room_id IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
           SELECT 1 FROM record_alias x WHERE x.organization_id = d.organization_id AND x.kind = 'room' AND x.alias = d.group_id AND x.id IS NOT NULL)) END`,
    ids,
    organizationId,
    organizationId,
    ids,
    organizationId,
    ids,
  )
}
