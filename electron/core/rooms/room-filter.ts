import type { FilterTerm } from '../../contract/filter/filter.ts'
import { termsIn } from '../../contract/filter/filter-terms.ts'
import { roomVocabulary } from '../../contract/filter/filter-words.ts'
import { folded, searchable } from '../storage/search-text.ts'
import type { RoomSummary } from './room-summaries.ts'

export type RoomTest = (room: RoomSummary) => boolean

/** The terms of a filter over rooms. Throws Failed `invalid`, field `where`. */
export const roomTerms = (where: string): readonly FilterTerm[] => termsIn(where, roomVocabulary)

/** Whether a room matches all of these terms. Where nothing is said of `gone`, rooms that are gone are left out. */
export function roomTest(terms: readonly FilterTerm[], now: number): RoomTest {
  const tests = testsOf(terms, now)
  return (room) => tests.every(({ test }) => test(room))
}

/** The rooms that match, and for each of `keys` those that would if nothing were said of it: for counts beside a list. */
export function matchingBeside<K extends string>(
  rooms: readonly RoomSummary[],
  terms: readonly FilterTerm[],
  now: number,
  keys: readonly K[],
): { readonly matching: RoomSummary[]; readonly beside: Readonly<Record<K, readonly RoomSummary[]>> } {
  const tests = testsOf(terms, now)
  const matching: RoomSummary[] = []
  const beside = Object.fromEntries<RoomSummary[]>(keys.map((key) => [key, []])) as Record<K, RoomSummary[]>
  for (const room of rooms) {
    const failed = new Set<string | null>()
    for (const { key, test } of tests) if (!failed.has(key) && failed.size < 2 && !test(room)) failed.add(key)
    if (failed.size === 0) matching.push(room)
    for (const key of keys)
      if (failed.size === 0 || (failed.size === 1 && failed.has(key))) beside[key].push(room)
  }
  return { matching, beside }
}

function testsOf(
  terms: readonly FilterTerm[],
  now: number,
): readonly { readonly key: string | null; readonly test: RoomTest }[] {
  const tests = terms.map((term) => ({ key: term.key, test: termTest(term, now) }))
  return terms.some((term) => term.key === 'gone')
    ? tests
    : [{ key: 'gone', test: (room) => !room.row.gone }, ...tests]
}

function termTest(term: FilterTerm, now: number): RoomTest {
  const test = term.key === null ? freeWord(term.values[0] ?? '') : keyTest(term.key, term, now)
  return term.negated ? (room) => !test(room) : test
}

/** Found in name, location or type, or the room's id or a group id of it. What stood in quotes is found as it stands. */
function freeWord(typed: string): RoomTest {
  const phrase = searchable([typed]).trim()
  return ({ words: found, row }) =>
    found.includes(phrase) || [row.id, ...row.groupIds].some((id) => folded(id) === phrase)
}

const texts: Readonly<Record<string, (room: RoomSummary) => string | null>> = {
  name: ({ row }) => row.name,
  location: ({ row }) => row.location,
  type: ({ row }) => row.type,
}

/** What must be the whole; any one of a room's suffices. */
const words: Readonly<Record<string, (room: RoomSummary) => readonly string[]>> = {
  status: ({ row }) => [row.status],
  health: ({ row }) => [row.health],
  fw: ({ firmware }) => firmware,
  group: ({ row }) => row.groupIds,
  id: ({ row }) => [row.id],
  gone: ({ row }) => ['any', row.gone ? 'yes' : 'no'],
}

const numbers: Readonly<Record<string, (room: RoomSummary) => number | null>> = {
  seats: ({ row }) => row.seatCount,
  devices: ({ row }) => row.deviceCount,
  online: ({ row }) => row.onlineCount,
  offline: ({ offlineCount }) => offlineCount,
}

/** A time of which an age is asked. */
const times: Readonly<Record<string, (room: RoomSummary) => number | null>> = {
  age: ({ row }) => row.lastSeenAt,
  read: ({ row }) => row.observedAt,
}

function keyTest(key: string, term: FilterTerm, now: number): RoomTest {
  const { comparison } = term
  const values = term.values.map(folded)
  const text = texts[key]
  if (text !== undefined)
    return (room) => {
      const found = text(room)
      if (found === null) return values.includes('')
      const whole = folded(found)
      return values.some(
        (value) => value !== '' && (comparison === 'is' ? whole === value : whole.includes(value)),
      )
    }
  const wordsOf = words[key]
  if (wordsOf !== undefined)
    return (room) => {
      const found = wordsOf(room).map(folded)
      return found.length === 0 ? values.includes('') : found.some((word) => values.includes(word))
    }
  const age = times[key]
  const numberOf =
    numbers[key] ?? (age === undefined ? undefined : (room: RoomSummary) => since(age(room), now))
  if (numberOf === undefined) throw new Error(`A key of the vocabulary of rooms without a test: ${key}`)
  return (room) => {
    const found = numberOf(room)
    return term.numbers.some((wanted) =>
      wanted === null || found === null ? wanted === found : compared(found, comparison, wanted),
    )
  }
}

const since = (at: number | null, now: number): number | null => (at === null ? null : now - at)

function compared(found: number, comparison: FilterTerm['comparison'], wanted: number): boolean {
  switch (comparison) {
    case '<':
      return found < wanted
    case '<=':
      return found <= wanted
    case '>':
      return found > wanted
    case '>=':
      return found >= wanted
    default:
      return found === wanted
  }
}

/** What stands in a field and how many rooms have it: for suggestions. Ages have none. */
export function standsIn(key: string, room: RoomSummary): readonly string[] {
  const text = texts[key]?.(room)
  if (text !== undefined) return text === null ? [] : [text]
  if (key === 'gone') return [room.row.gone ? 'yes' : 'no']
  const number = numbers[key]?.(room)
  if (number !== undefined) return number === null ? [] : [String(number)]
  return words[key]?.(room) ?? []
}
