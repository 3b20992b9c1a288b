import type { LedgerEntry, LedgerPage } from '../../contract/api/downloads.ts'
import type { FileChecks } from '../../contract/download.ts'
import type { ProductId } from '../../contract/api/firmware.ts'
import { Failed } from '../../contract/failure.ts'
import { unseen } from '../../contract/unseen.ts'
import { noteDecision, type Journal } from '../journal/journal.ts'
import type { Clock, SqlRow, SqlValue, Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'

/** Identifies a file regardless of its bytes: for one metadata origin. */
export interface FileIdentity extends ProductId {
  readonly origin: string
  readonly name: string
  readonly version: string
  readonly buildType: string
  /** Group of the bundle it came from; null: its own link. */
  readonly bundle: string | null
}

export interface FileBytes {
  /** Lower-case hex. */
  readonly sha256: string
  readonly md5: string
  readonly bytes: number
}

/** `isVerified`: its bytes had published values, or a technician accepted them. */
export type ValidEntry = LedgerEntry & { readonly isVerified: boolean }

/** An entry with its product's name at that time. */
type KnownFile = LedgerEntry & { readonly name: string }

/**
 * Version → bytes, as first received. Stored in the workbook; an accepted change keeps both hashes. Rejects
 * with Failed.
 */
export interface Ledger {
  /** The valid entry; null: nothing was received yet. */
  find(file: FileIdentity): Promise<ValidEntry | null>
  /**
   * Stores the received bytes. If the valid entry has other bytes, they are replaced if it is not verified or
   * if `accepted` gives a reason, which writes a journal line; else nothing changes. Returns the result of
   * the comparison.
   */
  note(
    file: FileIdentity,
    bytes: FileBytes & { readonly host: string },
    accepted: Acceptance | null,
    isVerified: boolean,
  ): Promise<NonNullable<FileChecks['ledger']>>
  list(origin: string, product: ProductId | null, start: number, count: number): Promise<LedgerPage>
  /** For every origin: equal bytes are equal. */
  withHash(sha256: string): Promise<readonly KnownFile[]>
  /** Records that Headroom wrote a file there. */
  written(path: string, file: string): Promise<void>
  wasWritten(path: string, file: string): Promise<boolean>
}

export interface Acceptance {
  readonly reason: string
  readonly who: string
  readonly organization: { readonly id: string; readonly name: string }
}

interface LedgerDeps {
  readonly workbook: Workbook
  readonly journal: Pick<Journal, 'begin' | 'end'>
  readonly clock: Pick<Clock, 'now'>
}

const identified =
  'origin = ? AND vendor_id = ? AND product_id = ? AND version = ? AND build_type = ? AND bundle_group = ?'
/** Texts that look the same, and give the same file name, are the same. */
const keyOf = (text: string): string => text.normalize('NFC').replaceAll(unseen, '').replaceAll(/\s+/g, '')
const keysOf = ({ origin, vendorId, productId, version, buildType, bundle }: FileIdentity): SqlValue[] => [
  origin,
  vendorId,
  productId,
  keyOf(version),
  keyOf(buildType),
  keyOf(bundle ?? ''),
]

export function openLedger({ workbook, journal, clock }: LedgerDeps): Ledger {
  const inForce = (file: FileIdentity) =>
    [`SELECT * FROM firmware_file WHERE ${identified} AND superseded = 0`, keysOf(file)] as const
  const add = (
    transaction: Transaction,
    file: FileIdentity,
    { sha256, md5, bytes, host }: FileBytes & { readonly host: string },
    accepted: Acceptance | null,
    isVerified: boolean,
  ): void => {
    const now = clock.now()
    transaction.run(
      `INSERT INTO firmware_file (origin, vendor_id, product_id, version, build_type, bundle_group, product_name, sha256, md5, bytes, host, at, verified, reason, who, accepted_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...keysOf(file),
        file.name,
        sha256,
        md5,
        bytes,
        host,
        now,
        isVerified ? 1 : 0,
        ...(accepted === null ? [null, null, null] : [accepted.reason, accepted.who, now]),
      ],
    )
  }

  const supersede = (transaction: Transaction, file: FileIdentity): void => {
    transaction.run(
      `UPDATE firmware_file SET superseded = 1 WHERE ${identified} AND superseded = 0`,
      keysOf(file),
    )
  }

  async function accept(
    file: FileIdentity,
    bytes: FileBytes & { readonly host: string },
    before: LedgerEntry,
    accepted: Acceptance,
  ): Promise<void> {
    const line = {
      organization: accepted.organization,
      operation: 'AcceptChangedFirmware',
      target: { of: 'organization', id: accepted.organization.id, name: `${file.name} ${file.version}` },
      deviceIds: [],
      before: `SHA-256 ${before.sha256}`,
      after: `SHA-256 ${bytes.sha256}: ${accepted.reason}`,
      who: accepted.who,
    } as const
    await noteDecision(journal, line, accepted.reason, () =>
      workbook.write((transaction) => {
        supersede(transaction, file)
        add(transaction, file, bytes, accepted, true)
      }),
    )
  }

  return {
    find: async (file) => {
      const [row] = await workbook.query(...inForce(file))
      return row === undefined ? null : validOf(row)
    },
    note: async (file, bytes, accepted, isVerified) => {
      const known = await workbook.write((transaction) => {
        const [sql, keys] = inForce(file)
        const row = transaction.first(sql, keys)
        const found = row === undefined ? null : validOf(row)
        const isReplaced = found?.isVerified === false && found.sha256 !== bytes.sha256 && accepted === null
        if (found?.sha256 === bytes.sha256 && isVerified)
          transaction.run(
            `UPDATE firmware_file SET verified = 1 WHERE ${identified} AND superseded = 0`,
            keysOf(file),
          )
        if (found !== null && !isReplaced) return found
        supersede(transaction, file)
        add(transaction, file, bytes, null, isVerified)
        return null
      })
      if (known === null) return isVerified ? 'new' : 'first seen'
      if (known.sha256 === bytes.sha256) return 'same'
      if (accepted === null) return 'changed'
      await accept(file, bytes, known, accepted)
      return 'accepted'
    },
    list: async (origin, product, start, count) => {
      const [where, keys]: [string, SqlValue[]] =
        product === null
          ? ['origin = ?', [origin]]
          : ['origin = ? AND vendor_id = ? AND product_id = ?', [origin, product.vendorId, product.productId]]
      const [counted] = await workbook.query(`SELECT count(*) AS n FROM firmware_file WHERE ${where}`, keys)
      const rows = await workbook.query(
        `SELECT * FROM firmware_file WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
        [...keys, count, start],
      )
      return { total: Number(counted?.['n'] ?? 0), entries: rows.map(entryOf) }
    },
    withHash: async (sha256) =>
      (await workbook.query('SELECT * FROM firmware_file WHERE sha256 = ? ORDER BY id', [sha256])).map(
        (row) => ({
          ...entryOf(row),
          name: String(row['product_name']),
        }),
      ),
    written: async (path, file) => {
      await workbook.write((transaction) =>
        transaction.run(
          `INSERT INTO firmware_path (path, file, written_at) VALUES (?, ?, ?)
           ON CONFLICT (path) DO UPDATE SET file = excluded.file, written_at = excluded.written_at`,
          [path, file, clock.now()],
        ),
      )
    },
    wasWritten: async (path, file) =>
      (await workbook.query('SELECT 1 FROM firmware_path WHERE path = ? OR file = ? LIMIT 1', [path, file]))
        .length > 0,
  }
}

/** An accepted change needs a reason. Throws Failed `invalid`. */
export function reasonGiven(reason: string | null): string | null {
  const given = reason?.trim() ?? null
  if (given?.replaceAll(unseen, '').trim() === '')
    throw Failed.invalid(
      'accept-changed',
      'Enter the reason why you accept the changed file. It is recorded in the journal.',
    )
  return given
}

const validOf = (row: SqlRow): ValidEntry => ({ ...entryOf(row), isVerified: row['verified'] === 1 })

function entryOf(row: SqlRow): LedgerEntry {
  const group = String(row['bundle_group'])
  return {
    vendorId: Number(row['vendor_id']),
    productId: Number(row['product_id']),
    version: String(row['version']),
    buildType: String(row['build_type']),
    bundle: group === '' ? null : group,
    sha256: String(row['sha256']),
    bytes: Number(row['bytes']),
    md5: String(row['md5']),
    host: String(row['host']),
    at: Number(row['at']),
    accepted:
      typeof row['reason'] === 'string'
        ? { reason: row['reason'], who: String(row['who']), at: Number(row['accepted_at']) }
        : null,
    superseded: row['superseded'] === 1,
  }
}
