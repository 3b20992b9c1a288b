import type { Clock, Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { noteDecision, type Journal } from './journal.ts'

const dayInMs = 86_400_000

/**
 * Removes ended lines older than an administrator's policy keeps them, with a line that says so for each
 * organization. Nothing else removes lines. Rejects with Failed `cache-unusable`.
 */
export async function removeOldLines(
  workbook: Pick<Workbook, 'query' | 'write'>,
  journal: Journal,
  clock: Clock,
  days: number,
): Promise<void> {
  const before = clock.now() - days * dayInMs
  const rows = await workbook.query(
    `SELECT organization_id AS id, max(organization_name) AS name, count(*) AS n FROM journal_begin b
     WHERE ${isOld} GROUP BY organization_id`,
    [before],
  )
  for (const row of rows) {
    const organization = { id: String(row['id']), name: String(row['name']) }
    const entry = {
      organization,
      operation: 'RemoveJournalLines',
      target: { of: 'organization' as const, ...organization },
      deviceIds: [],
      before: `lines older than ${days} days: ${Number(row['n'])}`,
      after: null,
    }
    await noteDecision(journal, entry, 'set by your organization', () =>
      workbook.write((transaction) => removeLines(transaction, organization.id, before)),
    )
  }
}

/** The line of an item that has not ended stays: it is the only proof that its write was sent. */
const isOld = `b.started_at < ?1 AND EXISTS (SELECT 1 FROM journal_end e WHERE e.id = b.id)
  AND NOT EXISTS (SELECT 1 FROM job_item i WHERE b.reference LIKE 'job-item-%'
    AND i.id = CAST(substr(b.reference, 10) AS INTEGER) AND i.state <> 'ended')`
const guards = ['journal_begin_stays', 'journal_end_stays']

/** Triggers refuse to delete lines: within this transaction they are absent. */
function removeLines(transaction: Transaction, organizationId: string, before: number): void {
  const triggers = transaction.all('SELECT name, sql FROM sqlite_schema WHERE name IN (?, ?)', guards)
  for (const { name } of triggers) transaction.script(`DROP TRIGGER ${String(name)}`)
  transaction.script('PRAGMA defer_foreign_keys = ON')
  transaction.run(
    `DELETE FROM journal_subject WHERE line_id IN (SELECT b.id FROM journal_begin b WHERE ${isOld} AND b.organization_id = ?2)`,
    [before, organizationId],
  )
  transaction.run(`DELETE FROM journal_begin AS b WHERE ${isOld} AND b.organization_id = ?2`, [
    before,
    organizationId,
  ])
  transaction.run('DELETE FROM journal_end WHERE id NOT IN (SELECT id FROM journal_begin)')
  for (const { sql } of triggers) transaction.script(String(sql))
}
