import type { Json } from '../../electron/contract/json.ts'

export interface TreeRow {
  /** The path as a JSON pointer (RFC 6901); the root is the empty text. */
  readonly id: string
  readonly depth: number
  /** Member name or index; null for the root. */
  readonly name: string | number | null
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** The value as JSON; empty for objects and arrays. */
  readonly text: string
  /** Member count of an object, item count of an array; null for others. */
  readonly count: number | null
  /** The label of an object, so that a list of records is readable without unfolding; null: it has none. */
  readonly called: string | null
  readonly open: boolean
  readonly position: number
  readonly siblings: number
}

/** Branches are opened initially as long as at most this many rows show. */
const ROWS_AT_FIRST = 150
/** Maximum of counted matches; a higher count is not useful. */
export const MATCHES_AT_MOST = 5_000

interface Place {
  readonly id: string
  readonly depth: number
  readonly name: string | number | null
  readonly value: Json
  readonly position: number
  readonly siblings: number
}

const escaped = (name: string | number): string =>
  typeof name === 'number' ? String(name) : name.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')
const isBranch = (value: Json): value is readonly Json[] | { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null

function kindOf(value: Json): TreeRow['kind'] {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as 'object' | 'string' | 'number' | 'boolean'
}
function childrenOf({ id, depth, value }: Place): readonly Place[] {
  if (!isBranch(value)) return []
  const members: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((item: Json, at) => [at, item] as const)
    : Object.entries(value)
  return members.map(([name, child], at) => ({
    id: `${id}/${escaped(name)}`,
    depth: depth + 1,
    name,
    value: child,
    position: at + 1,
    siblings: members.length,
  }))
}
/** Members that name a record, the most common first (observed in responses of both interfaces). */
const naming = ['name', 'productName', 'title', 'displayName', 'version', 'id', 'key'] as const
function calledOf(value: Json): string | null {
  if (!isBranch(value) || Array.isArray(value)) return null
  const record = value as Readonly<Record<string, Json>>
  for (const name of naming) {
    const word = Object.hasOwn(record, name) ? record[name] : null
    if (typeof word === 'string' && word.trim() !== '') return word
  }
  return null
}
const rootOf = (value: Json): Place => ({ id: '', depth: 0, name: null, value, position: 1, siblings: 1 })
const sizeOf = (value: Json): number | null =>
  !isBranch(value) ? null : Array.isArray(value) ? value.length : Object.keys(value).length

/** Depth first without recursion: a response may be nested deeper than the stack allows. */
function* walk(value: Json, enter: (place: Place) => boolean): Generator<Place> {
  const waiting: Place[] = [rootOf(value)]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    yield place
    if (!isBranch(place.value) || !enter(place)) continue
    const children = childrenOf(place)
    for (let at = children.length - 1; at >= 0; at -= 1) waiting.push(children[at] as Place)
  }
}

/** The lines of a tree with the branches in `open` unfolded. */
export function rowsOf(value: Json, open: ReadonlySet<string>): readonly TreeRow[] {
  const rows: TreeRow[] = []
  for (const place of walk(value, ({ id }) => open.has(id))) {
    const count = sizeOf(place.value)
    rows.push({
      id: place.id,
      depth: place.depth,
      name: place.name,
      kind: kindOf(place.value),
      text: count === null ? JSON.stringify(place.value) : '',
      count,
      called: count === null || open.has(place.id) ? null : calledOf(place.value),
      open: count !== null && open.has(place.id),
      position: place.position,
      siblings: place.siblings,
    })
  }
  return rows
}

/** Opens whole levels, from the root down, as long as everything fits on a few screens. */
export function openAtFirst(value: Json): ReadonlySet<string> {
  const open = new Set<string>()
  let level: readonly Place[] = [rootOf(value)]
  let rows = 1
  while (level.length > 0) {
    rows += level.reduce((sum, place) => sum + (sizeOf(place.value) ?? 0), 0)
    if (rows > ROWS_AT_FIRST && open.size > 0) break
    for (const place of level) if (isBranch(place.value)) open.add(place.id)
    level = level.flatMap(childrenOf)
  }
  return open
}

/** Every branch, including the root: an unfolded large response still draws only the visible rows. */
export function branchesOf(value: Json): ReadonlySet<string> {
  const branches = new Set<string>()
  for (const place of walk(value, () => true)) if (isBranch(place.value)) branches.add(place.id)
  return branches
}

/** Paths whose name or value contains the searched text, in the order of the document. */
export function matchesOf(value: Json, words: string): readonly string[] {
  const wanted = words.toLowerCase()
  const found: string[] = []
  if (wanted === '') return found
  for (const { id, name, value: here } of walk(value, () => true)) {
    if (found.length >= MATCHES_AT_MOST) break
    const named = typeof name === 'string' && name.toLowerCase().includes(wanted)
    if (named || (!isBranch(here) && String(here).toLowerCase().includes(wanted))) found.push(id)
  }
  return found
}

/** The branches that must be open for a path to show, the root first. */
export function parentsOf(id: string): readonly string[] {
  const parents: string[] = []
  for (let at = id.indexOf('/'); at >= 0; at = id.indexOf('/', at + 1)) parents.push(id.slice(0, at))
  return parents
}

export function valueAt(value: Json, id: string): Json | undefined {
  let here: Json | undefined = value
  for (const segment of id.split('/').slice(1)) {
    if (here === undefined || !isBranch(here)) return undefined
    const name = unescaped(segment)
    here = Object.hasOwn(here, name) ? (here as Readonly<Record<string, Json>>)[name] : undefined
  }
  return here
}

/** `devices[0].name`: a path in readable form. */
export function spokenPlace(value: Json, id: string): string {
  let here: Json | undefined = value
  let said = ''
  for (const segment of id.split('/').slice(1)) {
    const name = unescaped(segment)
    if (Array.isArray(here)) said += `[${name}]`
    else if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) said += said === '' ? name : `.${name}`
    else said += `[${JSON.stringify(name)}]`
    here = here === undefined || !isBranch(here) ? undefined : (here as Readonly<Record<string, Json>>)[name]
  }
  return said
}
