import type { Change } from '../../contract/api/changes.ts'
import type { ChangeKind } from '../../contract/api/changes.ts'
import type { Workbook } from '../storage/workbook.ts'

/** What a write of ours is seen to do. */
const effects: Readonly<Record<string, readonly ChangeKind[]>> = {
  RebootRoom: ['rebooted', 'went-offline', 'back-online', 'status-changed'],
  UpdateDeviceSettings: ['setting-changed'],
  UpdateDeviceFirmware: ['firmware-changed', 'rebooted', 'went-offline', 'back-online', 'status-changed'],
}
/** A change seen so long after a write is taken for its effect: two planned syncs of the usual quarter of an hour. Chosen. */
const effectInMs = 30 * 60_000

/** Which of these changes followed a write of ours to the same device or room, by the journal. What was refused had no effect. */
export async function followedOwnWrite(
  workbook: Pick<Workbook, 'read'>,
  organizationId: string,
  changes: readonly Pick<Change, 'id' | 'subjectId' | 'kind' | 'observedAt'>[],
): Promise<ReadonlySet<number>> {
  if (changes.length === 0) return new Set()
  const times = changes.map(({ observedAt }) => observedAt)
  const rows = await workbook.read(
    `SELECT s.subject_id, b.operation, b.started_at FROM json_each(?1) n CROSS JOIN journal_subject s ON s.subject_id = n.value
       JOIN journal_begin b ON b.id = s.line_id LEFT JOIN journal_end e ON e.id = b.id
     WHERE b.organization_id = ?2 AND b.started_at BETWEEN ?3 AND ?4 AND e.outcome IS NOT 'refused'`,
    [
      JSON.stringify([...new Set(changes.map(({ subjectId }) => subjectId))]),
      organizationId,
      Math.min(...times) - effectInMs,
      Math.max(...times),
    ],
  )
  const writes = Map.groupBy(rows, (row) => String(row['subject_id']))
  const followed = ({ subjectId, kind, observedAt }: (typeof changes)[number]): boolean =>
    (writes.get(subjectId) ?? []).some((row) => {
      const agoInMs = observedAt - Number(row['started_at'])
      return agoInMs >= 0 && agoInMs <= effectInMs && effects[String(row['operation'])]?.includes(kind)
    })
  return new Set(changes.filter(followed).map(({ id }) => id))
}
