import { fuzzyPlaces } from './fuzzy.ts'
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts'

export interface FoundGroup {
  readonly group: PaletteGroup
  readonly entries: readonly PaletteEntry[]
}
/** Chosen: what is found here must not push what the core finds off the window. */
const LOCAL_EACH = 5

const textOf = (entry: PaletteEntry): string =>
  [entry.title, entry.detail, entry.alsoFoundBy].filter(Boolean).join(' ')
const inOrder = ['pages', 'actions', 'preferences', 'devices', 'rooms', 'products'] as const

/**
 * Groups in a fixed order, so that nothing moves when answers arrive: what is known here above, what the core finds below.
 * `local`: found here by likeness. `found`: found by the core, as it came. `recent`: entries used before, shown while nothing is typed.
 */
export function findEntries(
  words: string,
  local: readonly PaletteEntry[],
  found: readonly PaletteEntry[],
  recent: readonly PaletteEntry[],
): readonly FoundGroup[] {
  if (words.trim() === '') {
    const shown = local.filter(
      (one) => one.group !== 'preferences' && !recent.some(({ id }) => id === one.id),
    )
    return [
      { group: 'recent' as const, entries: recent },
      ...inOrder.map((group) => ({ group, entries: shown.filter((one) => one.group === group) })),
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
