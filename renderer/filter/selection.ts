import { namedAtMost } from '../../electron/contract/device.ts'
import type { DeviceSelection } from '../../electron/contract/api/devices.ts'
import { parseFilter, termText } from '../../electron/contract/filter/filter-reader.ts'
import type { FilterVocabulary } from '../../electron/contract/filter/filter.ts'

/** The cached data of a picked row: at least its id. */
export interface Pickable {
  readonly id: string
}

/**
 * The technician's selection: rows picked one by one, or all that match a filter with exceptions. It is
 * independent of the table, so it survives filters, slices and syncs. A selection by filter keeps its own
 * filter.
 */
export type Chosen<P extends Pickable = Pickable> =
  | { readonly kind: 'picked'; readonly rows: ReadonlyMap<string, P> }
  | { readonly kind: 'matching'; readonly where: string; readonly except: ReadonlySet<string> }

export const nothing: Chosen<never> = { kind: 'picked', rows: new Map<string, never>() }

export const isNothing = (chosen: Chosen): boolean => chosen.kind === 'picked' && chosen.rows.size === 0

export const toContract = (chosen: Chosen): DeviceSelection =>
  chosen.kind === 'picked'
    ? { kind: 'picked', ids: [...chosen.rows.keys()] }
    : { kind: 'matching', where: chosen.where, except: [...chosen.except] }

/**
 * Whether all matches of `inner` match `outer`, determined from the texts: each further term narrows the
 * result.
 */
export function isWithin(inner: string, outer: string, vocabulary: FilterVocabulary): boolean {
  if (inner === outer) return true
  const [mine, theirs] = [inner, outer].map((text) => parseFilter(text, vocabulary))
  if (!mine || !theirs || mine.problems.length + theirs.problems.length > 0) return false
  const narrowed = new Set(mine.terms.map(termText))
  const gone = (terms: typeof mine.terms): string =>
    terms
      .filter((term) => term.key === 'gone')
      .map(termText)
      .join(' ')
  // Gone rows are excluded by default: including them widens the filter.
  return gone(mine.terms) === gone(theirs.terms) && theirs.terms.every((term) => narrowed.has(termText(term)))
}

/**
 * Whether a visible row is selected; null: the selection has another filter, so only the core knows. `known`:
 * the list is within the selection.
 */
export function isChosen(chosen: Chosen, id: string, known: boolean): boolean | null {
  if (chosen.kind === 'picked') return chosen.rows.has(id)
  return chosen.except.has(id) ? false : known ? true : null
}

/** The selection with these rows added or removed; null: it would list more rows than the core accepts. */
export function withRows<P extends Pickable>(
  chosen: Chosen<P>,
  rows: readonly P[],
  wanted: boolean,
): Chosen<P> | null {
  if (chosen.kind === 'picked') {
    const next = new Map(chosen.rows)
    for (const row of rows) {
      if (wanted) next.set(row.id, row)
      else next.delete(row.id)
    }
    return next.size > namedAtMost ? null : { kind: 'picked', rows: next }
  }
  const except = new Set(chosen.except)
  for (const row of rows) {
    if (wanted) except.delete(row.id)
    else except.add(row.id)
  }
  return except.size > namedAtMost ? null : { ...chosen, except }
}

/** The state of the check box in the header, for a list with the filter `where`. */
export function headOf(
  chosen: Chosen,
  where: string,
  vocabulary: FilterVocabulary,
): 'all' | 'none' | 'mixed' {
  if (isNothing(chosen)) return 'none'
  if (chosen.kind === 'picked') return 'mixed'
  return chosen.except.size === 0 && isWithin(where, chosen.where, vocabulary) ? 'all' : 'mixed'
}
