import { pruneDeviceClasses } from '../devices/devices.ts'
import type { Procedure, SqlRow, Transaction } from '../platform.ts'
import type { RecordKind } from '../storage/store.ts'
import { markGone, unlisted, type Round } from './record-writer.ts'
import { unreadableSince } from './unreadable-records.ts'

export interface EndedKind {
  readonly kind: RecordKind
  /** False: its last page may not be the last. */
  readonly mayMarkGone: boolean
  /** These could not be read, which proves nothing. */
  readonly except: ReadonlySet<string>
}

export interface KindResult {
  readonly gone: number
  /** Not listed and not marked as gone, because of unreadable records. */
  readonly notListed: number
  readonly unreadable: number
  /** An unreadable record is new, so the list is incomplete: any record may be the one that cannot be read. */
  readonly newUnreadable: boolean
}

/**
 * After the lists of these kinds were read completely: deletes the unreadable records of earlier syncs and
 * marks records that are not listed as gone. If an unreadable record is new, none are; a record that went
 * missing then stays not listed for as long as that one comes.
 */
export const endRound: Procedure<
  { readonly round: Round; readonly at: number; readonly kinds: readonly EndedKind[] },
  Readonly<Partial<Record<RecordKind, KindResult>>>
> = {
  name: 'sync.end-round',
  run(transaction, { round, at, kinds }) {
    const judged = kinds.map((kind) => ({ ...kind, ...judge(transaction, round, kind) }))
    const incomplete = judged.some(({ newUnreadable }) => newUnreadable)
    const results: Partial<Record<RecordKind, KindResult>> = {}
    for (const { kind, missing, notListed, unreadable, newUnreadable } of judged) {
      if (!incomplete) markGone(transaction, round.organizationId, kind, missing, at)
      results[kind] = { gone: incomplete ? 0 : missing.length, notListed, unreadable, newUnreadable }
    }
    return results
  },
}

function judge(
  transaction: Transaction,
  round: Round,
  { kind, mayMarkGone, except }: EndedKind,
): Omit<KindResult, 'gone'> & { readonly missing: readonly SqlRow[] } {
  const { organizationId, syncId } = round
  const of = [organizationId, kind, syncId] as const
  const { unreadable, since, isNew } = unreadableSince(transaction, round, kind)
  transaction.run('DELETE FROM unreadable_record WHERE organization_id = ? AND kind = ? AND sync_id < ?', of)
  transaction.run(
    'UPDATE raw_record SET not_listed_since = NULL WHERE organization_id = ? AND kind = ? AND not_listed_since IS NOT NULL AND sync_id >= ?',
    of,
  )
  if (kind === 'device') pruneDeviceClasses(transaction, organizationId)
  const rows = unlisted(transaction, round, kind).filter(({ id }) => !except.has(String(id)))
  const held = rows.filter((row) => since.has(Number(row['not_listed_since'])))
  const missing = mayMarkGone ? rows.filter((row) => !since.has(Number(row['not_listed_since']))) : []
  const newUnreadable = isNew && (round.known || rows.length > 0)
  if (newUnreadable)
    for (const row of missing)
      transaction.run('UPDATE raw_record SET not_listed_since = ? WHERE row_id = ?', [
        syncId,
        Number(row['row_id']),
      ])
  return { missing, notListed: held.length + (newUnreadable ? missing.length : 0), unreadable, newUnreadable }
}
