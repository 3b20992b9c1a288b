import { Failed } from '../../contract/failure.ts'
import type { Tag } from '../../contract/api/tags.ts'
import type { Transaction } from '../platform.ts'
import { naturalKey } from '../storage/search-text.ts'
import type { Workbook } from '../storage/workbook.ts'

/**
 * Adding or removing one tag on up to `devicesAtOnce` devices. `ids` is a JSON list, the form that SQL
 * accepts.
 */
export interface TagStep {
  readonly put: boolean
  readonly word: string
  readonly name: string
  readonly ids: string
}

/**
 * Devices of one transaction: about 5 ms, so that a window can draw in between. Lower it if
 * windows stutter.
 */
export const devicesAtOnce = 1_000

/** Throws Failed `not-found` for an organization that was removed. */
export function mustExist(transaction: Transaction, organizationId: string): void {
  if (transaction.first('SELECT 1 FROM organization WHERE id = ?', [organizationId]) === undefined)
    throw Failed.notFound('organization')
}

/** Applies the steps in order and returns what they changed, with the tags as spelled. */
export function takeSteps(
  transaction: Transaction,
  organizationId: string,
  steps: readonly TagStep[],
): readonly TagStep[] {
  mustExist(transaction, organizationId)
  const changed: TagStep[] = []
  for (const { put, word, name, ids } of steps) {
    const spelt = nameOf(transaction, organizationId, word) ?? name
    const rows = put
      ? transaction.all(
          `INSERT OR IGNORE INTO device_mark (organization_id, kind, word, device_id, name) SELECT ?, 'tag', ?, value, ? FROM json_each(?) RETURNING device_id`,
          [organizationId, word, spelt, ids],
        )
      : transaction.all(
          `DELETE FROM device_mark WHERE organization_id = ? AND kind = 'tag' AND word = ? AND device_id IN (SELECT value FROM json_each(?)) RETURNING device_id`,
          [organizationId, word, ids],
        )
    if (rows.length > 0)
      changed.push({
        put,
        word,
        name: spelt,
        ids: JSON.stringify(rows.map((row) => String(row['device_id']))),
      })
  }
  return changed
}

/** The spelling of a tag; null: there is none. */
function nameOf(transaction: Transaction, organizationId: string, word: string): string | null {
  const row = transaction.first(
    `SELECT name FROM device_mark WHERE organization_id = ? AND kind = 'tag' AND word = ? LIMIT 1`,
    [organizationId, word],
  )
  return row === undefined ? null : String(row['name'])
}

/** Changes the spelling of a tag on up to `devicesAtOnce` devices; returns on how many. */
export const spell = (transaction: Transaction, organizationId: string, word: string, name: string): number =>
  transaction.run(
    `UPDATE device_mark SET name = ?3 WHERE organization_id = ?1 AND kind = 'tag' AND word = ?2 AND device_id IN
       (SELECT device_id FROM device_mark WHERE organization_id = ?1 AND kind = 'tag' AND word = ?2 AND name <> ?3 LIMIT ${devicesAtOnce})`,
    [organizationId, word, name],
  ).changes

/** The reverse steps. */
export const backwards = (steps: readonly TagStep[]): readonly TagStep[] =>
  [...steps].reverse().map((step) => ({ ...step, put: !step.put }))

/** The number of devices that the steps change. */
export function devicesIn(steps: readonly TagStep[]): number {
  const [first, ...others] = steps
  if (first === undefined) return 0
  const ids = new Set(JSON.parse(first.ids) as string[])
  for (const { ids: more } of others) for (const id of JSON.parse(more) as string[]) ids.add(id)
  return ids.size
}

/** Natural sort by name, with the number of devices of each. Rejects with Failed `cache-unusable`. */
export async function queryTags(workbook: Workbook, organizationId: string): Promise<readonly Tag[]> {
  const rows = await workbook.query(
    `SELECT max(name) AS name, count(*) AS n FROM device_mark WHERE organization_id = ? AND kind = 'tag' GROUP BY word`,
    [organizationId],
  )
  const keyed = rows.map((row) => ({
    key: naturalKey(String(row['name'])),
    tag: { name: String(row['name']), count: Number(row['n']) },
  }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ tag }) => tag)
}
