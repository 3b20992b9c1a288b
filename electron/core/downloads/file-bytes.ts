import { createHash } from 'node:crypto'
import { Failed } from '../../contract/failure.ts'
import type { FileBytes, ValidEntry, Ledger } from './ledger.ts'
import type { FileChecks, FileMismatch, PublishedCheck } from '../../contract/download.ts'
import type { PublishedFile } from './download-rows.ts'
import { basename } from 'node:path'
import type { VerifiedFile } from '../../contract/api/downloads.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import { FolderError, type Folders } from '../platform.ts'
import type { RunningTask } from '../tasks.ts'

/** Bytes that show what a file is; pages and errors begin with text. */
const headBytes = 512

/** Both hashes of the stored and arriving bytes. */
export class Hashes {
  #sha256 = createHash('sha256')
  #md5 = createHash('md5')
  #head = new Uint8Array(0)
  bytes = 0
  add(piece: Uint8Array): void {
    this.#sha256.update(piece)
    this.#md5.update(piece)
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, piece.subarray(0, headBytes - this.#head.length)])
    this.bytes += piece.length
  }
  /** What these bytes are, if they are no file of this name; null: they may be one. */
  otherThan(file: string): string | null {
    if (this.bytes === 0) return 'an empty file'
    const text = Buffer.from(this.#head).toString('latin1')
    const isText = !/[\0-\x08\x0e-\x1f\x7f]/.test(text)
    if (isText && /^(?:\xef\xbb\xbf)?\s*(?:<[!?a-z]|\{)/i.test(text)) return 'a page or an error as text'
    return /\.zip$/i.test(file) && !text.startsWith('PK\x03\x04') ? 'something that is not a zip file' : null
  }
  now(): FileBytes {
    return {
      sha256: this.#sha256.copy().digest('hex'),
      md5: this.#md5.copy().digest('hex'),
      bytes: this.bytes,
    }
  }
}

async function addTo(
  add: (piece: Uint8Array) => void,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  for await (const piece of pieces) {
    if (signal.aborted) throw new Failed({ kind: 'cancelled' })
    add(piece)
  }
}

export async function hashesOf(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Hashes> {
  const hashes = new Hashes()
  await addTo((piece) => hashes.add(piece), pieces, signal)
  return hashes
}

/** Alone it takes half of the time of both. */
export async function sha256Of(pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const sha256 = createHash('sha256')
  await addTo((piece) => sha256.update(piece), pieces, signal)
  return sha256.digest('hex')
}

export const bytesOf = async (pieces: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<FileBytes> =>
  (await hashesOf(pieces, signal)).now()

export type Mismatch = (
  what: FileMismatch,
  expected: string | null,
  actual: string | null,
  sinceAt: number | null,
  checks: FileChecks,
) => Failed

const distinct = <T>(values: readonly T[]): readonly T[] => [...new Set(values)]

/** Two published values that differ: no file can match both. */
export function refuseContradiction({ sizes, md5s }: PublishedFile, mismatch: Mismatch): void {
  const [what, values]: [FileMismatch, readonly (string | number)[]] =
    distinct(md5s).length > 1 ? ['md5', distinct(md5s)] : ['size', distinct(sizes)]
  if (values.length < 2) return
  throw mismatch(what, values.join(', '), null, null, {
    ...checksOf(null, { sizes, md5s }),
    [what]: 'failed',
  })
}

/** false: there is nothing to compare it with. Throws Failed `file-mismatch` if they differ. */
export function isTheSame(
  there: FileBytes,
  known: Pick<ValidEntry, 'sha256' | 'at' | 'isVerified'> | null,
  published: PublishedFile,
  mismatch: Mismatch,
): boolean {
  const checks = checksOf(there, published)
  if (known?.isVerified === true && known.sha256 !== there.sha256)
    throw mismatch('existing', known.sha256, there.sha256, known.at, { ...checks, ledger: 'changed' })
  const { sizes, md5s } = published
  if (checks.md5 === 'failed') throw mismatch('existing', md5s[0] ?? null, there.md5, null, checks)
  if (checks.size === 'failed')
    throw mismatch('existing', String(sizes[0] ?? ''), String(there.bytes), null, checks)
  return checks.md5 === 'ok' || known?.sha256 === there.sha256
}

/** null: there is no complete file to compare. */
export function checksOf(there: FileBytes | null, { sizes, md5s }: PublishedFile): FileChecks {
  const against = <T>(published: readonly T[], actual: T | undefined): PublishedCheck => {
    const values = distinct(published)
    if (values.length === 0) return 'not published'
    if (actual === undefined) return 'not compared'
    return values.length === 1 && values[0] === actual ? 'ok' : 'failed'
  }
  return { size: against(sizes, there?.bytes), md5: against(md5s, there?.md5), ledger: null }
}

/** A file as a release names it. */
export interface PublishedName extends ProductId {
  readonly name: string
  readonly version: string
  readonly fileName: string | null
  /** Lower-case hex. */
  readonly md5: string | null
}

/** Identifies files by the ledger and the cached catalogue; sends no request. Paths are absolute. */
export async function verifyFiles(
  paths: readonly string[],
  {
    folders,
    ledger,
    published,
  }: { readonly folders: Folders; readonly ledger: Ledger; readonly published: readonly PublishedName[] },
  task: RunningTask,
): Promise<readonly VerifiedFile[]> {
  const found: VerifiedFile[] = []
  for (const path of paths) {
    task.step('files', found.length, paths.length)
    found.push(await verify(path, folders, ledger, published, task.signal))
  }
  return found
}

async function verify(
  path: string,
  folders: Folders,
  ledger: Ledger,
  published: readonly PublishedName[],
  signal: AbortSignal,
): Promise<VerifiedFile> {
  const name = basename(path)
  try {
    const read = await bytesOf(folders.read(path), signal)
    const file = { file: path, ...read }
    const received = await ledger.withHash(read.sha256)
    if (received.length > 0) return { ...file, result: 'known', by: 'ledger', products: once(received) }
    const named = published.filter(({ md5 }) => md5 === read.md5)
    if (named.length > 0) return { ...file, result: 'known', by: 'md5', products: once(named) }
    const isOurs =
      published.some(({ fileName }) => fileName === name) || (await ledger.wasWritten(path, name))
    return { ...file, result: isOurs ? 'changed' : 'unknown', by: null, products: [] }
  } catch (error) {
    if (!(error instanceof FolderError)) throw error
    return { file: path, bytes: null, sha256: null, md5: null, result: 'unreadable', by: null, products: [] }
  }
}

const once = (all: VerifiedFile['products']): VerifiedFile['products'] => [
  ...new Map(
    all.map(({ vendorId, productId, name, version }) => [
      `${vendorId}/${productId} ${version}`,
      { vendorId, productId, name, version },
    ]),
  ).values(),
]
