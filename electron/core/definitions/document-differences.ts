import type {
  ChangedMember,
  Comparison,
  ComparisonGap,
  DefinitionItem,
  DefinitionLine,
  DocumentKind,
  ReadDocuments,
} from '../../contract/api/definitions.ts'
import { foldedName, type Json } from '../../contract/json.ts'
import { comparedMembers } from '../../contract/definition.ts'

export type Differences = Pick<Comparison, 'added' | 'removed' | 'changed' | 'unchanged'>

/**
 * The differences between two documents of a kind. A rename is a removal and an addition. Order, case of keys
 * and notation of numbers make no difference.
 */
export function differencesOf(
  source: DocumentKind,
  left: readonly DefinitionItem[],
  right: readonly DefinitionItem[],
): Differences {
  const { pairs, onlyLeft, onlyRight } = paired(left, right)
  const about = pairs.map(([before, after]) => ({
    named: {
      // The same result for either order of the sides.
      name: lesser(before.name, after.name),
      label: lesser(before.label, after.label),
      source,
    },
    members: changedMembers(source, before, after),
  }))
  return {
    added: onlyRight.map((item) => lineOf(source, item)).toSorted(inOrder),
    removed: onlyLeft.map((item) => lineOf(source, item)).toSorted(inOrder),
    changed: about
      .flatMap(({ named, members }) => members.map((member) => ({ ...named, ...member })))
      .toSorted(inOrder),
    unchanged: about.flatMap(({ named, members }) => (members.length === 0 ? [named] : [])).toSorted(inOrder),
  }
}

const isJose = (kind: DocumentKind): boolean => kind === 'jose' || kind === 'jose-v1'

/**
 * Both sides of every document: the differences, documents that could not be compared, and documents that
 * neither side has.
 */
export function comparisonOf(
  left: ReadDocuments,
  right: ReadDocuments,
  { usesAboveLimit }: { readonly usesAboveLimit: boolean },
): Comparison {
  const kinds = [...left.documents, ...right.documents, ...left.failed, ...right.failed].map(
    ({ document }) => document,
  )
  const there = [...new Set(kinds)]
  const found: Differences[] = []
  const gaps: ComparisonGap[] = []
  const compared: DocumentKind[] = []
  for (const document of there) {
    const sides = { left: sideOf(left, document), right: sideOf(right, document) }
    const missing = (['left', 'right'] as const).flatMap((side): ComparisonGap[] => {
      const { read, failure } = sides[side]
      if (failure !== null) return [{ document, side, reason: 'failed', failure }]
      if (read?.aboveLimit === true && !usesAboveLimit)
        return [{ document, side, reason: 'above-limit', failure: null }]
      if (read === null) return [{ document, side, reason: 'not-published', failure: null }]
      // An unknown shape does not mean a document without settings.
      return !read.isUnderstood ? [{ document, side, reason: 'nothing-understood', failure: null }] : []
    })
    gaps.push(...missing)
    if (missing.length > 0 || sides.left.read === null || sides.right.read === null) continue
    found.push(differencesOf(document, sides.left.read.items, sides.right.read.items))
    compared.push(document)
  }
  const all = <K extends keyof Differences>(member: K): Differences[K][number][] =>
    found.flatMap((one) => [...one[member]] as Differences[K][number][])
  return {
    added: all('added').toSorted(inOrder),
    removed: all('removed').toSorted(inOrder),
    changed: all('changed').toSorted(inOrder),
    unchanged: all('unchanged').toSorted(inOrder),
    gaps,
    absent: left.absent.filter((document) => right.absent.includes(document)),
    compared,
  }
}

function sideOf({ documents, failed }: ReadDocuments, kind: DocumentKind) {
  return {
    read: documents.find(({ document }) => document === kind) ?? null,
    failure: failed.find(({ document }) => document === kind)?.failure ?? null,
  }
}

/**
 * Matches the identical item first, then by name and group, by name, and by name ignoring case; items that
 * share a name are distinguished by their content.
 */
function paired(left: readonly DefinitionItem[], right: readonly DefinitionItem[]) {
  const sayings = new Map([...left, ...right].map((item) => [item, canonical({ ...item })]))
  const saying = (item: DefinitionItem): string => sayings.get(item) ?? ''
  const inOrderOfSaying = (items: readonly DefinitionItem[]): readonly DefinitionItem[] =>
    items.toSorted((a, b) => compare(saying(a), saying(b)))
  const pairs: (readonly [DefinitionItem, DefinitionItem])[] = []
  let [onlyLeft, onlyRight] = [inOrderOfSaying(left), inOrderOfSaying(right)]
  const keys: readonly ((item: DefinitionItem) => string)[] = [
    saying,
    ({ name, group }) => JSON.stringify([name, group]),
    ({ name }) => name,
    ({ name }) => name.toLowerCase(),
  ]
  for (const keyOf of keys) {
    const groups = Map.groupBy(onlyRight, keyOf)
    onlyLeft = onlyLeft.filter((item) => {
      const found = groups.get(keyOf(item))?.shift()
      if (found !== undefined) pairs.push([item, found])
      return found === undefined
    })
    onlyRight = inOrderOfSaying([...groups.values()].flat())
  }
  return { pairs, onlyLeft, onlyRight }
}

/** A Jose item is compared by all of its members; its fields are not shown, so they are not interpreted. */
function changedMembers(
  source: DocumentKind,
  before: DefinitionItem,
  after: DefinitionItem,
): readonly Pick<ChangedMember, 'member' | 'from' | 'to'>[] {
  const own = isJose(source)
    ? []
    : comparedMembers.map((member) => [member, before[member], after[member]] as const)
  const names = new Map(
    [...Object.keys(before.members), ...Object.keys(after.members)]
      .toSorted()
      .map((name) => [foldedName(name), name]),
  )
  const valueOf = (item: DefinitionItem, folded: string): Json =>
    Object.entries(item.members).find(([name]) => foldedName(name) === folded)?.[1] ?? null
  const others = [...names].map(
    ([folded, name]) => [name, valueOf(before, folded), valueOf(after, folded)] as const,
  )
  return [...own, ...others].flatMap(([member, from, to]) =>
    canonical(from) === canonical(to) ? [] : [{ member, from, to }],
  )
}

/** Equal content gives equal text: keys in any case and order, lists as sets, numbers by value. */
function canonical(json: Json): string {
  if (Array.isArray(json))
    return `[${[...new Set((json as readonly Json[]).map(canonical))].toSorted().join()}]`
  if (typeof json === 'object' && json !== null)
    return `{${Object.entries(json)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${JSON.stringify(foldedName(name))}:${canonical(value)}`)
      .toSorted()
      .join()}}`
  return JSON.stringify(json === 0 ? 0 : json)
}

const lineOf = (source: DocumentKind, { members: _, ...item }: DefinitionItem): DefinitionLine => ({
  ...item,
  source,
})

interface Ordered {
  readonly name: string
  readonly source: DocumentKind
  readonly member?: string
}
const inOrder = (a: Ordered, b: Ordered): number =>
  compare(a.name, b.name) || compare(a.source, b.source) || compare(a.member ?? '', b.member ?? '')

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const lesser = (a: string, b: string): string => (a < b ? a : b)
