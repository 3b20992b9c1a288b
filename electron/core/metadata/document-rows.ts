import { DatabaseError, type Database, type Log, type Procedure, type SqlRow } from '../platform.ts'
import { runStatements } from '../storage/statements.ts'

/**
 * Bytes of text in the store: the oldest documents are deleted first. Raise it if documents are fetched again
 * too early.
 */
const cachedAtMost = 256 * 1024 * 1024

/** A document in the form of its table row. */
export interface DocumentRow {
  readonly address: string
  readonly status: number
  readonly body: string
  readonly headers: string
  readonly requestedAt: number
  readonly observedAt: number
  readonly size: number
  readonly redirectedTo: string | null
}

/**
 * Writes a document and deletes the oldest ones if the total is too large. `cachedBytes`: size of all
 * documents so far. Returns the number of added bytes, and as `total` the new total if documents were
 * deleted, else null.
 */
export const insertDocument: Procedure<
  DocumentRow & { readonly cachedBytes: number },
  { readonly grownBy: number; readonly total: number | null }
> = {
  name: 'metadata.insert-document',
  run(transaction, document) {
    const { address, status, body, headers, requestedAt, observedAt, size, redirectedTo } = document
    const previous = Number(
      transaction.first('SELECT size FROM metadata_document WHERE address = ?', [address])?.['size'] ?? 0,
    )
    transaction.run(
      `INSERT INTO metadata_document (address, status, body, headers, requested_at, observed_at, size, redirected_to) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (address) DO UPDATE SET status = excluded.status, body = excluded.body, headers = excluded.headers,
           requested_at = excluded.requested_at, observed_at = excluded.observed_at, size = excluded.size,
           redirected_to = excluded.redirected_to`,
      [address, status, body, headers, requestedAt, observedAt, size, redirectedTo],
    )
    const grownBy = size - previous
    if (document.cachedBytes + grownBy <= cachedAtMost) return { grownBy, total: null }
    transaction.run(
      `DELETE FROM metadata_document WHERE address IN (SELECT address FROM
           (SELECT address, prepared, SUM(size) OVER (ORDER BY prepared DESC, observed_at DESC, address) AS total
              FROM metadata_document) WHERE total > ? AND prepared = 0)`,
      [cachedAtMost],
    )
    const stored = transaction.first('SELECT COALESCE(SUM(size), 0) AS bytes FROM metadata_document')
    return { grownBy, total: Number(stored?.['bytes'] ?? 0) }
  },
}

/** The rows of cached documents and responses. */
export class DocumentRows {
  readonly #database: Database
  readonly #log: Log
  /**
   * Bytes in the store, counted once and then maintained: reading `size` of every row would read every body.
   */
  #cachedBytes: number | null = null

  constructor(database: Database, log: Log) {
    this.#database = database
    this.#log = log
  }

  find(address: string): Promise<SqlRow | undefined> {
    return this.#despiteStore(undefined, async () => {
      const [row] = await this.#database.query(
        'SELECT status, body, headers, observed_at, size, redirected_to FROM metadata_document WHERE address = ?',
        [address],
      )
      return row
    })
  }

  /** The published documents of two addresses, the newer one first. */
  newestOf(addresses: readonly [string, string]): Promise<SqlRow | undefined> {
    return this.#despiteStore(undefined, async () => {
      const [row] = await this.#database.query(
        'SELECT body, headers, observed_at FROM metadata_document WHERE address IN (?, ?) AND status = 200 ORDER BY observed_at DESC LIMIT 1',
        addresses,
      )
      return row
    })
  }

  insert(row: DocumentRow): Promise<void> {
    return this.#despiteStore(undefined, async () => {
      this.#cachedBytes ??= (await this.size()).bytes
      const { grownBy, total } = await this.#database.perform(insertDocument, {
        ...row,
        cachedBytes: this.#cachedBytes,
      })
      this.#cachedBytes = total ?? this.#cachedBytes + grownBy
    })
  }

  renew(row: Pick<DocumentRow, 'address' | 'headers' | 'requestedAt' | 'observedAt'>): Promise<void> {
    const { address, headers, requestedAt, observedAt } = row
    const sql =
      'UPDATE metadata_document SET headers = ?, requested_at = ?, observed_at = ? WHERE address = ?'
    const parameters = [headers, requestedAt, observedAt, address]
    return this.#despiteStore(undefined, async () => {
      await this.#database.perform(runStatements, [{ sql, parameters }])
    })
  }

  /** Documents that are not deleted to make room for others. */
  prepare(addresses: readonly string[]): Promise<void> {
    const sql = 'UPDATE metadata_document SET prepared = 1 WHERE address IN (SELECT value FROM json_each(?))'
    return this.#despiteStore(undefined, async () => {
      await this.#database.perform(runStatements, [{ sql, parameters: [JSON.stringify(addresses)] }])
    })
  }

  async size(): Promise<{ documents: number; bytes: number }> {
    const [row] = await this.#database.query(
      'SELECT COUNT(*) AS documents, COALESCE(SUM(size), 0) AS bytes FROM metadata_document',
    )
    return { documents: Number(row?.['documents'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) }
  }

  async clear(): Promise<void> {
    await this.#database.perform(runStatements, [{ sql: 'DELETE FROM metadata_document', parameters: [] }])
    this.#cachedBytes = 0
  }

  /**
   * If the store is full or damaged, the copy is lost but the document is returned: storage reports the
   * problem itself.
   */
  async #despiteStore<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error
      this.#log.write('warn', 'A metadata document could not be saved in or read from the store', {
        reason: error.reason,
        file: error.file,
      })
      return otherwise
    }
  }
}
