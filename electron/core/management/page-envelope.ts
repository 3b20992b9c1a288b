import type { Json, JsonObject } from '../../contract/json.ts'
import { saysError } from '../service-client/service-client.ts'
import { readDevice } from './device-json.ts'
import { arrayOf, objectOf } from './members.ts'
import { nameOf, nextPageOf, type NextPage, type Problem } from './next-page.ts'
import { readRoom } from './room-json.ts'

export type RecordsOf = 'device' | 'room'

/** A page as its envelope tells it. */
export interface Envelope {
  readonly items: readonly Json[]
  /** The names that lead to the list, `data.items`; empty for a bare list. */
  readonly listAt: string
  /** False: an empty list where none is known to stand. It is the page's list only if lists with records stand there too. */
  readonly surelyTheList: boolean
  readonly next: NextPage
}

/** `problem`: this is no page. */
export type EnvelopeReading =
  | { readonly envelope: Envelope; readonly problem: null }
  | { readonly envelope: null; readonly problem: Problem }

/** Objects inside the envelope that are looked into, and how many of them. Chosen. */
const levelsDeep = 2
const placesAtMost = 200

const anyList = [
  'items',
  'value',
  'values',
  'results',
  'result',
  'records',
  'data',
  'entries',
  'elements',
  'content',
  'list',
  'rows',
]
/** Names of the list, lower case, in order of trust. `items` is observed (4.2), the others are chosen: no envelope is published. */
const listNames: Readonly<Record<RecordsOf, readonly string[]>> = {
  device: ['items', 'devices', ...anyList],
  room: ['items', 'meetingrooms', 'rooms', ...anyList],
}
/** `deviceList`, `pagedResults`. */
const namedLikeTheList: Readonly<Record<RecordsOf, RegExp>> = {
  device: /device|item|result|record|value|list$/,
  room: /room|item|result|record|value|list$/,
}
/** Lists of error bodies, and what envelopes hold beside the records. */
const neverTheList =
  /^_?(?:links|tags|errors?|details?|messages?|warnings?|violations|(?:inner|field|validation)_?errors)$/

interface Place {
  readonly path: readonly string[]
  readonly object: JsonObject
}

interface List {
  readonly path: readonly string[]
  readonly items: readonly Json[]
  /** The lower, the more trusted; null: a name that says nothing. */
  readonly rank: number | null
}

/**
 * Reads a page. The list of records is looked for at the top and up to two levels deeper, the continuation by `next-page.ts`; an envelope
 * that says error is no page, whatever lists it holds. `before`: where lists of these records were found before. Never throws.
 */
export function readEnvelope(
  json: Json,
  headers: Readonly<Record<string, string>>,
  of: RecordsOf,
  before: ReadonlySet<string>,
): EnvelopeReading {
  const bare = arrayOf(json)
  const only = bare?.length === 1 ? objectOf(bare[0]) : null
  // A list of one may be the envelope in a list: it is no record and holds one list.
  const wrapped = only !== null && !isRecord(only, of) && listsIn(placesIn(only), of).length > 0 ? only : null
  if (bare !== null && wrapped === null) {
    if (bare.length > 0 && bare.every((item) => !isRecord(item, of) && saysError(objectOf(item) ?? {})))
      return problem('body', errorInside)
    return {
      envelope: {
        items: bare,
        listAt: '',
        surelyTheList: bare.length > 0 || before.has(''),
        next: nextPageOf(null, headers),
      },
      problem: null,
    }
  }
  const root = wrapped ?? objectOf(json)
  if (root === null) return problem('the whole answer', 'An object with a list of records was expected.')
  const places = placesIn(root)
  const list = theList(listsIn(places, of), of, before)
  const error = places.find(
    ({ path, object }) => (path.length < 2 || leadsTo(path, list)) && saysError(object),
  )
  if (error !== undefined) return problem(nameOf(error.path) || 'body', errorInside)
  if (list === null) return problem('items', 'The list of records is missing, or is no list.')
  if (list === 'unclear') return problem('items', 'Several lists might be that of the records.')
  return {
    envelope: {
      items: list.items,
      listAt: nameOf(list.path),
      surelyTheList: list.rank !== null || list.items.length > 0 || before.has(nameOf(list.path)),
      next: nextPageOf(root, headers),
    },
    problem: null,
  }
}

const errorInside = 'an error message inside a successful answer'

const problem = (where: string, message: string): EnvelopeReading => ({
  envelope: null,
  problem: { where, message },
})

const leadsTo = (path: readonly string[], list: List | 'unclear' | null): boolean =>
  list !== null && list !== 'unclear' && path.every((name, at) => list.path[at] === name)

/** The envelope and the objects in it, nearest first. Lists are not looked into. */
function placesIn(root: JsonObject): readonly Place[] {
  const places: Place[] = [{ path: [], object: root }]
  for (const { path, object } of places) {
    if (path.length >= levelsDeep) continue
    for (const [name, value] of Object.entries(object)) {
      const inner = objectOf(value)
      if (inner !== null && places.length < placesAtMost)
        places.push({ path: [...path, name], object: inner })
    }
  }
  return places
}

function listsIn(places: readonly Place[], of: RecordsOf): readonly List[] {
  return places.flatMap(({ path, object }) =>
    Object.entries(object).flatMap(([name, value]): List[] => {
      const lower = name.toLowerCase()
      if (neverTheList.test(lower)) return []
      const known = listNames[of].indexOf(lower)
      const rank = known >= 0 ? known : namedLikeTheList[of].test(lower) ? listNames[of].length : null
      // An empty list may be written as null where a list is known to stand.
      const items = value === null && known >= 0 && known < nullMayStandFor(of) ? [] : arrayOf(value)
      return items === null ? [] : [{ path: [...path, name], items, rank }]
    }),
  )
}

const nullMayStandFor = (of: RecordsOf): number => listNames[of].indexOf('value')

/** null: there is none. */
function theList(
  lists: readonly List[],
  of: RecordsOf,
  before: ReadonlySet<string>,
): List | 'unclear' | null {
  const known = lists.filter(({ path, rank }) => rank !== null || before.has(nameOf(path)))
  const trusted = known.toSorted(
    (one, other) =>
      Number(holdsRecords(other, of)) - Number(holdsRecords(one, of)) ||
      Number(before.has(nameOf(other.path))) - Number(before.has(nameOf(one.path))) ||
      (one.rank ?? 0) - (other.rank ?? 0) ||
      one.path.length - other.path.length,
  )
  if (trusted[0] !== undefined) return trusted[0]
  const holding = lists.filter((list) => holdsRecords(list, of))
  if (holding.length > 0) return holding.length === 1 ? (holding[0] ?? null) : 'unclear'
  const empty = lists.filter(({ items }) => items.length === 0)
  return empty.length === 1 ? (empty[0] ?? null) : empty.length === 0 ? null : 'unclear'
}

const holdsRecords = ({ items }: List, of: RecordsOf): boolean => items.some((item) => isRecord(item, of))

const isRecord = (item: Json, of: RecordsOf): boolean =>
  (of === 'device' ? readDevice(item) : readRoom(item)).readable
