import type { Change, ChangeGroups, ChangeKind, ChangeQuery, ChangeRow, ChangeWindow } from '../../contract/change.ts'
import type { Clock, SqlRow, Transaction } from '../host.ts'
import type { Store } from '../storage/store.ts'
import type { Workbook } from '../storage/workbook.ts'

/** A difference found, not yet written. */
export interface ChangeDraft {
  readonly kind: ChangeKind
  readonly before: string | null
  readonly after: string | null
}

export interface ChangeSubject {
  readonly organizationId: string
  readonly of: Change['of']
  readonly id: string
  readonly name: string
}

/** What a sync found different. Rejects with Failed `cache-unusable`. */
export interface Changes {
  /** Newest first, at most 1,000. */
  forSubject(organizationId: string, of: Change['of'], id: string): Promise<readonly Change[]>
  /** Observed at or after `at`; newest first, at most `count`. */
  since(organizationId: string, at: number, count?: number): Promise<readonly Change[]>
  groups(organizationId: string, query: ChangeQuery): Promise<ChangeGroups>
  window(organizationId: string, query: ChangeQuery & { readonly group: string | null; readonly start: number; readonly count: number }): Promise<ChangeWindow>
  /** Every change that matches, newest first. */
  all(organizationId: string, query: ChangeQuery): AsyncIterable<ChangeRow>
  look(organizationId: string, at: number | null): Promise<{ readonly lookedAt: number | null }>
  /** Since they were last marked as seen. */
  newCount(organizationId: string): Promise<number>
}

export function openChanges({ store }: { readonly store: Store; readonly workbook: Workbook; readonly clock: Clock }): Changes {
  const columns = 'id, subject, subject_id, subject_name, kind, before, after, observed_at'
  return {
    async forSubject(organizationId, of, id) {
      const sql = `SELECT ${columns} FROM change WHERE organization_id = ? AND subject = ? AND subject_id = ? ORDER BY id DESC LIMIT 1000`
      return (await store.database.read(sql, [organizationId, of, id])).map(changeOf)
    },
    async since(organizationId, at, count = 1000) {
      const sql = `SELECT ${columns} FROM change WHERE organization_id = ? AND observed_at >= ? ORDER BY observed_at DESC, id DESC LIMIT ?`
      return (await store.database.read(sql, [organizationId, at, count])).map(changeOf)
    },
    groups: async () => ({ groups: [], total: 0, kinds: [], lookedAt: null, oldestAt: null }),
    window: async () => ({ rows: [], total: 0 }),
    all: async function* () {
      yield* [] as ChangeRow[]
    },
    look: async (_organizationId, at) => ({ lookedAt: at }),
    newCount: async () => 0,
  }
}

/** Called in the transaction that writes the rows it compares. */
export function recordChanges(transaction: Transaction, subject: ChangeSubject, drafts: readonly ChangeDraft[], observedAt: number): void {
  for (const { kind, before, after } of drafts)
    transaction.run(
      'INSERT INTO change (organization_id, subject, subject_id, subject_name, kind, before, after, observed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      [subject.organizationId, subject.of, subject.id, subject.name, kind, before, after, observedAt],
    )
}

/** Changes older than 400 days (a year and a month, chosen) are dropped after a complete sync. */
export function dropOldChanges(transaction: Transaction, organizationId: string, now: number): void {
  transaction.run('DELETE FROM change WHERE organization_id = ? AND observed_at < ?', [organizationId, now - 400 * 24 * 3_600_000])
}

function changeOf(row: SqlRow): Change {
  return {
    id: Number(row['id']),
    of: row['subject'] === 'room' ? 'room' : 'device',
    subjectId: String(row['subject_id']),
    subjectName: String(row['subject_name']),
    kind: String(row['kind']) as ChangeKind,
    before: typeof row['before'] === 'string' ? row['before'] : null,
    after: typeof row['after'] === 'string' ? row['after'] : null,
    observedAt: Number(row['observed_at']),
  }
}
