import type { UnreadableRecord } from '../../contract/api/devices.ts'
import type { Json } from '../../contract/json.ts'
import { unseen } from '../../contract/unseen.ts'
import { identifyingWords } from '../management/management.ts'
import type { Database, Transaction } from '../platform.ts'
import { withoutSettingValues } from '../settings/settings.ts'
import type { RecordKind } from '../storage/store.ts'
import type { SyncOrigin } from './record-writer.ts'
import type { StreamName } from './sync-rows.ts'

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
  readonly identity: string
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
    else if (this.#found.size < storedAtMost)
      this.#found.set(json, { why, identity: identityOf(item), times: 1 })
    else this.#more++
  }

  /** Returns how many of them are new in this stream. */
  write(transaction: Transaction, origin: SyncOrigin): number {
    if (this.#found.size === 0) return 0
    const of = [origin.organizationId, this.#kind, origin.syncId, this.#stream] as const
    let stored = Number(
      transaction.first(
        'SELECT count(*) AS n FROM unreadable_record WHERE organization_id = ? AND kind = ? AND sync_id = ? AND stream = ?',
        of,
      )?.['n'],
    )
    let unmet = this.#more
    let more = this.#more
    for (const [json, { why, identity, times }] of this.#found) {
      if (this.#counted(transaction, of, json, times)) continue
      unmet++
      if (stored < storedAtMost) {
        stored++
        this.#insert(transaction, origin, { why, json, identity, times })
      } else more += times
    }
    // The row of records that are not stored is named after the stream: the counts of two streams are added,
    // because it is not known whether their records are equal.
    if (more > 0 && !this.#counted(transaction, of, this.#stream, more))
      this.#insert(transaction, origin, { why: notStored, json: this.#stream, identity: '', times: more })
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
    { organizationId, syncId }: SyncOrigin,
    { why, json, identity, times }: Found & { readonly json: string },
  ): void {
    transaction.run(
      'INSERT INTO unreadable_record (organization_id, kind, why, json, identity, observed_at, sync_id, stream, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      [organizationId, this.#kind, why, json, identity, this.#receivedAt, syncId, this.#stream, times],
    )
  }
}

/** By its serial number, else by its name; empty: nothing tells it from others. */
function identityOf(item: Json): string {
  const { serialNumber, name } = identifyingWords(item)
  const word = (serialNumber ?? name)?.replaceAll(unseen, '').trim().toLowerCase() ?? ''
  return word === '' ? '' : `${serialNumber === null ? 'name' : 'serial'} ${word}`
}

/**
 * Compares the unreadable records of this sync with those of the last one, and remembers them. `since`: the
 * syncs in which those that still come came first. `isNew`: there is another one, or more of the same
 * identity. `foundAlone`: as JSON, the ids of records that were not listed.
 */
export function unreadableSince(
  transaction: Transaction,
  { organizationId, syncId }: SyncOrigin,
  kind: RecordKind,
  foundAlone: string,
): { readonly unreadable: number; readonly since: ReadonlySet<number>; readonly isNew: boolean } {
  const of = [organizationId, kind, syncId] as const
  // As in `counts`: the same record of two streams counts once.
  const now = new Map(
    transaction
      .all(
        `SELECT identity, sum(most) AS times FROM (SELECT identity, max(n) AS most FROM (
           SELECT identity, json, sum(times) AS n FROM unreadable_record WHERE organization_id = ? AND kind = ? AND sync_id = ? GROUP BY json, stream
         ) GROUP BY json) GROUP BY identity`,
        of,
      )
      .map((row) => [String(row['identity']), Number(row['times'])]),
  )
  // A record that is listed again is no longer among those without an identity: another one took its place.
  const back = Number(
    transaction.first(
      `SELECT count(*) AS n FROM raw_record INDEXED BY raw_record_not_listed WHERE organization_id = ?1 AND kind = ?2 AND not_listed_since IS NOT NULL AND sync_id >= ?3
       AND not_listed_since IN (SELECT since FROM unreadable_since WHERE organization_id = ?1 AND kind = ?2 AND identity = '') AND id NOT IN (SELECT value FROM json_each(?4))`,
      [...of, foundAlone],
    )?.['n'],
  )
  const since = new Set<number>()
  const before = new Map<string, number>()
  for (const row of transaction.all(
    'SELECT identity, since, times FROM unreadable_since WHERE organization_id = ? AND kind = ?',
    [organizationId, kind],
  )) {
    const [identity, first] = [String(row['identity']), Number(row['since'])]
    if (now.has(identity)) since.add(first)
    const times = Number(row['times']) - (identity === '' ? back : 0)
    before.set(identity, Math.max(times, before.get(identity) ?? 0))
  }
  transaction.run(
    'DELETE FROM unreadable_since WHERE organization_id = ? AND kind = ? AND identity NOT IN (SELECT value FROM json_each(?))',
    [organizationId, kind, JSON.stringify([...now.keys()])],
  )
  let isNew = false
  let unreadable = 0
  for (const [identity, times] of now) {
    unreadable += times
    transaction.run(
      'UPDATE unreadable_since SET times = ? WHERE organization_id = ? AND kind = ? AND identity = ?',
      [times, organizationId, kind, identity],
    )
    if (times <= (before.get(identity) ?? 0)) continue
    isNew = true
    transaction.run(
      'INSERT OR REPLACE INTO unreadable_since (organization_id, kind, identity, since, times) VALUES (?, ?, ?, ?, ?)',
      [organizationId, kind, identity, syncId, times],
    )
  }
  // Any of them may be one of those without an identity.
  transaction.run(
    `UPDATE raw_record SET not_listed_since = (SELECT max(since) FROM unreadable_since WHERE organization_id = ?1 AND kind = ?2 AND identity = '')
     WHERE organization_id = ?1 AND kind = ?2 AND id IN (SELECT value FROM json_each(?3))`,
    [organizationId, kind, foundAlone],
  )
  return { unreadable, since, isNew }
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
