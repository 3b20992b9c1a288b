import uFuzzy from '@leeoniya/ufuzzy'

/** One letter too many, missing, other or swapped in each word is forgiven; words may stand in any order. */
const finder = new uFuzzy({ intraMode: 1 })
const plain = (text: string): string => uFuzzy.latinize(text).toLowerCase()

/** Places of the texts that match, best first. */
export function fuzzyPlaces(texts: readonly string[], words: string): readonly number[] {
  const [places, info, order] = finder.search(texts.map(plain), plain(words), 3)
  if (!places) return []
  return order && info ? order.map((one) => info.idx[one] ?? 0) : places
}
