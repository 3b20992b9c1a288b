import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Failed } from '../contract/failure.ts'
import type { Files } from '../core/host.ts'

/** Files written beside their place and put there whole. */
export const files: Files = {
  write: async (path) => {
    const unfinished = join(dirname(path), `.${basename(path)}.part`)
    const stream = createWriteStream(unfinished)
    const told = (error: unknown): Failed =>
      new Failed({ kind: 'invalid', field: 'file', message: `The file cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}.` })
    let size = 0
    let broken: unknown = null
    stream.on('error', (error) => (broken = error))
    const settled = (work: (done: (error?: Error | null) => void) => void): Promise<void> =>
      new Promise((resolve, reject) => (broken === null ? work((error) => (error ? reject(told(error)) : resolve())) : reject(told(broken))))
    return {
      write: (piece) => {
        size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
        return settled((done) => stream.write(piece, done))
      },
      finish: async () => {
        await settled((done) => stream.end(done))
        await rename(unfinished, path).catch((error: unknown) => {
          throw told(error)
        })
        return size
      },
      discard: async () => {
        stream.destroy()
        await rm(unfinished, { force: true })
      },
    }
  },
}
