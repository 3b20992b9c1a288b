/** The most starts in any closed window of this length. */
export function peak(starts: readonly number[], lengthInMs: number): number {
  const times = [...starts].sort((a, b) => a - b)
  let most = 0
  for (let first = 0, last = 0; last < times.length; last++) {
    while (times[last]! - times[first]! > lengthInMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}
