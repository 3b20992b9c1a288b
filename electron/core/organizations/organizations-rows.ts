import type { KeySlot } from '../../contract/failure.ts'
import { prereleaseStages } from '../../contract/firmware.ts'
import { assumedValues } from '../../contract/organization.ts'
import type { Organization, OrganizationDraft, PresetName } from '../../contract/api/organizations.ts'
import type { SqlRow, SqlValue, Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { textOrNull } from '../storage/row-values.ts'

/** An organization as stored in the workbook: without keys. */
export interface StoredOrganization {
  readonly id: string
  readonly draft: OrganizationDraft
  readonly slotInUse: KeySlot
  /** The random id under which its calls are counted. */
  readonly budgetScope: string
  readonly createdAt: number
}

/** The stored facts about a key in the keychain. */
export interface StoredKey {
  readonly organizationId: string
  readonly slot: KeySlot
  readonly lastFour: string | null
  readonly fingerprintId: string
  readonly addedAt: number
  readonly lastUsedAt: number | null
  readonly lastRefusedAt: number | null
}

/** The replaced key that should be regenerated in the portal. */
export type KeyReminder = NonNullable<Organization['regenerate']>

export interface StoredPicture {
  readonly organizations: readonly StoredOrganization[]
  readonly keys: readonly StoredKey[]
  /** By organization. */
  readonly reminders: ReadonlyMap<string, KeyReminder>
  readonly currentId: string | null
}

const text = (value: SqlValue | undefined): string => String(value ?? '')
const timeOrNull = (value: SqlValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value)
const slotOf = (value: SqlValue | undefined): KeySlot => (value === 'secondary' ? 'secondary' : 'primary')
const presetOf = (value: SqlValue | undefined): PresetName =>
  value === 'demonstration' || value === 'jabra-plus' ? value : 'custom'

/** Accepts altered data: if it is not a list of texts, the default is used. */
function textsOf(value: SqlValue | undefined, otherwise: readonly string[]): readonly string[] {
  try {
    const list: unknown = JSON.parse(text(value))
    return Array.isArray(list) && list.every((word) => typeof word === 'string') ? list : otherwise
  } catch {
    return otherwise
  }
}

const organizationOf = (row: SqlRow): StoredOrganization => ({
  id: text(row['id']),
  draft: {
    name: text(row['name']),
    preset: presetOf(row['preset']),
    managementUrl: text(row['management_url']),
    metadataUrl: text(row['metadata_url']),
    managementVersion: Number(row['management_version']),
    metadataVersion: Number(row['metadata_version']),
    family: text(row['family']),
    vendorId: Number(row['vendor_id']),
    definitionLimit: textOrNull(row['definition_limit']),
    templates: {
      deviceSettings: textOrNull(row['device_settings_template']),
      updateDeviceSettings: textOrNull(row['update_device_settings_template']),
      devicesWithSettings: textOrNull(row['devices_with_settings_template']),
      firmwareRead: textOrNull(row['firmware_read_template']),
      firmwareUpdate: textOrNull(row['firmware_update_template']),
    },
    rebootBy: row['reboot_by'] === 'room-id' ? 'room-id' : 'group-id',
    assumed: {
      buildTypes: textsOf(row['assumed_build_types'], assumedValues.buildTypes),
      platforms: textsOf(row['assumed_platforms'], assumedValues.platforms),
      agentTypes: textsOf(row['assumed_agent_types'], assumedValues.agentTypes),
    },
    includeStages: prereleaseStages.filter((stage) => textsOf(row['include_stages'], []).includes(stage)),
  },
  slotInUse: slotOf(row['slot_in_use']),
  budgetScope: text(row['budget_scope']),
  createdAt: Number(row['created_at']),
})

const keyOf = (row: SqlRow): StoredKey => ({
  organizationId: text(row['organization_id']),
  slot: slotOf(row['slot']),
  lastFour: textOrNull(row['last_four']),
  fingerprintId: text(row['fingerprint_id']),
  addedAt: Number(row['added_at']),
  lastUsedAt: timeOrNull(row['last_used_at']),
  lastRefusedAt: timeOrNull(row['last_refused_at']),
})

const reminderOf = (row: SqlRow): readonly [string, KeyReminder] => [
  text(row['organization_id']),
  {
    slot: slotOf(row['slot']),
    since: Number(row['since']),
    because: row['because'] === 'refused' ? 'refused' : 'swapped',
  },
]

const draftColumns = [
  'name',
  'name_folded',
  'preset',
  'management_url',
  'metadata_url',
  'management_version',
  'metadata_version',
  'family',
  'vendor_id',
  'definition_limit',
  'device_settings_template',
  'update_device_settings_template',
  'devices_with_settings_template',
  'firmware_read_template',
  'firmware_update_template',
  'reboot_by',
  'assumed_build_types',
  'assumed_platforms',
  'assumed_agent_types',
  'include_stages',
] as const

/** Rows of a table or subquery as one JSON array, so that one statement returns several of them. */
const rowsAsJson = (columns: readonly string[], from: string): string =>
  `(SELECT json_group_array(json_object(${columns.map((column) => `'${column}', ${column}`).join(', ')})) FROM ${from})`

/** Everything in one statement, so that it is consistent. */
export const pictureSql = `SELECT
  (SELECT value FROM fact WHERE name = 'current-organization') AS current,
  ${rowsAsJson(
    [...draftColumns, 'id', 'slot_in_use', 'budget_scope', 'created_at'],
    '(SELECT * FROM organization WHERE id NOT IN (SELECT organization_id FROM removed_organization) ORDER BY created_at, rowid)',
  )} AS organizations,
  ${rowsAsJson(['organization_id', 'slot', 'last_four', 'fingerprint_id', 'added_at', 'last_used_at', 'last_refused_at'], 'subscription_key')} AS keys,
  ${rowsAsJson(['organization_id', 'slot', 'since', 'because'], 'key_reminder')} AS reminders`

/** The result of `pictureSql`: oldest organization first, without those being removed. */
export function pictureOf(row: SqlRow | undefined): StoredPicture {
  const rows = (name: string): readonly SqlRow[] => JSON.parse(text(row?.[name])) as SqlRow[]
  const organizations = rows('organizations').map(organizationOf)
  const chosen = textOrNull(row?.['current'])
  return {
    organizations,
    keys: rows('keys').map(keyOf),
    reminders: new Map(rows('reminders').map(reminderOf)),
    // If the current one was removed, the oldest replaces it.
    currentId: organizations.some(({ id }) => id === chosen) ? chosen : (organizations[0]?.id ?? null),
  }
}

const draftValues = (draft: OrganizationDraft, folded: string): SqlValue[] => [
  draft.name,
  folded,
  draft.preset,
  draft.managementUrl,
  draft.metadataUrl,
  draft.managementVersion,
  draft.metadataVersion,
  draft.family,
  draft.vendorId,
  draft.definitionLimit,
  draft.templates.deviceSettings,
  draft.templates.updateDeviceSettings,
  draft.templates.devicesWithSettings,
  draft.templates.firmwareRead,
  draft.templates.firmwareUpdate,
  draft.rebootBy,
  JSON.stringify(draft.assumed.buildTypes),
  JSON.stringify(draft.assumed.platforms),
  JSON.stringify(draft.assumed.agentTypes),
  JSON.stringify(draft.includeStages),
]

export function insertOrganization(
  transaction: Transaction,
  stored: StoredOrganization,
  folded: string,
): void {
  transaction.run(
    `INSERT INTO organization (${draftColumns.join(', ')}, id, slot_in_use, budget_scope, created_at) VALUES (${draftColumns.map(() => '?').join(', ')}, ?, ?, ?, ?)`,
    [...draftValues(stored.draft, folded), stored.id, stored.slotInUse, stored.budgetScope, stored.createdAt],
  )
}

export function updateOrganization(
  transaction: Transaction,
  id: string,
  draft: OrganizationDraft,
  folded: string,
): void {
  transaction.run(
    `UPDATE organization SET ${draftColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`,
    [...draftValues(draft, folded), id],
  )
}

/** The id of another organization with this name, or null. */
export const namesake = (transaction: Transaction, folded: string, otherThan: string | null): string | null =>
  textOrNull(
    transaction.first('SELECT id FROM organization WHERE name_folded = ? AND id IS NOT ?', [
      folded,
      otherThan,
    ])?.['id'],
  )

export const writeCurrent = (transaction: Transaction, id: string): void =>
  writeFact(transaction, 'current-organization', id)

export const writeSlotInUse = (transaction: Transaction, id: string, slot: KeySlot): void => {
  transaction.run('UPDATE organization SET slot_in_use = ? WHERE id = ?', [slot, id])
}

/** null: nothing is to be regenerated. A removed organization has none. */
export function writeReminder(transaction: Transaction, id: string, reminder: KeyReminder | null): void {
  transaction.run('DELETE FROM key_reminder WHERE organization_id = ?', [id])
  if (reminder === null) return
  transaction.run(
    'INSERT INTO key_reminder (organization_id, slot, since, because) SELECT id, ?, ?, ? FROM organization WHERE id = ?',
    [reminder.slot, reminder.since, reminder.because, id],
  )
}

export const endReminder = (
  transaction: Transaction,
  id: string,
  slot: KeySlot,
  because: KeyReminder['because'] | null = null,
): void => {
  transaction.run(
    'DELETE FROM key_reminder WHERE organization_id = ? AND slot = ? AND because = COALESCE(?, because)',
    [id, slot, because],
  )
}

export function writeKey(transaction: Transaction, key: StoredKey): void {
  transaction.run(
    `INSERT INTO subscription_key (organization_id, slot, last_four, fingerprint_id, added_at, last_used_at, last_refused_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (organization_id, slot) DO UPDATE SET last_four = excluded.last_four, fingerprint_id = excluded.fingerprint_id, added_at = excluded.added_at,
       last_used_at = excluded.last_used_at, last_refused_at = excluded.last_refused_at`,
    [
      key.organizationId,
      key.slot,
      key.lastFour,
      key.fingerprintId,
      key.addedAt,
      key.lastUsedAt,
      key.lastRefusedAt,
    ],
  )
}

export const writeKeyTimes = (transaction: Transaction, key: StoredKey): void => {
  transaction.run(
    'UPDATE subscription_key SET last_used_at = ?, last_refused_at = ? WHERE organization_id = ? AND slot = ?',
    [key.lastUsedAt, key.lastRefusedAt, key.organizationId, key.slot],
  )
}

export const deleteKey = (transaction: Transaction, organizationId: string, slot: KeySlot): void => {
  transaction.run('DELETE FROM subscription_key WHERE organization_id = ? AND slot = ?', [
    organizationId,
    slot,
  ])
}

/** The fingerprint of the key in the keychain for a slot; null: none. */
export const storedFingerprint = (
  transaction: Transaction,
  organizationId: string,
  slot: KeySlot,
): string | null =>
  textOrNull(
    transaction.first('SELECT fingerprint_id FROM subscription_key WHERE organization_id = ? AND slot = ?', [
      organizationId,
      slot,
    ])?.['fingerprint_id'],
  )

/** Keychain entries whose removal failed. */
export const leftovers = async (workbook: Workbook): Promise<readonly string[]> =>
  (await workbook.query('SELECT account FROM keychain_leftover')).map((row) => text(row['account']))
export const addLeftover = (transaction: Transaction, account: string): void => {
  transaction.run('INSERT OR IGNORE INTO keychain_leftover (account) VALUES (?)', [account])
}
export const deleteLeftover = (transaction: Transaction, account: string): void => {
  transaction.run('DELETE FROM keychain_leftover WHERE account = ?', [account])
}

/** A value that is created once and stored permanently; returns the stored one. */
export function storedFact(transaction: Transaction, name: string, first: string): string {
  transaction.run('INSERT OR IGNORE INTO fact (name, value) VALUES (?, ?)', [name, first])
  return text(transaction.first('SELECT value FROM fact WHERE name = ?', [name])?.['value'])
}

function writeFact(transaction: Transaction, name: string, value: string): void {
  transaction.run(
    'INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [name, value],
  )
}

export interface Fingerprint {
  readonly id: string
  readonly budgetScope: string
}

export function fingerprintOf(transaction: Transaction, hash: string): Fingerprint | null {
  const row = transaction.first('SELECT id, budget_scope FROM key_fingerprint WHERE hash = ?', [hash])
  return row === undefined ? null : { id: text(row['id']), budgetScope: text(row['budget_scope']) }
}

export const insertFingerprint = (transaction: Transaction, hash: string, fingerprint: Fingerprint): void => {
  transaction.run('INSERT INTO key_fingerprint (id, hash, budget_scope) VALUES (?, ?, ?)', [
    fingerprint.id,
    hash,
    fingerprint.budgetScope,
  ])
}

export const scopeOf = (transaction: Transaction, organizationId: string): string | null =>
  textOrNull(
    transaction.first('SELECT budget_scope FROM organization WHERE id = ?', [organizationId])?.[
      'budget_scope'
    ],
  )

/** As `scopeOf`, outside a transaction. */
export async function queryScope(workbook: Workbook, organizationId: string): Promise<string> {
  const [row] = await workbook.query('SELECT budget_scope FROM organization WHERE id = ?', [organizationId])
  return text(row?.['budget_scope'])
}

/** Calls that were counted under one scope are counted under the other from now on. */
export function joinScopes(transaction: Transaction, from: string, into: string): void {
  transaction.run('UPDATE organization SET budget_scope = ? WHERE budget_scope = ?', [into, from])
  transaction.run('UPDATE key_fingerprint SET budget_scope = ? WHERE budget_scope = ?', [into, from])
}
