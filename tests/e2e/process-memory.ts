import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

interface ProcessRead {
  /** Bytes of writable memory that were read. */
  readonly bytes: number
  /** How often each text was found, in any of its spellings. */
  readonly found: readonly number[]
}

const spellings = (text: string): readonly Buffer[] => [
  Buffer.from(text),
  Buffer.from(text, 'utf16le'),
  Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '')),
]
const pieceInBytes = 4 * 1024 * 1024

/** The processes that this one started, in any generation, and itself. Linux only. */
export function startedBy(id: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // After the name, which may contain spaces, and the state.
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'latin1')
          .replace(/^.*\) /s, '')
          .split(' ')
        return [[Number(name), Number(parent)] as const]
      } catch {
        return []
      }
    })
  const below = (one: number): readonly number[] => [
    one,
    ...parents.flatMap(([child, parent]) => (parent === one ? below(child) : [])),
  ]
  return below(id)
}

export const wordsOf = (id: number): string =>
  readFileSync(`/proc/${id}/cmdline`, 'latin1').replaceAll('\0', ' ')

const pageInBytes = 4096

/** Parts of the writable memory that have content, as addresses: a process reserves far more than it uses. */
function writtenParts(id: number): readonly (readonly [from: bigint, bytes: number])[] {
  const pages = openSync(`/proc/${id}/pagemap`, 'r')
  const parts: [bigint, number][] = []
  try {
    for (const line of readFileSync(`/proc/${id}/maps`, 'latin1').split('\n')) {
      const [, from = '', to = ''] = /^([\da-f]+)-([\da-f]+) rw/.exec(line) ?? []
      if (from === '') continue
      const start = BigInt(`0x${from}`)
      const entries = Buffer.alloc((Number(BigInt(`0x${to}`) - start) / pageInBytes) * 8)
      readSync(pages, entries, 0, entries.length, (start / BigInt(pageInBytes)) * 8n)
      let before = false
      for (let page = 0; page * 8 < entries.length; page++) {
        // In memory, or swapped.
        const has = (entries[page * 8 + 7]! & 0xc0) !== 0
        if (has && before && parts.at(-1)![1] < pieceInBytes) parts.at(-1)![1] += pageInBytes
        else if (has) parts.push([start + BigInt(page * pageInBytes), pageInBytes])
        before = has
      }
    }
  } finally {
    closeSync(pages)
  }
  return parts
}

/** Searches the writable memory of a process for texts. Throws EACCES where the system does not allow it. */
export function searchMemory(id: number, texts: readonly string[]): ProcessRead {
  const wanted = texts.map(spellings)
  const found = texts.map(() => 0)
  const piece = Buffer.alloc(pieceInBytes)
  let bytes = 0
  const memory = openSync(`/proc/${id}/mem`, 'r')
  try {
    for (const [from, length] of writtenParts(id)) {
      let read = 0
      try {
        read = readSync(memory, piece, 0, length, from)
      } catch {
        // Given back meanwhile, or of a device.
      }
      const text = piece.subarray(0, read)
      for (const [index, forms] of wanted.entries())
        for (const form of forms)
          for (let hit = text.indexOf(form); hit >= 0; hit = text.indexOf(form, hit + 1)) found[index]! += 1
      bytes += read
    }
  } finally {
    closeSync(memory)
  }
  return { bytes, found }
}
