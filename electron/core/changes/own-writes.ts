import type { Change } from '../../contract/api/changes.ts'
import type { ChangeKind } from '../../contract/api/changes.ts'
import { operations } from '../../contract/operations.ts'
import { condition, type Condition } from '../lists/condition.ts'
import type { Database, SqlRow } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { changeColumns, changeOf } from './change-rows.ts'

/** The observable effects of each write. */
const effects: Readonly<Record<string, readonly ChangeKind[]>> = Object.fromEntries(
  operations.flatMap(({ name, effect }) => (effect === null ? [] : [[name, effect.changes]])),
)
/**
 * A change within this time after a write counts as its effect: two planned syncs at the default interval of
 * a quarter of an hour. Raise it with that interval.
 */
const effectInMs = 30 * 60_000

/** The job that caused each own change; null: none, or one that no longer exists. */
export type OwnChanges = ReadonlyMap<number, string | null>

/**
 * What the line of a write states in addition to its subject. The line of a job's item contains it in its
 * reference (`jobs/job-repository.ts`).
 */
const writeColumns = 's.subject_id, b.operation, b.started_at, j.id AS job_id'
const besideWrite = `JOIN journal_begin b ON b.id = s.line_id LEFT JOIN journal_end e ON e.id = b.id
  LEFT JOIN job_item i ON b.reference LIKE 'job-item-%' AND i.id = CAST(substr(b.reference, 10) AS INTEGER) LEFT JOIN job j ON j.number = i.job`

/**
 * The changes that, according to the journal, followed one of our writes to the same device or room. Refused
 * writes had no effect.
 */
export async function followedOwnWrite(
  workbook: Pick<Workbook, 'query'>,
  organizationId: string,
  changes: readonly Pick<Change, 'id' | 'subjectId' | 'kind' | 'observedAt'>[],
): Promise<OwnChanges> {
  if (changes.length === 0) return new Map()
  // Not spread into Math.min: a call does not accept that many arguments.
  const [oldest, newest] = changes.reduce(
    ([least, most], { observedAt }) => [Math.min(least, observedAt), Math.max(most, observedAt)],
    [Infinity, -Infinity],
  )
  const rows = await workbook.query(
    `SELECT ${writeColumns} FROM json_each(?1) n CROSS JOIN journal_subject s ON s.subject_id = n.value ${besideWrite}
     WHERE b.organization_id = ?2 AND b.started_at BETWEEN ?3 AND ?4 AND e.outcome IS NOT 'refused' ORDER BY b.started_at DESC`,
    [
      JSON.stringify([...new Set(changes.map(({ subjectId }) => subjectId))]),
      organizationId,
      oldest - effectInMs,
      newest,
    ],
  )
  const writes = Map.groupBy(rows, (row) => String(row['subject_id']))
  return new Map(
    changes.flatMap(({ id, subjectId, kind, observedAt }) => {
      const write = (writes.get(subjectId) ?? []).find((row) => {
        const agoInMs = observedAt - Number(row['started_at'])
        return agoInMs >= 0 && agoInMs <= effectInMs && effects[String(row['operation'])]?.includes(kind)
      })
      return write === undefined ? [] : [[id, textOf(write['job_id'])] as const]
    }),
  )
}

/**
 * Every change since a moment that followed one of our writes: found from the writes, which are few compared
 * with the changes.
 */
export async function ownChanges(
  workbook: Pick<Workbook, 'query'>,
  database: Database,
  organizationId: string,
  from: number,
): Promise<OwnChanges> {
  const subjects = await workbook.query(
    `SELECT DISTINCT s.subject_id FROM journal_begin b JOIN journal_subject s ON s.line_id = b.id
     WHERE b.organization_id = ? AND b.started_at >= ? AND b.operation IN (SELECT value FROM json_each(?))`,
    [organizationId, from - effectInMs, JSON.stringify(Object.keys(effects))],
  )
  if (subjects.length === 0) return new Map()
  const rows = await database.query(
    `SELECT ${changeColumns} FROM json_each(?2) w CROSS JOIN change c ON c.organization_id = ?1 AND c.subject IN ('device', 'room') AND c.subject_id = w.value
     WHERE +c.observed_at >= ?3 AND c.kind IN (SELECT value FROM json_each(?4))`,
    [
      organizationId,
      JSON.stringify(subjects.map((row) => row['subject_id'])),
      from,
      JSON.stringify([...new Set(Object.values(effects).flat())]),
    ],
  )
  return followedOwnWrite(workbook, organizationId, rows.map(changeOf))
}

/** Whether change `c` is one of these, found by its id. */
export const isOwn = (own: Iterable<number>, yes: boolean): Condition =>
  condition(`c.id ${yes ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?))`, JSON.stringify([...own]))

const textOf = (value: SqlRow[string] | undefined): string | null =>
  typeof value === 'string' ? value : null
