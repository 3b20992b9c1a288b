import type { ProductId } from '../../contract/api/firmware.ts'
import type { ProductPicture } from '../../contract/api/pictures.ts'
import type { Database, SqlRow } from '../platform.ts'
import { runStatements } from '../storage/statements.ts'
import type { PictureHead, PictureType } from './picture-file.ts'

/**
 * Maximum of stored pictures; the one fetched first is deleted first. A fleet has some dozen products; raise
 * it for more.
 */
const cachedAtMost = { bytes: 64 * 1024 * 1024, pictures: 400 }

export interface CachedPicture extends ProductPicture {
  readonly fetchedAt: number
}

export interface PictureFile {
  readonly type: PictureType
  readonly bytes: Uint8Array
}

/** Pictures in the store. Every method rejects with Failed `cache-unusable`. */
export interface CachedPictures {
  /** The pictures of one metadata interface. */
  all(of: string): Promise<readonly CachedPicture[]>
  /** null: none is stored under this id. */
  file(id: string): Promise<PictureFile | null>
  keep(of: string, picture: CachedPicture, head: PictureHead, bytes: Uint8Array): Promise<void>
  /** The pictures of every metadata interface. */
  clear(): Promise<void>
}

export function openCachedPictures(database: Database, atMost = cachedAtMost): CachedPictures {
  return {
    all: async (of) =>
      (
        await database.query(
          'SELECT vendor_id, product_id, id, width, height, fetched_at FROM picture WHERE interface = ? ORDER BY vendor_id, product_id',
          [of],
        )
      ).map(pictureOf),

    async file(id) {
      const [row] = await database.query('SELECT type, bytes FROM picture WHERE id = ? LIMIT 1', [id])
      return row?.['bytes'] instanceof Uint8Array
        ? { type: String(row['type']) as PictureType, bytes: row['bytes'] }
        : null
    },

    async keep(of, { vendorId, productId, id, fetchedAt }, { type, width, height }, bytes) {
      await database.perform(runStatements, [
        {
          sql: 'INSERT OR REPLACE INTO picture (interface, vendor_id, product_id, id, type, width, height, size, fetched_at, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          parameters: [of, vendorId, productId, id, type, width, height, bytes.length, fetchedAt, bytes],
        },
        {
          sql: `DELETE FROM picture WHERE rowid IN (
            SELECT rowid FROM (
              SELECT rowid, row_number() OVER newest AS place, sum(size) OVER newest AS bytes_so_far
              FROM picture WINDOW newest AS (ORDER BY fetched_at DESC, rowid DESC)
            ) WHERE place > ? OR bytes_so_far > ?
          )`,
          parameters: [atMost.pictures, atMost.bytes],
        },
      ])
    },

    clear: async () => {
      await database.perform(runStatements, [{ sql: 'DELETE FROM picture', parameters: [] }])
    },
  }
}

const pictureOf = (row: SqlRow): CachedPicture => ({
  vendorId: Number(row['vendor_id']),
  productId: Number(row['product_id']),
  id: String(row['id']),
  width: Number(row['width']),
  height: Number(row['height']),
  fetchedAt: Number(row['fetched_at']),
})

export const isOf = (product: ProductId) => (picture: ProductId) =>
  picture.vendorId === product.vendorId && picture.productId === product.productId
