import { constants, unwatchFile, watchFile } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { PolicyFile } from '../../core/platform.ts'

export interface OwnedPlace {
  readonly file: string
  /** Id of the user to whom the file and the folders above it belong. */
  readonly owner: number
  /** The uppermost of these folders. */
  readonly top: string
}

/** A longer file is no policy. */
const bytesAtMost = 1_048_575
const writeOfOthers = 0o022
/** How soon a change of the file is seen. One look is one `stat`; lower it if a policy holds too late. */
const lookEveryInMs = 2_000

/**
 * A file that only its owner can have written: judged on the open handle, opened without following a link and
 * without waiting for the writer of a pipe. Never rejects.
 */
export async function readOwnedFile(place: OwnedPlace): Promise<PolicyFile> {
  const { file } = place
  let handle: FileHandle | null = null
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const problem = (await fileProblem(handle, place)) ?? (await folderProblem(place))
    return problem === null ? await bytesOf(handle, file) : refused(file, problem)
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { kind: 'none', file }
    return refused(file, code === 'ELOOP' ? 'it is a link' : `it cannot be read (${code})`)
  } finally {
    await handle?.close().catch(() => undefined)
  }
}

export const refused = (file: string, why: string): PolicyFile => ({
  kind: 'refused',
  file,
  problem: `${file} cannot be trusted: ${why}.`,
})

export async function bytesOf(handle: FileHandle, file: string): Promise<PolicyFile> {
  const { size } = await handle.stat()
  if (size > bytesAtMost) return refused(file, 'it is larger than 1 MB')
  return { kind: 'found', file, bytes: await handle.readFile() }
}

async function fileProblem(handle: FileHandle, { owner }: OwnedPlace): Promise<string | null> {
  const found = await handle.stat()
  return found.isFile() ? ownerProblem(found, owner, 'it') : 'it is not a regular file'
}

async function folderProblem({ file, owner, top }: OwnedPlace): Promise<string | null> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = await lstat(folder)
    const problem = found.isDirectory() ? ownerProblem(found, owner, folder) : `${folder} is not a folder`
    if (problem !== null || folder === top) return problem
  }
}

function ownerProblem(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  owner: number,
  what: string,
): string | null {
  if (uid !== owner) return `${what} does not belong to ${owner === 0 ? 'root' : `user ${owner}`}`
  return (mode & writeOfOthers) === 0 ? null : `others than its owner may write to ${what}`
}

/** `changed` is called when the file appears, changes or goes. Returns the function that ends it. */
export function watchPath(file: string, changed: () => void): () => void {
  const listener = (): void => changed()
  watchFile(file, { persistent: false, interval: lookEveryInMs }, listener)
  return () => unwatchFile(file, listener)
}
