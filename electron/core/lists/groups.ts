import type { ListGroup } from '../../contract/api/devices.ts'
import { parseFilter, termText } from '../../contract/filter/filter-reader.ts'
import type { FilterVocabulary } from '../../contract/filter/filter.ts'
import type { ListName } from '../../contract/view.ts'
import { vocabularies } from '../../contract/filter/vocabularies.ts'
import { comparable } from '../storage/search-text.ts'
import { versionKey } from './version-order.ts'

/** Rows that have the same value in a field. `label` null: not known. */
export interface Counted {
  readonly label: string | null
  readonly count: number
  /** How many of them call for work. */
  readonly needing: number
  /** No filter can match their label. */
  readonly nameless?: boolean
}

/**
 * Groups by one token, the largest first, unknown last. Values that the filter treats as equal are one group,
 * with the label that most of its rows have.
 */
export function groupsOf(
  list: Exclude<ListName, 'changes' | 'jobs' | 'journal'>,
  token: string,
  { where, counted }: { readonly where: string; readonly counted: readonly Counted[] },
): readonly ListGroup[] {
  const isVersion = vocabularies[list].some(({ key, kind }) => key === token && kind === 'version')
  const keyOf = ({ label, nameless = false }: Counted): string =>
    JSON.stringify([label === null ? null : isVersion ? versionKey(label) : comparable(label), nameless])
  const groups = [...Map.groupBy(counted, keyOf)].map(([key, same]): ListGroup => {
    const { label, nameless = false } = same.reduce((a, b) => (b.count > a.count ? b : a))
    return {
      key,
      label,
      count: same.reduce((sum, one) => sum + one.count, 0),
      needing: same.reduce((sum, one) => sum + one.needing, 0),
      where: nameless ? null : termFor(vocabularies[list], token, where, label),
    }
  })
  return groups.sort(
    (a, b) =>
      Number(a.label === null) - Number(b.label === null) ||
      b.count - a.count ||
      ((a.label ?? '') < (b.label ?? '') ? -1 : 1),
  )
}

/** The filter with a term for the group; null: the language has none, or the filter would be too long. */
function termFor(
  vocabulary: FilterVocabulary,
  token: string,
  where: string,
  label: string | null,
): string | null {
  const term = termText({
    negated: false,
    key: token,
    comparison: label === null ? 'has' : 'is',
    values: [label ?? ''],
  })
  const wanted = vocabulary.find(({ key }) => key === token)
  // An invalid version cannot be a filter value, and may be a word with another meaning.
  if (wanted?.kind === 'version' && label !== null && !/^v?\d/i.test(label)) return null
  const whole = [where.trim(), term].filter((part) => part !== '').join(' ')
  return parseFilter(whole, vocabulary).problems.length === 0 ? whole : null
}
