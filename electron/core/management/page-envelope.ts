import type { Json, JsonObject } from '../../contract/json.ts'
import { saysError } from '../service-client/service-client.ts'
import { parseDevice } from './device-json.ts'
import { arrayOf, integerOf, objectOf } from './members.ts'
import { bareName, pathName, nextPageOf, type NextPage, type Problem } from './next-page.ts'
import { parseRoom } from './room-json.ts'

export type RecordsOf = 'device' | 'room'

/** A page as described by its envelope. */
interface Envelope {
  readonly items: readonly Json[]
  /** The path to the list, `data.items`; empty for a bare list. */
  readonly listAt: string
  /**
   * False: an empty list in an unknown place. It is the page's list only if lists with records are found
   * there too.
   */
  readonly surelyTheList: boolean
  readonly next: NextPage
  /** Numbers of records that the envelope states; of what (page, stream or all) is not published. */
  readonly counts: readonly StatedCount[]
}

export interface StatedCount {
  readonly where: string
  readonly said: number
}

/** `problem`: this is not a page. */
export type ParsedEnvelope =
  | { readonly envelope: Envelope; readonly problem: null }
  | { readonly envelope: null; readonly problem: Problem }

/** Levels and number of objects searched inside the envelope. Raise them if real envelopes are larger. */
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
/**
 * Names of the list, lower case, by reliability. `items` is observed (services.md#B4), the others are common
 * names, because no envelope is published.
 */
const listNames: Readonly<Record<RecordsOf, readonly string[]>> = {
  device: ['items', 'devices', ...anyList],
  room: ['items', 'meetingrooms', 'rooms', ...anyList],
}
/** `deviceList`, `pagedResults`. */
const namedLikeTheList: Readonly<Record<RecordsOf, RegExp>> = {
  device: /device|item|result|record|value|list$/,
  room: /room|item|result|record|value|list$/,
}
/** Lists in error bodies, and lists in envelopes besides the records. */
const neverTheList =
  /^_?(?:links|tags|errors?|details?|messages?|warnings?|violations|(?:inner|field|validation)_?errors)$/

interface Place {
  readonly path: readonly string[]
  readonly object: JsonObject
}

interface List {
  readonly path: readonly string[]
  readonly items: readonly Json[]
  /** A lower number is more reliable; null: a name that says nothing. */
  readonly rank: number | null
  /** It is null: perhaps an empty list, perhaps one that could not be made. */
  readonly isNull: boolean
}

/**
 * Parses a page. The list of records is searched at the top and up to two levels deeper, the continuation by
 * `next-page.ts`; an envelope with an error is not a page, even if it contains lists. `before`: where lists
 * of these records were found before. Never throws.
 */
export function parseEnvelope(
  json: Json,
  headers: Readonly<Record<string, string>>,
  of: RecordsOf,
  before: ReadonlySet<string>,
): ParsedEnvelope {
  const bare = arrayOf(json)
  const only = bare?.length === 1 ? objectOf(bare[0]) : null
  // A list may contain the envelope as its only element, which is then no record and contains one list.
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
        counts: [],
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
  if (error !== undefined) return problem(pathName(error.path) || 'body', errorInside)
  if (list === null) return problem('items', 'The list of records is missing or is not a list.')
  if (list === 'unclear') return problem('items', 'Several lists might be the list of records.')
  const next = nextPageOf(root, headers)
  const nullList = list.isNull
    ? { where: pathName(list.path), message: 'It is null in place of a list.' }
    : null
  return {
    envelope: {
      items: list.items,
      listAt: pathName(list.path),
      surelyTheList: list.rank !== null || list.items.length > 0 || before.has(pathName(list.path)),
      next: { ...next, doubt: next.doubt ?? nullList },
      counts: countsIn(places, of),
    },
    problem: null,
  }
}

/** `count`, `totalCount`, `@odata.count`, `totalItems`, `deviceCount`: numbers of the records that are listed. */
const countNames: Readonly<Record<RecordsOf, RegExp>> = {
  device: countName('devices?'),
  room: countName('(?:meeting)?rooms?'),
}
function countName(records: string): RegExp {
  return new RegExp(
    `^(?=.*(?:count|total))(?:total)?(?:items?|records?|results?|elements?|entries|rows?|${records})?(?:count|total)?$`,
  )
}

/** A negative number means that the count is unknown. */
function countsIn(places: readonly Place[], of: RecordsOf): readonly StatedCount[] {
  return places
    .filter(({ path }) => path.length < 2)
    .flatMap(({ path, object }) =>
      Object.entries(object).flatMap(([name, value]): StatedCount[] => {
        const said = countNames[of].test(bareName(name)) ? integerOf(value) : null
        return said === null || said < 0 ? [] : [{ where: pathName([...path, name]), said }]
      }),
    )
}

const errorInside = 'an error message inside a successful answer'

const problem = (where: string, message: string): ParsedEnvelope => ({
  envelope: null,
  problem: { where, message },
})

const leadsTo = (path: readonly string[], list: List | 'unclear' | null): boolean =>
  list !== null && list !== 'unclear' && path.every((name, at) => list.path[at] === name)

/** The envelope and the objects in it, nearest first. Lists are not searched. */
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
      // A list may be null in a known place of lists.
      const items = value === null && known >= 0 && known < nullMayStandFor(of) ? [] : arrayOf(value)
      return items === null ? [] : [{ path: [...path, name], items, rank, isNull: value === null }]
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
  const known = lists.filter(({ path, rank }) => rank !== null || before.has(pathName(path)))
  const trusted = known.toSorted(
    (one, other) =>
      Number(holdsRecords(other, of)) - Number(holdsRecords(one, of)) ||
      Number(before.has(pathName(other.path))) - Number(before.has(pathName(one.path))) ||
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
  (of === 'device' ? parseDevice(item) : parseRoom(item)).readable
