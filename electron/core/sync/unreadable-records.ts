import type { UnreadableRecord } from '../../contract/api/devices.ts'
import type { Json } from '../../contract/json.ts'
import type { Database, Transaction } from '../platform.ts'
import { withoutSettingValues } from '../settings/settings.ts'
import type { RecordKind } from '../storage/store.ts'
import type { Round } from './record-writer.ts'
import type { StreamName } from './round.ts'

/**
 * Distinct records stored for a stream; others are only counted. Enough to recognize the problem; raise it if
 * not.
 */
const storedAtMost = 200
/** Maximum stored characters of one record. Raise it if the cause of a problem is in the truncated part. */
const lengthAtMost = 8 * 1024
/** The reason in the row that counts the records that are not stored. */
const notStored = 'not-kept'

interface Found {
  readonly why: string
  times: number
}

/** The unreadable records of one page: equal ones are one row with their count. */
export class UnreadableOfPage {
  readonly #kind: RecordKind
  readonly #stream: StreamName
  readonly #receivedAt: number
  readonly #found = new Map<string, Found>()
  #more = 0

  constructor(kind: RecordKind, stream: StreamName, receivedAt: number) {
    this.#kind = kind
    this.#stream = stream
    this.#receivedAt = receivedAt
  }

  add(item: Json, why: string): void {
    const text = JSON.stringify(withoutSettingValues(item))
    const json = text.length > lengthAtMost ? `${text.slice(0, lengthAtMost)}…` : text
    const known = this.#found.get(json)
    if (known !== undefined) known.times++
    else if (this.#found.size < storedAtMost) this.#found.set(json, { why, times: 1 })
    else this.#more++
  }

  /** Returns how many of them are new in this stream. */
  write(transaction: Transaction, round: Round): number {
    if (this.#found.size === 0) return 0
    const of = [round.organizationId, this.#kind, round.syncId, this.#stream] as const
    let stored = Number(
      transaction.first(
        'SELECT count(*) AS n FROM unreadable_record WHERE organization_id = ? AND kind = ? AND sync_id = ? AND stream = ?',
        of,
      )?.['n'],
    )
    let unmet = this.#more
    let more = this.#more
    for (const [json, { why, times }] of this.#found) {
      if (this.#counted(transaction, of, json, times)) continue
      unmet++
      if (stored < storedAtMost) {
        stored++
        this.#insert(transaction, round, why, json, times)
      } else more += times
    }
    // The row of records that are not stored is named after the stream: the counts of two streams are added,
    // because it is not known whether their records are equal.
    if (more > 0 && !this.#counted(transaction, of, this.#stream, more))
      this.#insert(transaction, round, notStored, this.#stream, more)
    return unmet
  }

  #counted(
    transaction: Transaction,
    of: readonly [string, string, number, string],
    json: string,
    times: number,
  ): boolean {
    const sql =
      'UPDATE unreadable_record SET times = times + ? WHERE organization_id = ? AND kind = ? AND sync_id = ? AND stream = ? AND json = ?'
    return transaction.run(sql, [times, ...of, json]).changes > 0
  }

  #insert(
    transaction: Transaction,
    { organizationId, syncId }: Round,
    why: string,
    json: string,
    times: number,
  ): void {
    transaction.run(
      'INSERT INTO unreadable_record (organization_id, kind, why, json, observed_at, sync_id, stream, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      [organizationId, this.#kind, why, json, this.#receivedAt, syncId, this.#stream, times],
    )
  }
}

/**
 * An organization's stored unreadable records; the others are one entry with their count, the last of its
 * kind.
 */
export async function unreadableRecords(
  database: Database,
  organizationId: string,
): Promise<readonly UnreadableRecord[]> {
  const rows = await database.query(
    'SELECT kind, why, json, observed_at, times FROM unreadable_record WHERE organization_id = ? ORDER BY kind, why = ?, row_id LIMIT 1000',
    [organizationId, notStored],
  )
  return rows.map((row) => ({
    of: row['kind'] === 'room' ? 'room' : 'device',
    why: String(row['why']),
    raw: row['why'] === notStored ? null : String(row['json']),
    observedAt: Number(row['observed_at']),
    times: Number(row['times']),
  }))
}
