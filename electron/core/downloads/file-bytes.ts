import { createHash } from 'node:crypto'
import { Failed } from '../../contract/failure.ts'
import type { FileBytes } from './ledger.ts'

/** Both hashes of the stored and arriving bytes. */
export class Hashes {
  #sha256 = createHash('sha256')
  #md5 = createHash('md5')
  bytes = 0
  add(piece: Uint8Array): void {
    this.#sha256.update(piece)
    this.#md5.update(piece)
    this.bytes += piece.length
  }
  now(): FileBytes {
    return {
      sha256: this.#sha256.copy().digest('hex'),
      md5: this.#md5.copy().digest('hex'),
      bytes: this.bytes,
    }
  }
}

export async function bytesOf(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal | null = null,
): Promise<FileBytes> {
  const hashes = new Hashes()
  for await (const piece of pieces) {
    if (signal?.aborted === true) throw new Failed({ kind: 'cancelled' })
    hashes.add(piece)
  }
  return hashes.now()
}
