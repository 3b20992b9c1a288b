import { basename } from 'node:path'
import type { VerifiedFile } from '../../contract/api/downloads.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import { FolderError, type Folders } from '../platform.ts'
import type { RunningTask } from '../tasks.ts'
import { bytesOf } from './file-bytes.ts'
import type { Ledger } from './ledger.ts'

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
