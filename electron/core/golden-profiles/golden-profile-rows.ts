import { Failed } from '../../contract/failure.ts'
import type { GoldenProfile } from '../../contract/api/golden-profiles.ts'
import type { SettingChange } from '../../contract/api/settings.ts'
import type { SqlRow, SqlValue, Transaction } from '../platform.ts'
import { folded } from '../../contract/filter/folded.ts'
import { naturalKey } from '../storage/search-text.ts'
import type { Workbook } from '../storage/workbook.ts'
import { jsonOrNull } from '../storage/row-values.ts'

const columns = 'id, name, product_id, variant_type, product_name, settings, created_at, changed_at'

/** Natural sort by name. Rejects with Failed `cache-unusable`. */
export async function queryGoldenProfiles(
  workbook: Workbook,
  organizationId: string,
): Promise<readonly GoldenProfile[]> {
  const rows = await workbook.query(`SELECT ${columns} FROM golden_profile WHERE organization_id = ?`, [
    organizationId,
  ])
  const keyed = rows.map((row) => ({ key: naturalKey(String(row['name'])), profile: profileOf(row) }))
  return keyed
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.profile.createdAt - b.profile.createdAt))
    .map(({ profile }) => profile)
}

/** Throws Failed `not-found`. */
export function goldenProfileIn(transaction: Transaction, organizationId: string, id: string): GoldenProfile {
  const row = transaction.first(
    `SELECT ${columns} FROM golden_profile WHERE organization_id = ? AND id = ?`,
    [organizationId, id],
  )
  if (row === undefined) throw Failed.notFound('golden profile')
  return profileOf(row)
}

export function writeGoldenProfile(
  transaction: Transaction,
  organizationId: string,
  profile: GoldenProfile,
): void {
  const { id, name, productId, variantType, productName, settings, createdAt, changedAt } = profile
  transaction.run(
    `INSERT INTO golden_profile (id, organization_id, name, name_folded, product_id, variant_type, product_name, settings, created_at, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_folded = excluded.name_folded, product_id = excluded.product_id,
       variant_type = excluded.variant_type, product_name = excluded.product_name, settings = excluded.settings, changed_at = excluded.changed_at`,
    [
      id,
      organizationId,
      name,
      folded(name),
      productId,
      variantType,
      productName,
      JSON.stringify(settings),
      createdAt,
      changedAt,
    ],
  )
}

export function deleteGoldenProfile(transaction: Transaction, organizationId: string, id: string): void {
  transaction.run('DELETE FROM golden_profile WHERE organization_id = ? AND id = ?', [organizationId, id])
}

/** null: the name is free. */
export function namesakeOf(transaction: Transaction, organizationId: string, name: string): string | null {
  const row = transaction.first(
    'SELECT id FROM golden_profile WHERE organization_id = ? AND name_folded = ?',
    [organizationId, folded(name)],
  )
  return row === undefined ? null : String(row['id'])
}

export const goldenProfileCount = (transaction: Transaction, organizationId: string): number =>
  Number(
    transaction.first('SELECT count(*) AS n FROM golden_profile WHERE organization_id = ?', [
      organizationId,
    ])?.['n'],
  )

function profileOf(row: SqlRow): GoldenProfile {
  return {
    id: String(row['id']),
    name: String(row['name']),
    productId: Number(row['product_id']),
    variantType: textIn(row['variant_type']),
    productName: textIn(row['product_name']),
    settings: settingsIn(row['settings']),
    createdAt: Number(row['created_at']),
    changedAt: Number(row['changed_at']),
  }
}

const textIn = (value: SqlValue | undefined): string | null => (typeof value === 'string' ? value : null)

/** Accepts an altered file: an invalid wanted setting is skipped. */
function settingsIn(value: SqlValue | undefined): readonly SettingChange[] {
  const list = jsonOrNull(value)
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((one): readonly SettingChange[] => {
    if (
      typeof one !== 'object' ||
      one === null ||
      !('name' in one) ||
      !('value' in one) ||
      typeof one.name !== 'string'
    )
      return []
    const wanted = one.value
    if (typeof wanted !== 'string' && typeof wanted !== 'number' && typeof wanted !== 'boolean') return []
    return [
      {
        name: one.name,
        value: wanted,
        ...('locked' in one && typeof one.locked === 'boolean' && { locked: one.locked }),
      },
    ]
  })
}
