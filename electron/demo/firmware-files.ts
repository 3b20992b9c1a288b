import { mix, numberOf, pick, sequence } from './random.ts'

/** Bytes that differ from block to block; the first eight bytes of a block contain its number. */
const blockSize = 65536
/** The first bytes of an archive: Headroom refuses a `.zip` without them. */
const zip = 0x504b0304

/**
 * The bytes `from` (inclusive) to `to` (exclusive) of a demonstration file. The same name always gives the
 * same bytes.
 */
export function* firmwareBytes(name: string, from: number, to: number): Generator<Uint8Array> {
  const template = new Uint8Array(blockSize)
  const words = new Uint32Array(template.buffer)
  const start = numberOf(name)
  for (let at = 0; at < words.length; at += 1) words[at] = mix(start, at)
  for (let at = from; at < to;) {
    const block = Math.floor(at / blockSize)
    const bytes = template.slice()
    const view = new DataView(bytes.buffer)
    view.setBigUint64(0, BigInt(block))
    if (block === 0 && /\.zip\b/.test(name)) view.setUint32(0, zip)
    const begin = at - block * blockSize
    const end = Math.min(blockSize, to - block * blockSize)
    yield begin === 0 && end === blockSize ? bytes : bytes.subarray(begin, end)
    at += end - begin
  }
}

/**
 * Older versions of a release, newest first: made up, because only each product's latest is known. Three or
 * four parts, as in the latest.
 */
export const olderVersions = (latest: string, productId: number): string[] => {
  const chance = sequence(numberOf(latest), productId)
  const count = 3 + Math.floor(chance() * 3)
  const versions: string[] = []
  let parts = latest.split('.').map(Number)
  while (versions.length < count) {
    const next = [...parts]
    const last = next.length - 1
    const smaller = (at: number): number => Math.floor((next[at] ?? 0) * (0.3 + 0.6 * chance()))
    if ((next[last] ?? 0) > 0 && chance() < 0.45) next[last] = smaller(last)
    else if ((next[1] ?? 0) > 0) {
      next[1] = Math.max(0, (next[1] ?? 1) - 1 - Math.floor(chance() * 2))
      for (let at = 2; at <= last; at += 1)
        next[at] = at === 3 ? 5 + Math.floor(chance() * 30) : Math.floor(chance() * 5)
    } else if ((next[0] ?? 0) > 1) {
      next[0] = (next[0] ?? 1) - 1
      next[1] = 3 + Math.floor(chance() * 9)
      for (let at = 2; at <= last; at += 1) next[at] = Math.floor(chance() * 4)
    } else break
    parts = next
    versions.push(next.join('.'))
  }
  return [...new Set(versions)]
}

/**
 * The file name of another version, in the style of the known one: dots, dashes or underscores, sometimes two
 * kinds at once.
 */
export const fileNameOf = (known: string, latest: string, version: string): string => {
  if (version === latest) return known
  const spelt = new RegExp(latest.split('.').join('[.\\-_]')).exec(known)
  if (spelt === null) return known.replace(/(\.\w+)$/, `_${version}$1`)
  const separators = spelt[0].match(/[.\-_]/g) ?? []
  const text = version
    .split('.')
    .map((part, at) => (at === 0 ? part : `${separators[at - 1] ?? '.'}${part}`))
    .join('')
  return known.replace(spelt[0], text)
}

/** Release date, epoch milliseconds; `age` 0 is the newest. Made up. */
export const releaseDate = (productId: number, age: number): number => {
  const newest = Date.UTC(2026, 7, 28) - Math.floor((mix(productId, 77) / 4294967296) * 170) * 86_400_000
  let at = newest
  for (let step = 1; step <= age; step += 1)
    at -= pick([49, 63, 84, 112, 147], mix(productId, 78, step) / 4294967296) * 86_400_000
  return at
}
