import { Failed } from '../../contract/failure.ts'
import { notSentDetails } from '../../contract/job-result.ts'
import { seenAfterwards } from '../../contract/journal.ts'
import type { JobDetail } from '../../contract/api/jobs.ts'
import type { JournalLine } from '../../contract/api/journal.ts'
import type { SqlRow, Transaction } from '../platform.ts'
import { foldedWhereOther, searchable } from '../storage/search-text.ts'
import { begun, jobOfLine, programEnded, seenOfLine } from './journal-query.ts'
import { numberOrNull, textOrNull } from '../storage/row-values.ts'

/** What is known before the attempt; never a key or a whole body. */
export interface JournalBegin {
  readonly organization: { readonly id: string; readonly name: string }
  readonly operation: string
  readonly target: JournalLine['target']
  readonly deviceIds: readonly string[]
  readonly before: string | null
  readonly after: string | null
  /** Identifies the requester, such as an item of a job. One reference has exactly one line. */
  readonly reference?: string | null
  /** null or missing: the operating system's user. */
  readonly who?: string | null
}

export interface JournalEnd {
  /** Wall time, ms; missing: now. */
  readonly endedAt?: number
  readonly outcome: NonNullable<JournalLine['outcome']>
  readonly status: number | null
  readonly message: string | null
}

/** Lines, with their ends if they have ended. */
export const lines = `SELECT b.id, b.organization_id, b.organization_name, b.who, b.operation, b.target_of, b.target_id, b.target_name, b.device_ids,
  b.started_at, b.before, b.after, b.ticket, ${jobOfLine} AS job_id, ${seenOfLine} AS seen, e.ended_at, e.outcome, e.status, e.message ${begun}`

export function beginLine(
  transaction: Transaction,
  line: JournalBegin & { readonly who: string; readonly startedAt: number },
): number {
  const { organization, target, deviceIds, reference = null } = line
  if (reference !== null && referenced(transaction, reference) !== null)
    throw Failed.invalid('reference', 'This action was already started. It is not sent again.')
  const ticket = reference === null ? null : ticketOf(transaction, reference)
  const { lastId } = transaction.run(
    `INSERT INTO journal_begin (organization_id, organization_name, who, operation, target_of, target_id, target_name, device_ids, started_at, before, after, words, reference,
       name_folded, who_folded, before_folded, after_folded, ticket)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
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
      searchable([
        organization.name,
        line.who,
        line.operation,
        target.id,
        target.name,
        ...deviceIds,
        line.before,
        line.after,
        ticket,
      ]),
      reference,
      foldedWhereOther(target.name),
      foldedWhereOther(line.who),
      foldedWhereOther(line.before),
      foldedWhereOther(line.after),
      ticket,
    ],
  )
  for (const subject of new Set([target.id, ...deviceIds]))
    transaction.run('INSERT INTO journal_subject (subject_id, line_id) VALUES (?, ?)', [subject, lastId])
  return lastId
}

/**
 * The ticket of the job whose item begins a line (`core/jobs` names it in the reference); the line keeps it
 * when the job is deleted.
 */
function ticketOf(transaction: Transaction, reference: string): string | null {
  const item = /^job-item-(\d+)-/.exec(reference)?.[1] ?? null
  const row = transaction.first(
    'SELECT j.ticket FROM job_item i JOIN job j ON j.number = i.job WHERE i.id = ?',
    [item === null ? null : Number(item)],
  )
  return textOrNull(row?.['ticket'])
}

/** The line of a reference with the result of the write; null: there is none, so no write was begun. */
export type ReferencedLine = Pick<
  JournalLine,
  'id' | 'operation' | 'endedAt' | 'outcome' | 'status' | 'message'
>

export function referenced(transaction: Transaction, reference: string): ReferencedLine | null {
  const row = transaction.first(
    `SELECT b.id, b.operation, e.ended_at, e.outcome, e.status, e.message
     FROM journal_begin b LEFT JOIN journal_end e ON e.id = b.id WHERE b.reference = ?`,
    [reference],
  )
  return row === undefined
    ? null
    : {
        id: Number(row['id']),
        operation: String(row['operation']),
        ...endOf(row),
      }
}

export function endLine(
  transaction: Transaction,
  { id, endedAt, outcome, status, message }: JournalEnd & { readonly id: number; readonly endedAt: number },
): void {
  transaction.run(
    'INSERT INTO journal_end (id, ended_at, outcome, status, message, message_folded) VALUES (?, ?, ?, ?, ?, ?)',
    [id, endedAt, outcome, status, message, foldedWhereOther(message)],
  )
}

const targets: readonly JournalLine['target']['of'][] = ['room', 'device', 'organization']
const outcomes: readonly NonNullable<JournalLine['outcome']>[] = ['accepted', 'refused', 'unconfirmed']

const endOf = (row: SqlRow): Pick<JournalLine, 'endedAt' | 'outcome' | 'status' | 'message'> => ({
  endedAt: numberOrNull(row['ended_at']),
  outcome: outcomes.find((outcome) => outcome === row['outcome']) ?? null,
  status: numberOrNull(row['status']),
  message: textOrNull(row['message']),
})

export function lineOf(row: SqlRow): JournalLine {
  const afterwards = seenAfterwards.find((seen) => seen === row['seen'])
  return {
    id: Number(row['id']),
    organizationId: String(row['organization_id']),
    organizationName: String(row['organization_name']),
    who: String(row['who']),
    operation: String(row['operation']),
    target: {
      of: targets.find((one) => one === row['target_of']) ?? 'room',
      id: String(row['target_id']),
      name: textOrNull(row['target_name']),
    },
    deviceIds: JSON.parse(String(row['device_ids'])) as string[],
    startedAt: Number(row['started_at']),
    ...endOf(row),
    before: textOrNull(row['before']),
    after: textOrNull(row['after']),
    ...(row['message'] === programEnded ? { endFoundLater: true as const } : {}),
    ...(typeof row['job_id'] === 'string' ? { jobId: row['job_id'] } : {}),
    ...(typeof row['ticket'] === 'string' ? { ticket: row['ticket'] } : {}),
    ...(afterwards === undefined ? {} : { afterwards }),
  }
}

/**
 * The newest line of a job with what its lines are together (`foldedLines`). `job`: null for a line without one.
 * `isAll`: no filter leaves lines of the job out.
 */
export function withTogether(
  line: JournalLine,
  row: SqlRow,
  job: SqlRow | null,
  isAll: boolean,
): JournalLine {
  const [count, asked] = [Number(row['n']), Number(job?.['asked'] ?? 0)]
  const details = JSON.parse(isAll ? String(job?.['details'] ?? '{}') : '{}') as Readonly<
    Partial<Record<JobDetail, number>>
  >
  return count === 1 && !(isAll && asked > 1)
    ? line
    : {
        ...line,
        together: {
          count,
          asked,
          devices: Number(row['devices']),
          unsent: notSentDetails.reduce((sum, one) => sum + (details[one] ?? 0), 0),
          outcomes: {
            accepted: Number(row['accepted']),
            unconfirmed: Number(row['unconfirmed']),
            refused: Number(row['refused']),
            'not-sent': Number(row['not-sent']),
            unknown: Number(row['unknown']),
          },
          afterwards: Object.fromEntries(
            seenAfterwards.flatMap((one) => (details[one] === undefined ? [] : [[one, details[one]]])),
          ),
        },
      }
}
