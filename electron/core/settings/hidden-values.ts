import { createHmac } from 'node:crypto'
import type { Json, JsonObject } from '../../contract/json.ts'
import type { Platform, Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { replaceConfidential } from '../writes/writes.ts'

/**
 * Values of settings that may be a password or a code exist only in the response itself. A digest with a
 * random key of this data folder is stored and shown. Equal values have equal digests, so that changes and
 * conflicts are still detected.
 */
export type SettingDigest = (name: string, value: string | number) => string

/** Shown instead of a hidden value. */
export const dots = '•••'

/** Stored instead of a value: its digest, and whether it was a number. */
const marked = (digest: string, isNumber: boolean): JsonObject => ({ [dots]: digest, isNumber })

/** null: not a hidden value. */
export function hiddenIn(
  json: Json | undefined,
): { readonly digest: string; readonly isNumber: boolean } | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null
  const digest = (json as JsonObject)[dots]
  return typeof digest === 'string' ? { digest, isNumber: (json as JsonObject)['isNumber'] === true } : null
}

/** A response in its stored form: possible passwords and codes are replaced by their digests. */
export const withDigests = (json: Json, digest: SettingDigest): Json =>
  replaceConfidential(json, (name, value) => marked(digest(name, value), typeof value === 'number'))

/** A response in its displayed form: dots for hidden values; the response itself if nothing is hidden. */
export function withDots(json: Json): Json {
  if (!holdsHidden(json)) return json
  if (hiddenIn(json) !== null) return dots
  if (Array.isArray(json)) return json.map((one: Json) => withDots(one))
  return Object.fromEntries(
    Object.entries(json as JsonObject).map(([name, value]) => [name, withDots(value)]),
  )
}

function holdsHidden(json: Json): boolean {
  if (typeof json !== 'object' || json === null) return false
  return hiddenIn(json) !== null || Object.values(json as JsonObject).some(holdsHidden)
}

/** Whether two digests may be of the same value: those with different keys cannot be compared. */
export const mayBeSame = (one: string, other: string): boolean => one === other || keyOf(one) !== keyOf(other)

const keyOf = (digest: string): string | undefined => digest.split('.')[0]

/**
 * The digests of this data folder: their key is created once and stored in the workbook. If that is
 * impossible, they are valid for this run.
 */
export async function openSettingDigest(
  workbook: Pick<Workbook, 'write'>,
  newId: Platform['newId'],
): Promise<SettingDigest> {
  const made = `${newId()}${newId()}`
  const key = await workbook.write((transaction) => storedKey(transaction, made)).catch(() => made)
  const keyName = createHmac('sha256', key).update('name').digest('base64url').slice(0, 8)
  return (name, value) => {
    const digest = createHmac('sha256', key)
      .update(JSON.stringify([name, String(value)]))
      .digest('base64url')
    return `${keyName}.${digest.slice(0, 22)}`
  }
}

function storedKey(transaction: Transaction, made: string): string {
  transaction.run("INSERT OR IGNORE INTO fact (name, value) VALUES ('setting-digest-key', ?)", [made])
  return String(transaction.first("SELECT value FROM fact WHERE name = 'setting-digest-key'")?.['value'])
}

/**
 * A record of a device or room in its stored form: if it contains settings, possible passwords and codes are
 * dots.
 */
export function withoutSettingValues(record: Json): Json {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  const names = Object.keys(record).filter((name) => name.toLowerCase() === 'settings')
  if (names.length === 0) return record
  return {
    ...record,
    ...Object.fromEntries(
      names.map((name) => [name, replaceConfidential((record as JsonObject)[name] ?? null, () => dots)]),
    ),
  }
}
