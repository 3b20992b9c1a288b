import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failed } from '../contract/failure.ts'
import type { Files } from '../core/platform.ts'
import { renameFile } from './rename-file.ts'

/** Texts for file errors. Windows reports EPERM, EACCES or EBUSY for a file that is open in a spreadsheet. */
const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENOENT: 'the folder does not exist',
  EROFS: 'the folder is read-only',
  EBUSY: 'it is open in another program',
  EPERM: 'it is open in another program, or you are not allowed to write there',
  EACCES: 'it is open in another program, or you are not allowed to write there',
}

function writeError(error: unknown): Failed {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  const why = words[code]
  return Failed.invalid(
    'file',
    `The file cannot be written: ${why === undefined ? code : `${why} (${code})`}.`,
  )
}

/** The mode of the replaced file; for a new file the default mode of this process. */
async function rightsAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found === null ? 0o666 & ~process.umask() : found.mode & 0o777
}

/**
 * Writes a file under a temporary name in the same folder and renames it when complete. Until then it is
 * accessible to its owner only.
 */
export const files: Files = {
  write: async (path) => {
    // Two files with one name may be written at once; the last one to finish remains.
    const unfinished = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.part`)
    const stream = createWriteStream(unfinished, { mode: 0o600 })
    let size = 0
    let broken: unknown = null
    stream.on('error', (error) => (broken = error))
    const settled = (work: (done: (error?: Error | null) => void) => void): Promise<void> =>
      new Promise((resolve, reject) =>
        broken === null
          ? work((error) => (error ? reject(writeError(error)) : resolve()))
          : reject(writeError(broken)),
      )
    return {
      write: (piece) => {
        size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
        return settled((done) => stream.write(piece, done))
      },
      finish: async () => {
        await settled((done) => stream.end(done))
        try {
          await chmod(unfinished, await rightsAt(path))
          await renameFile(unfinished, path)
        } catch (error) {
          throw writeError(error)
        }
        return size
      },
      discard: async () => {
        stream.destroy()
        await rm(unfinished, { force: true })
      },
    }
  },
}
