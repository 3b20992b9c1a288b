import { fuzzyPlaces } from './fuzzy.ts'
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts'

export interface FoundGroup {
  readonly group: PaletteGroup
  readonly entries: readonly PaletteEntry[]
}
/** Limit of local results, which must not push the results of the core out of the window. */
const LOCAL_EACH = 5

const textOf = (entry: PaletteEntry): string =>
  [entry.title, entry.detail, entry.alsoFoundBy].filter(Boolean).join(' ')
const inOrder = ['pages', 'actions', 'preferences', 'devices', 'rooms', 'products'] as const

/**
 * Groups in a fixed order, so that nothing moves when responses arrive: local results above, those of the core below. `local`: local fuzzy
 * matches. `found`: results of the core, unchanged. `recent`: entries used before, shown without text.
 */
export function findEntries(
  words: string,
  local: readonly PaletteEntry[],
  found: readonly PaletteEntry[],
  recent: readonly PaletteEntry[],
): readonly FoundGroup[] {
  if (words.trim() === '') {
    const visible = local.filter(
      (one) => one.group !== 'preferences' && !recent.some(({ id }) => id === one.id),
    )
    return [
      { group: 'recent' as const, entries: recent },
      ...inOrder.map((group) => ({ group, entries: visible.filter((one) => one.group === group) })),
    ].filter(({ entries }) => entries.length > 0)
  }
  const alike = fuzzyPlaces(local.map(textOf), words).flatMap((place) => local[place] ?? [])
  return inOrder
    .map((group) => ({
      group,
      entries: [
        ...alike.filter((one) => one.group === group).slice(0, LOCAL_EACH),
        ...found.filter((one) => one.group === group),
      ],
    }))
    .filter(({ entries }) => entries.length > 0)
}
