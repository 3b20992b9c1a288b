import { fuzzyPlaces } from './fuzzy.ts'
import { paletteGroups, type PaletteEntry, type PaletteGroup } from './palette-entry.ts'
import { nearestFirst, wordsIn } from './palette-words.ts'

export interface FoundGroup {
  readonly group: PaletteGroup | 'recent'
  readonly entries: readonly PaletteEntry[]
}
/** Limit of each group, so that none pushes the others out of the window. */
export const LISTED_EACH = 5

const textOf = (entry: PaletteEntry): string =>
  [entry.title, entry.detail, entry.alsoFoundBy].filter(Boolean).join(' ')

const linesOf = ({ title, detail, alsoFoundBy }: PaletteEntry) => ({
  title,
  detail: [detail, alsoFoundBy].filter(Boolean).join(' '),
})

const grouped = (entries: readonly PaletteEntry[]): readonly FoundGroup[] =>
  paletteGroups
    .map((group) => ({ group, entries: entries.filter((one) => one.group === group) }))
    .filter(({ entries: inGroup }) => inGroup.length > 0)

/**
 * Groups with a result whose words begin as typed come first, then the others, each in the order of the groups. `local`: local
 * fuzzy matches. `found`: results of the core, which matched; links to all of them (`ofWords`) stay last. `recent`: entries used before, shown without
 * text.
 */
export function findEntries(
  typed: string,
  local: readonly PaletteEntry[],
  found: readonly PaletteEntry[],
  recent: readonly PaletteEntry[],
): readonly FoundGroup[] {
  const words = wordsIn(typed)
  if (words.length === 0) {
    const others = local.filter(
      (one) => !['preferences', 'help'].includes(one.group) && !recent.some(({ id }) => id === one.id),
    )
    return [...(recent.length > 0 ? [{ group: 'recent' as const, entries: recent }] : []), ...grouped(others)]
  }
  const alike = fuzzyPlaces(local.map(textOf), typed).flatMap((place) => local[place] ?? [])
  // What else verbs can do follows the best group.
  const also = grouped(found.filter(({ group }) => group === 'also'))
  const ranked = grouped([...alike, ...found.filter(({ group }) => group !== 'also')]).map(
    ({ group, entries }) => {
      // What a verb does, and a list, are named by the text itself.
      if (group === 'do' || group === 'lists') return { group, entries, best: 0 }
      const results = nearestFirst(
        entries.filter(({ ofWords, begins: beginning }) => !ofWords || beginning !== undefined),
        words,
        linesOf,
      ).slice(0, LISTED_EACH)
      const links = entries.filter(({ ofWords, begins: beginning }) => ofWords && beginning === undefined)
      return {
        group,
        entries: [...results.map(({ one }) => one), ...links],
        best: results[0]?.far ?? Number.POSITIVE_INFINITY,
      }
    },
  )
  const isGood = (best: number): boolean => best <= words.length
  const inOrder = [
    ...ranked.filter(({ best }) => isGood(best)),
    ...ranked.filter(({ best }) => !isGood(best)),
  ].map(({ group, entries }) => ({ group, entries }))
  return [...inOrder.slice(0, 1), ...also, ...inOrder.slice(1)]
}
