import type { JournalLine, JournalQuery } from '../../contract/journal.ts'
import type { SqlRow, SqlValue, Transaction } from '../host.ts'
import { likePattern, searchable, searchWords } from '../storage/search-text.ts'

/** What is known before the attempt; never a key or a whole body. */
export interface JournalBegin {
  readonly writeId: string
  readonly organization: { readonly id: string; readonly name: string }
  readonly operation: string
  readonly target: JournalLine['target']
  readonly deviceIds: readonly string[]
  readonly before: string | null
  readonly after: string | null
}

export interface JournalEnd {
  readonly outcome: NonNullable<JournalLine['outcome']>
  readonly status: number | null
  readonly message: string | null
}

/** Lines with their ends, where there is one. */
export const lines = `SELECT b.id, b.organization_id, b.organization_name, b.who, b.operation, b.target_of, b.target_id, b.target_name, b.device_ids,
  b.started_at, b.before, b.after, e.ended_at, e.outcome, e.status, e.message FROM journal_begin b LEFT JOIN journal_end e ON e.id = b.id`

export function beginLine(transaction: Transaction, line: JournalBegin & { readonly who: string; readonly startedAt: number }): number {
  const { organization, target, deviceIds } = line
  const { lastId } = transaction.run(
    `INSERT INTO journal_begin (write_id, organization_id, organization_name, who, operation, target_of, target_id, target_name, device_ids, started_at, before, after, words)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      line.writeId,
      organization.id,
      organization.name,
      line.who,
      line.operation,
      target.of,
      target.id,
      target.name,
      JSON.stringify(deviceIds),
      line.startedAt,
      line.before,
      line.after,
      searchable([organization.name, line.who, line.operation, target.id, target.name, ...deviceIds, line.before, line.after]),
    ],
  )
  for (const subject of new Set([target.id, ...deviceIds]))
    transaction.run('INSERT INTO journal_subject (subject_id, line_id) VALUES (?, ?)', [subject, lastId])
  return lastId
}

export function endLine(
  transaction: Transaction,
  { id, endedAt, outcome, status, message }: JournalEnd & { readonly id: number; readonly endedAt: number },
): void {
  transaction.run('INSERT INTO journal_end (id, ended_at, outcome, status, message) VALUES (?, ?, ?, ?, ?)', [id, endedAt, outcome, status, message])
}

/** Which lines of `journal_begin b` a query is about. */
export function matching(organizationId: string | null, { text, subjectId }: JournalQuery): { where: string; parameters: readonly SqlValue[] } {
  const parameters: SqlValue[] = []
  const where = ['1']
  const add = (condition: string, value: SqlValue): void => {
    parameters.push(value)
    where.push(condition.replace('?', `?${parameters.length}`))
  }
  if (organizationId !== null) add('b.organization_id = ?', organizationId)
  if (subjectId !== null) add('b.id IN (SELECT line_id FROM journal_subject WHERE subject_id = ?)', subjectId)
  for (const word of searchWords(text)) add(`b.words LIKE ? ESCAPE '\\'`, likePattern(word))
  return { where: where.join(' AND '), parameters }
}

const text = (value: SqlRow[string] | undefined): string | null => (typeof value === 'string' ? value : null)
const number = (value: SqlRow[string] | undefined): number | null => (typeof value === 'number' ? value : null)
const outcomes: readonly NonNullable<JournalLine['outcome']>[] = ['accepted', 'refused', 'unconfirmed']

export function lineOf(row: SqlRow): JournalLine {
  return {
    id: Number(row['id']),
    organizationId: String(row['organization_id']),
    organizationName: String(row['organization_name']),
    who: String(row['who']),
    operation: String(row['operation']),
    target: { of: row['target_of'] === 'device' ? 'device' : 'room', id: String(row['target_id']), name: text(row['target_name']) },
    deviceIds: JSON.parse(String(row['device_ids'])) as string[],
    startedAt: Number(row['started_at']),
    endedAt: number(row['ended_at']),
    outcome: outcomes.find((outcome) => outcome === row['outcome']) ?? null,
    status: number(row['status']),
    message: text(row['message']),
    before: text(row['before']),
    after: text(row['after']),
  }
}
