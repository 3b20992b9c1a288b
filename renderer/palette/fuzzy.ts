import uFuzzy from '@leeoniya/ufuzzy'
import { plain } from './palette-words.ts'

/** Each word may have one extra, missing, wrong or swapped letter; words may be in any order. */
const finder = new uFuzzy({ intraMode: 1 })

/** Indices of the matching texts, best first. */
export function fuzzyPlaces(texts: readonly string[], words: string): readonly number[] {
  const [places, info, order] = finder.search(texts.map(plain), plain(words), 3)
  if (!places) return []
  return order && info ? order.map((one) => info.idx[one] ?? 0) : places
}
