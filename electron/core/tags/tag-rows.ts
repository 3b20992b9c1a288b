import { Failed } from '../../contract/failure.ts'
import type { Tag } from '../../contract/api/tags.ts'
import type { SqlValue, Transaction } from '../platform.ts'
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
 * Devices of one transaction: about 5 ms in each file, so that a window can draw in between. Lower it if
 * windows stutter.
 */
export const devicesAtOnce = 1_000

/**
 * The stamp of an organization's tags and lists; '': it never had any. Throws Failed `not-found` for an
 * unknown organization.
 */
export function stampOf(transaction: Transaction, organizationId: string): string {
  const row = transaction.first(
    'SELECT s.stamp FROM organization o LEFT JOIN device_mark_stamp s ON s.organization_id = o.id WHERE o.id = ?',
    [organizationId],
  )
  if (row === undefined) throw Failed.notFound('organization')
  return typeof row['stamp'] === 'string' ? row['stamp'] : ''
}

export function writeStamp(transaction: Transaction, organizationId: string, stamp: string): void {
  transaction.run(
    'INSERT INTO device_mark_stamp (organization_id, stamp) VALUES (?, ?) ON CONFLICT (organization_id) DO UPDATE SET stamp = excluded.stamp',
    [organizationId, stamp],
  )
}

/**
 * Applies the steps in order and returns what they changed, with the tags as spelled. A tag without devices
 * is deleted.
 */
export function takeSteps(
  transaction: Transaction,
  organizationId: string,
  steps: readonly TagStep[],
): readonly TagStep[] {
  const changed: TagStep[] = []
  for (const { put, word, name, ids } of steps) {
    const key: readonly SqlValue[] = [organizationId, word]
    const spelt = nameOf(transaction, organizationId, word) ?? name
    if (put)
      transaction.run('INSERT OR IGNORE INTO tag (organization_id, word, name) VALUES (?, ?, ?)', [
        ...key,
        name,
      ])
    const rows = put
      ? transaction.all(
          `INSERT OR IGNORE INTO tagged_device (organization_id, word, device_id) SELECT ?, ?, value FROM json_each(?) RETURNING device_id`,
          [...key, ids],
        )
      : transaction.all(
          `DELETE FROM tagged_device WHERE organization_id = ? AND word = ? AND device_id IN (SELECT value FROM json_each(?)) RETURNING device_id`,
          [...key, ids],
        )
    transaction.run(
      `DELETE FROM tag WHERE organization_id = ? AND word = ?
         AND NOT EXISTS (SELECT 1 FROM tagged_device t WHERE t.organization_id = tag.organization_id AND t.word = tag.word)`,
      key,
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
export function nameOf(transaction: Transaction, organizationId: string, word: string): string | null {
  const row = transaction.first('SELECT name FROM tag WHERE organization_id = ? AND word = ?', [
    organizationId,
    word,
  ])
  return row === undefined ? null : String(row['name'])
}

export function spell(transaction: Transaction, organizationId: string, word: string, name: string): void {
  transaction.run('UPDATE tag SET name = ? WHERE organization_id = ? AND word = ?', [
    name,
    organizationId,
    word,
  ])
}

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
    `SELECT g.name, count(*) AS n FROM tag g JOIN tagged_device t ON t.organization_id = g.organization_id AND t.word = g.word
     WHERE g.organization_id = ? GROUP BY g.word`,
    [organizationId],
  )
  const keyed = rows.map((row) => ({
    key: naturalKey(String(row['name'])),
    tag: { name: String(row['name']), count: Number(row['n']) },
  }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ tag }) => tag)
}
