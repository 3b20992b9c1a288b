import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * What recorder.c recorded, in order: creating, writing (write, pwrite and their vectors), truncating, syncing (fsync, fdatasync),
 * renaming, linking and deleting files of the data folder, and requests that change something. strace shows no other changing call of
 * Node and its SQLite there, but for permissions and the index of a log (`-shm`), which is mapped, and which SQLite makes anew.
 */
type Kind =
  | 'create'
  | 'write'
  | 'truncate'
  | 'sync'
  | 'rename'
  | 'unlink'
  | 'mkdir'
  | 'link'
  | 'sent'
  | 'open'
const kinds: readonly (Kind | null)[] = [
  null,
  'create',
  'write',
  'truncate',
  'sync',
  'rename',
  'unlink',
  'mkdir',
  'link',
  'sent',
  'open',
]
export interface Recorded {
  readonly kind: Kind
  readonly inode: bigint
  readonly offset: number
  /** Of a sync: how many records there were when it began. */
  readonly begun: number
  readonly data: Buffer
}
const headerBytes = 32
const pageBytes = 4_096

/** A program was killed while it recorded: half a record at the end is left out. */
export function readRecords(log: string): readonly Recorded[] {
  const bytes = readFileSync(log)
  const records: Recorded[] = []
  for (let at = 0; at + headerBytes <= bytes.length;) {
    const end = at + headerBytes + bytes.readUInt32LE(at + 4)
    const kind = kinds[bytes.readUInt32LE(at)]
    if (kind == null) throw new Error(`There is no record at ${at}.`)
    if (end > bytes.length) break
    records.push({
      kind,
      inode: bytes.readBigUInt64LE(at + 8),
      offset: Number(bytes.readBigInt64LE(at + 16)),
      begun: Number(bytes.readBigUInt64LE(at + 24)),
      data: bytes.subarray(at + headerBytes, end),
    })
    at = end
  }
  return records
}

const pathsOf = ({ data }: Recorded): readonly string[] => data.toString('utf8').split('\0').slice(0, -1)

/** The bytes of a file while they are replayed. */
class Content {
  #bytes: Buffer
  #size: number
  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#size = bytes.length
  }
  write(at: number, piece: Buffer): void {
    this.cut(Math.max(this.#size, at + piece.length))
    piece.copy(this.#bytes, at)
  }
  cut(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, 2 * this.#bytes.length))
      this.#bytes.copy(grown)
      this.#bytes = grown
    }
    if (size < this.#size) this.#bytes.fill(0, size, this.#size)
    this.#size = size
  }
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }
}

/**
 * The folder as a disk could have it when the power failed after these records. What was synced is there. Of every page that was written
 * since, the disk has one of its later contents or none; creating, truncating, renaming and deleting reached it in their order up to some
 * moment, at least up to the last sync of any file, as the journal of ext4, XFS or NTFS does it. `random`: 0 to 1. Returns how many writes
 * of pages were lost.
 */
export function replay(
  { base, from, folder }: { readonly base: string; readonly from: string; readonly folder: string },
  records: readonly Recorded[],
  random: () => number,
): number {
  cpSync(base, folder, { recursive: true, filter: (path) => !/-shm$|\.sock$/.test(path) })
  /** By inode, the number of records that its last sync covers. */
  const synced = new Map<bigint, number>()
  for (const { kind, inode, begun } of records)
    if (kind === 'sync') synced.set(inode, Math.max(begun, synced.get(inode) ?? 0))
  // Often everything or nothing that was not synced is there.
  const share = [0, 1, random(), random()][Math.floor(random() * 4)] ?? 0
  const until = (least: number): number =>
    random() < share ? least + Math.ceil((share === 1 ? 1 : random()) * (records.length - least)) : least
  const namedUntil = until(Math.max(0, ...synced.values()))
  const pageUntil = new Map<string, number>()
  /** The path of each file at this moment; null: this disk does not have it. */
  const paths = new Map<bigint, string | null>()
  const contents = new Map<string, Content>()
  const contentOf = (inode: bigint): Content | null => {
    const path = paths.get(inode) ?? null
    if (path === null) return null
    const known = contents.get(path) ?? new Content(existsSync(path) ? readFileSync(path) : Buffer.alloc(0))
    contents.set(path, known)
    return known
  }
  let lost = 0
  const write = ({ inode, offset, data }: Recorded, index: number): void => {
    const content = contentOf(inode)
    for (let done = 0; content !== null && done < data.length;) {
      const at = offset + done
      const size = Math.min(data.length - done, pageBytes - (at % pageBytes))
      const page = `${inode} ${Math.floor(at / pageBytes)}`
      const last = pageUntil.get(page) ?? until(synced.get(inode) ?? 0)
      pageUntil.set(page, last)
      if (index < last) content.write(at, data.subarray(done, done + size))
      else lost++
      done += size
    }
  }
  const name = (one: Recorded, isThere: boolean): void => {
    const { kind, inode } = one
    const [path = '', other = ''] = pathsOf(one).map((named) => join(folder, named.slice(from.length)))
    if (kind === 'open' && !paths.has(inode)) paths.set(inode, path)
    if (kind === 'create') paths.set(inode, isThere ? path : null)
    if (!isThere) return
    if (kind === 'create') contents.set(path, new Content(Buffer.alloc(0)))
    if (kind === 'mkdir') mkdirSync(path, { recursive: true })
    const content = contents.get(path)
    if (kind === 'link' && content !== undefined) contents.set(other, content)
    if (kind !== 'rename' && kind !== 'unlink') return
    if (kind === 'rename' && existsSync(path)) renameSync(path, other)
    if (kind === 'rename' && content !== undefined) contents.set(other, content)
    contents.delete(path)
    rmSync(path, { recursive: true, force: true })
    for (const [id, known] of paths) if (known === path) paths.set(id, kind === 'rename' ? other : null)
  }
  for (const [index, one] of records.entries()) {
    if (one.kind === 'write') write(one, index)
    else if (one.kind === 'truncate') {
      if (index < namedUntil) contentOf(one.inode)?.cut(one.offset)
    } else if (one.kind !== 'sync' && one.kind !== 'sent') name(one, index < namedUntil)
  }
  for (const [path, { bytes }] of contents) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes, { mode: 0o600 })
  }
  return lost
}
