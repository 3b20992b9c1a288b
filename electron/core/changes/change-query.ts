import type { FilterComparison, FilterTerm } from '../../contract/filter/filter.ts'
import type { Database, SqlValue } from '../platform.ts'
import { likePattern } from '../storage/search-text.ts'
import { comparable } from './change-rows.ts'

/** A condition on a change `c`. Everything typed travels as a parameter. */
export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/** What a filter is asked about. */
export interface Asked {
  readonly organizationId: string
  /** Epoch milliseconds against which ages are told. */
  readonly now: number
  /** The earliest moment, that one included; null: all that are kept. */
  readonly from: number | null
}

export const condition = (sql: string, ...parameters: SqlValue[]): Condition => ({ sql, parameters })
const anyOf = (conditions: readonly Condition[]): Condition => joined(conditions, ' OR ')
export const allOf = (conditions: readonly Condition[]): Condition => joined(conditions, ' AND ')
function joined(conditions: readonly Condition[], word: string): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(word)})`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}

/** Changes of the organization since then for which every term holds. Rooms are few: those that a term names are looked up first. */
export async function changeCondition(
  database: Database,
  asked: Asked,
  terms: readonly FilterTerm[],
): Promise<Condition> {
  const { organizationId, from } = asked
  const own = [
    condition('c.organization_id = ?', organizationId),
    ...(from === null ? [] : [condition('c.observed_at >= ?', from)]),
  ]
  const rooms = terms.some(({ key }) => key === 'room') ? await roomsOf(database, organizationId) : []
  return allOf([...own, ...terms.map((term) => termCondition(asked, rooms, term))])
}

interface KnownRoom {
  readonly id: string
  /** As it is compared. */
  readonly name: string | null
}

async function roomsOf(database: Database, organizationId: string): Promise<readonly KnownRoom[]> {
  const rows = await database.read('SELECT id, name FROM room_row WHERE organization_id = ?', [
    organizationId,
  ])
  return rows.map((row) => ({
    id: String(row['id']),
    name: typeof row['name'] === 'string' ? comparable(row['name']) : null,
  }))
}

function termCondition(asked: Asked, rooms: readonly KnownRoom[], term: FilterTerm): Condition {
  const any = anyOf(
    term.values.map((value, index) => valueCondition(asked, rooms, term, value, term.numbers[index] ?? null)),
  )
  // `!` includes what is unknown.
  return term.negated ? not(any) : any
}

function valueCondition(
  { organizationId, now }: Asked,
  rooms: readonly KnownRoom[],
  { key, comparison }: FilterTerm,
  value: string,
  number: number | null,
): Condition {
  const whole = comparison === 'is'
  const text = comparable(value)
  switch (key) {
    case null: {
      // A free word: in the name, in what was or is, or in the product.
      const word = text.trim()
      return anyOf([
        ...textColumns.map((column) => like(compared(column), word, false)),
        product(organizationId, word, false),
      ])
    }
    case 'kind':
      return condition('c.kind = ?', value.toLowerCase())
    case 'of':
      return condition('c.subject = ?', value.toLowerCase())
    case 'name':
      return like(compared('name'), text, whole)
    case 'before':
    case 'after':
      return value === '' ? condition(`c.${key} IS NULL`) : like(compared(key), text, whole)
    case 'product':
      return value === '' ? not(product(organizationId, '', false)) : product(organizationId, text, whole)
    case 'room': {
      const fits = (name: string | null): boolean =>
        value === '' || (name !== null && (whole ? name === text : name.includes(text)))
      const inAny = inRooms(
        organizationId,
        JSON.stringify(rooms.filter(({ name }) => fits(name)).map(({ id }) => id)),
      )
      return value === '' ? not(inAny) : inAny
    }
    case 'tag': {
      const tagged = `c.subject = 'device' AND c.subject_id IN (SELECT k.device_id FROM device_mark k WHERE k.organization_id = ? AND k.kind = 'tag'`
      return value === ''
        ? not(condition(`(${tagged}))`, organizationId))
        : condition(`(${tagged} AND k.word = ?))`, organizationId, text.trim())
    }
    case 'id':
      return like('c.subject_id', text, true)
    case 'age':
      return condition(`c.observed_at ${turned[comparison]} ?`, now - (number ?? 0))
    default:
      throw new Error(`No condition is written for the filter key ${key}`)
  }
}

/** Older is an earlier time: `>7d` is before the moment seven days ago. */
const turned: Readonly<Record<FilterComparison, string>> = {
  '>': '<',
  '>=': '<=',
  '<': '>',
  '<=': '>=',
  is: '=',
  has: '=',
}

const not = ({ sql, parameters }: Condition): Condition => ({ sql: `(${sql} IS NOT TRUE)`, parameters })

const textColumns = ['name', 'before', 'after'] as const
const compared = (column: (typeof textColumns)[number]): string =>
  `COALESCE(c.${column}_folded, c.${column === 'name' ? 'subject_name' : column})`

/** Both sides folded; LIKE takes ASCII letters of either case for the same. */
function like(expression: string, text: string, whole: boolean): Condition {
  const anywhere = likePattern(text)
  return condition(`${expression} LIKE ? ESCAPE '\\'`, whole ? anywhere.slice(1, -1) : anywhere)
}

/** The product its device has now. */
function product(organizationId: string, text: string, whole: boolean): Condition {
  const { sql, parameters } = like('k.product_words', text, whole)
  return condition(
    `(c.subject = 'device' AND c.subject_id IN (SELECT d.id FROM device_row d WHERE d.organization_id = ? AND d.class_id IN (
       SELECT k.class_id FROM device_class k WHERE k.organization_id = ? AND ${sql})))`,
    organizationId,
    organizationId,
    ...parameters,
  )
}

/** The rooms themselves, and devices that stand in them now: by their group id, else by the room's own list. */
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
