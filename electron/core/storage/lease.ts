import { Failed } from '../../contract/failure.ts'
import type { Cancel, Clock, Database, SqlRow, Transaction } from '../platform.ts'
import { failedBy, replaced } from './file-failure.ts'
import { migrateLedger } from './ledger-migrations.ts'

/**
 * Which program on this home syncs an organization and runs its jobs: one at a time, told by a row in the ledger that its owner renews.
 * A single write needs no lease; the write slots keep the minute between all programs.
 */
export interface OrganizationLease {
  /** Takes it, or makes sure that it is still ours. Rejects with Failed `other-program`, or `cache-unusable` for the ledger. */
  take(): Promise<void>
  /** Ours for sure now; false after a sleep until `take` has asked again. */
  mine(): boolean
  /** Whose it is, as far as was looked; null: ours or nobody's. */
  other(): { readonly name: string; readonly since: number } | null
  /** Looks whose it is without taking it. Rejects as `take`. */
  look(): Promise<void>
  /** Called when it was taken, lost, or another program took it or gave it back. Returns the function that ends it. */
  onChange(listener: () => void): () => void
  /** Gives it back. Never rejects. */
  close(): Promise<void>
}

export interface LeaseOptions {
  readonly database: Database
  readonly clock: Clock
  readonly newId: () => string
  readonly organizationId: string
  /** For people: `Headroom, process 4711`. */
  readonly name: string
}

/** Chosen: a program that is busy for some seconds keeps it, one that was killed holds nobody up for long. */
export const leaseRenewedEveryInMs = 5_000
export const leaseExpiresAfterInMs = 20_000

export function openOrganizationLease({
  database,
  clock,
  newId,
  organizationId,
  name,
}: LeaseOptions): OrganizationLease {
  const owner = newId()
  const listeners = new Set<() => void>()
  const began = { wall: clock.now(), monotonic: clock.monotonic() }
  const anchored = (): number => began.wall + clock.monotonic() - began.monotonic
  /** As for write slots: rows are written by the later and read by the earlier of two readings of the time. */
  const early = (): number => Math.floor(Math.min(clock.now(), anchored()))
  const late = (): number => Math.ceil(Math.max(clock.now(), anchored()))
  let held: { readonly wall: number; readonly monotonic: number } | null = null
  let other: { readonly name: string; readonly since: number } | null = null
  /** A sign of life of another program, and when it is over on our monotonic clock. */
  let seen: { readonly sign: string; readonly endsAt: number } | null = null
  let migrated = false
  let closed = false
  let cancel: Cancel = () => undefined

  const expired = (row: SqlRow): boolean => {
    const sign = `${String(row['owner'])} ${String(row['beat'])}`
    if (seen?.sign !== sign) {
      const toGo = Math.min(Number(row['ends_at']) - early(), leaseExpiresAfterInMs)
      seen = { sign, endsAt: clock.monotonic() + toGo }
    }
    return clock.monotonic() >= seen.endsAt
  }

  const exchange = (transaction: Transaction, wanted: boolean): void => {
    if (!migrated) migrateLedger(transaction)
    const row = transaction.first(
      'SELECT owner, name, since, beat, ends_at FROM organization_lease WHERE organization_id = ?',
      [organizationId],
    )
    const isOurs = row?.['owner'] === owner
    if (row !== undefined && !isOurs && !expired(row)) {
      held = null
      other = { name: String(row['name']), since: Number(row['since']) }
      return
    }
    other = null
    if (!wanted && !isOurs) held = null
    // A renewal that was under way when this program let go takes nothing again.
    if (!wanted || closed) return
    const since = isOurs ? Number(row['since']) : clock.now()
    transaction.run(
      'INSERT OR REPLACE INTO organization_lease (organization_id, owner, name, since, beat, ends_at) VALUES (?, ?, ?, ?, ?, ?)',
      [organizationId, owner, name, since, Number(row?.['beat'] ?? 0) + 1, late() + leaseExpiresAfterInMs],
    )
    held = { wall: clock.now() + leaseExpiresAfterInMs, monotonic: clock.monotonic() + leaseExpiresAfterInMs }
  }

  const standing = (): string => JSON.stringify([held !== null, other])
  const ask = async (wanted: boolean): Promise<void> => {
    const before = standing()
    try {
      await database.write((transaction) => {
        if (!database.durable) throw replaced('ledger')
        exchange(transaction, wanted)
      })
      migrated = true
    } catch (error) {
      throw failedBy(error)
    }
    again()
    if (standing() !== before) for (const listener of listeners) listener()
  }

  /** Renews what is ours; looks after what is another's, so that it is seen to be free. */
  const again = (): void => {
    cancel()
    if (closed || (held === null && other === null)) return
    cancel = clock.after(leaseRenewedEveryInMs, () => {
      // A ledger that cannot be written is asked again: what is ours runs out by itself.
      ask(held !== null).catch(again)
    })
  }

  return {
    async take() {
      if (closed) throw new Failed({ kind: 'cancelled' })
      await ask(true)
      if (other !== null) throw new Failed({ kind: 'other-program', ...other })
    },
    mine: () => held !== null && clock.now() < held.wall && clock.monotonic() < held.monotonic,
    other: () => other,
    look: () => ask(held !== null),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      closed = true
      cancel()
      listeners.clear()
      if (held === null) return
      held = null
      await database
        .write(
          (transaction) =>
            void transaction.run('DELETE FROM organization_lease WHERE organization_id = ? AND owner = ?', [
              organizationId,
              owner,
            ]),
        )
        .catch(() => undefined)
    },
  }
}
