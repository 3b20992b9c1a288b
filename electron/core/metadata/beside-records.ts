import type { Json } from '../../contract/json.ts'

/**
 * The content of a document apart from its parsed records, as received: an envelope's other members, a
 * group's members beside its versions. Empty: nothing.
 */
export function besideRecords(json: Json, value: unknown): readonly Json[] {
  const records = new Set<unknown>()
  findRecords(value, records)
  const rest = without(json, records)
  return rest === undefined || isEmpty(rest) ? [] : [rest]
}

const isEmpty = (json: Json): boolean =>
  typeof json === 'object' && json !== null && Object.keys(json).length === 0

/** Members of parsed values that hold records unchanged from the document, one or a list. */
const asReceived: ReadonlySet<string> = new Set(['raw', 'raws', 'unreadable'])

function findRecords(value: unknown, records: Set<unknown>): void {
  if (Array.isArray(value)) for (const one of value) findRecords(one, records)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      if (!asReceived.has(name)) findRecords(member, records)
      else
        for (const one of Array.isArray(member) ? [member, ...(member as unknown[])] : [member])
          records.add(one)
    }
}

/** A value that contained only records is removed too; a value without records is unchanged. */
function without(json: Json, records: ReadonlySet<unknown>): Json | undefined {
  if (records.has(json)) return undefined
  if (typeof json !== 'object' || json === null) return json
  const before = Object.entries(json as Readonly<Record<string, Json>>)
  let isWhole = true
  const after = before.flatMap(([name, value]) => {
    const rest = without(value, records)
    isWhole &&= rest === value
    return rest === undefined ? [] : [[name, rest] as const]
  })
  if (isWhole) return json
  if (after.length === 0) return undefined
  return Array.isArray(json) ? after.map(([, value]) => value) : Object.fromEntries(after)
}
