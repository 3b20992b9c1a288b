import { createHash } from 'node:crypto'
import type { HeldKind, SyncState } from '../../contract/api/sync.ts'
import { pruneDeviceClasses } from '../devices/devices.ts'
import type { Procedure, SqlRow, Transaction } from '../platform.ts'
import type { RecordKind } from '../storage/store.ts'
import { markGone, unlisted, writeAlias, type SyncOrigin } from './record-writer.ts'
import { unreadableSince } from './unreadable-records.ts'

export interface EndedKind {
  readonly kind: RecordKind
  /** False: its last page may not be the last. */
  readonly mayMarkGone: boolean
  /** These could not be read, which proves nothing. */
  readonly except: ReadonlySet<string>
  /** These were not listed, and found on their own. */
  readonly foundAlone: ReadonlySet<string>
  /** Group ids that name no room. */
  readonly noRoom: readonly string[]
}

interface KindResult {
  readonly gone: number
  /** Not listed and not marked as gone, because of unreadable records. */
  readonly notListed: number
  readonly unreadable: number
  /** An unreadable record is new, so the list is incomplete: any record may be the one that cannot be read. */
  readonly newUnreadable: boolean
}

/** What was not marked as gone, because it was so much. */
export interface Held {
  readonly counts: NonNullable<SyncState['held']>
  /** Identifies exactly these records. */
  readonly digest: string
}

/** What a person saw held, and confirmed to be gone. */
export interface AcceptedGone {
  readonly count: number
  /** null: nothing was held. */
  readonly digest: string | null
}

/**
 * A sync that would mark more than this as gone marks nothing: a service that lost its list looks the same as
 * a fleet that is gone. Chosen: a site that is closed stays below; change them if technicians are asked too
 * often.
 */
const goneAtMost = 10
const goneShareAtMost = 0.2

interface RoundEnd {
  readonly kinds: Readonly<Partial<Record<RecordKind, KindResult>>>
  readonly held: Held | null
  /** null: nothing was to be accepted. Otherwise, if it was not, the number that is not listed now. */
  readonly notAccepted: number | null
}

/**
 * After the lists of these kinds were read completely: deletes the unreadable records of earlier syncs and
 * marks records that are not listed as gone. If an unreadable record is new, none are; a record that went
 * missing then stays not listed for as long as that one comes. If they are too many, none are marked, unless
 * a person accepted exactly these.
 */
export const endSync: Procedure<
  {
    readonly origin: SyncOrigin
    readonly at: number
    readonly kinds: readonly EndedKind[]
    readonly accepted: AcceptedGone | null
  },
  RoundEnd
> = {
  name: 'sync.end',
  run(transaction, { origin, at, kinds, accepted }) {
    const judged = kinds.map((kind) => ({ ...kind, ...judge(transaction, origin, kind) }))
    const incomplete = judged.some(({ newUnreadable }) => newUnreadable)
    const found = foundMissing(transaction, origin, judged)
    const isAccepted = accepted?.count === found.total && accepted.digest === found.held.digest
    const isHeld = !incomplete && found.total > 0 && (accepted === null ? found.tooMany : !isAccepted)
    const results: Partial<Record<RecordKind, KindResult>> = {}
    for (const { kind, missing, notListed, unreadable, newUnreadable, noRoom } of judged) {
      const gone = incomplete || isHeld ? [] : missing
      markGone(transaction, origin.organizationId, kind, gone, at)
      writeNoRooms(transaction, origin, noRoom)
      results[kind] = { gone: gone.length, notListed, unreadable, newUnreadable }
    }
    return {
      kinds: results,
      held: isHeld ? found.held : null,
      notAccepted: accepted === null || isAccepted || incomplete ? null : found.total,
    }
  },
}

function foundMissing(
  transaction: Transaction,
  { syncId }: SyncOrigin,
  judged: readonly { readonly kind: RecordKind; readonly missing: readonly SqlRow[] }[],
): { readonly held: Held; readonly total: number; readonly tooMany: boolean } {
  const known = transaction.first('SELECT known_devices, known_rooms FROM sync_report WHERE id = ?', [syncId])
  const ids: string[] = []
  let tooMany = false
  const count = (kind: RecordKind): HeldKind => {
    const missing = judged.find((one) => one.kind === kind)?.missing ?? []
    const present = Math.max(missing.length, Number(known?.[`known_${kind}s`] ?? 0))
    if (missing.length > goneAtMost && missing.length > goneShareAtMost * present) tooMany = true
    for (const { id } of missing) ids.push(JSON.stringify([kind, id]))
    return { listed: present - missing.length, known: present }
  }
  const counts = { devices: count('device'), rooms: count('room') }
  const digest = createHash('sha256').update(ids.toSorted().join()).digest('base64url')
  return { held: { counts, digest }, total: ids.length, tooMany }
}

function judge(
  transaction: Transaction,
  origin: SyncOrigin,
  { kind, mayMarkGone, except, foundAlone }: EndedKind,
): Omit<KindResult, 'gone'> & { readonly missing: readonly SqlRow[] } {
  const { organizationId, syncId } = origin
  const of = [organizationId, kind, syncId] as const
  const alone = JSON.stringify([...foundAlone])
  const { unreadable, since, isNew } = unreadableSince(transaction, origin, kind, alone)
  transaction.run('DELETE FROM unreadable_record WHERE organization_id = ? AND kind = ? AND sync_id < ?', of)
  transaction.run(
    'UPDATE raw_record INDEXED BY raw_record_not_listed SET not_listed_since = NULL WHERE organization_id = ? AND kind = ? AND not_listed_since IS NOT NULL AND sync_id >= ? AND id NOT IN (SELECT value FROM json_each(?))',
    [...of, alone],
  )
  if (kind === 'device') pruneDeviceClasses(transaction, organizationId)
  const rows = unlisted(transaction, origin, kind).filter(({ id }) => !except.has(String(id)))
  const held = rows.filter((row) => since.has(Number(row['not_listed_since'])))
  const missing = mayMarkGone ? rows.filter((row) => !since.has(Number(row['not_listed_since']))) : []
  const newUnreadable = isNew && (origin.known || rows.length > 0)
  if (newUnreadable)
    for (const row of missing)
      transaction.run('UPDATE raw_record SET not_listed_since = ? WHERE row_id = ?', [
        syncId,
        Number(row['row_id']),
      ])
  return { missing, notListed: held.length + (newUnreadable ? missing.length : 0), unreadable, newUnreadable }
}

/**
 * Records that these group ids name no room, after rooms were marked as gone. A room that is not gone although
 * this sync has not seen it keeps its group ids, and so does one that was read alone under it meanwhile.
 */
function writeNoRooms(transaction: Transaction, origin: SyncOrigin, groupIds: readonly string[]): void {
  const { organizationId, syncId, startedAt } = origin
  for (const groupId of groupIds) {
    const kept = transaction.first(
      `SELECT 1 FROM record_alias a JOIN raw_record o ON o.organization_id = a.organization_id AND o.kind = 'room' AND o.id = a.id
       WHERE a.organization_id = ? AND a.kind = 'room' AND a.alias = ? AND (a.observed_at > ? OR (o.gone_at IS NULL AND o.sync_id < ?))`,
      [organizationId, groupId, startedAt, syncId],
    )
    if (kept === undefined) writeAlias(transaction, origin, groupId, null, startedAt)
  }
}
