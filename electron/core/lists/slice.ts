import type { WordCount } from '../../contract/api/devices.ts'
import { Failed } from '../../contract/failure.ts'

/** The largest slice that a client may request (contract). */
export const sliceRows = 500
/**
 * Rows read at once for a file: few enough that garbage collection removes them while they are young
 * (measured: 22 MiB less at the peak than with 500).
 */
const queriedRows = 100

/** Throws Failed `invalid`, field `start` or `count`. */
export function sliceOf({ start, count }: { readonly start: number; readonly count: number }): {
  readonly start: number
  readonly count: number
} {
  return {
    start: wholeNumber('start', start, Number.MAX_SAFE_INTEGER),
    count: wholeNumber('count', count, sliceRows),
  }
}

/** Throws Failed `invalid` with that field. */
export function wholeNumber(field: string, value: number, most: number): number {
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw Failed.invalid(field, `Enter a whole number from 0 to ${most}.`)
  return value
}

/** Values and the number of their rows, largest first; equal ones alphabetically. */
export function countsOf(
  words: Iterable<string | readonly [word: string, count: number]>,
): readonly WordCount[] {
  const counts = new Map<string, number>()
  for (const one of words) {
    const [word, count] = typeof one === 'string' ? [one, 1] : one
    counts.set(word, (counts.get(word) ?? 0) + count)
  }
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : a.word > b.word ? 1 : 0))
}

/** Rows with these numbers in order, one slice at a time; the next is read while one is used. */
export async function* batchesOf<T>(
  ids: Float64Array,
  query: (some: Float64Array) => Promise<readonly T[]>,
  rowsEach = queriedRows,
): AsyncIterable<readonly T[]> {
  const next = (start: number): Promise<readonly T[]> => {
    const batch = start < ids.length ? query(ids.subarray(start, start + rowsEach)) : Promise.resolve([])
    // Avoids an unhandled rejection: the error is thrown again when the batch is awaited.
    batch.catch(() => undefined)
    return batch
  }
  let ahead = next(0)
  for (let start = 0; start < ids.length; start += rowsEach) {
    const batch = await ahead
    ahead = next(start + rowsEach)
    yield batch
  }
}
