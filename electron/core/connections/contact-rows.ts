import type { ContactedHost, ContactPurpose } from '../../contract/connection.ts'
import type { SqlRow, SqlValue, Transaction } from '../host.ts'
import type { Workbook } from '../storage/workbook.ts'

/** Attempts at one host for one purpose, not yet written. */
export type Contact = ContactedHost

/** Names of organizations kept with a host; the list is for reading. Chosen. */
const organizationsAtMost = 20
const purposes: readonly ContactPurpose[] = ['management', 'metadata', 'webhook-validation', 'outside']

/** Whoever was contacted last first; equal ones by name. */
export async function readContacts(workbook: Workbook): Promise<readonly ContactedHost[]> {
  const rows = await workbook.read('SELECT * FROM contacted_host ORDER BY last_at DESC, host, purpose')
  return rows.flatMap((row) => {
    const purpose = purposes.find((one) => one === row['purpose'])
    return purpose === undefined ? [] : [contactOf(row, purpose)]
  })
}

/** Adds to what is there; another program may have written meanwhile. */
export function addContacts(transaction: Transaction, contacts: readonly Contact[]): void {
  for (const { host, purpose, organizations, local, attempts, failed, firstAt, lastAt } of contacts) {
    const known = transaction.first('SELECT organizations FROM contacted_host WHERE host = ? AND purpose = ?', [host, purpose])
    const names = [...new Set([...namesIn(known?.['organizations']), ...organizations])].slice(-organizationsAtMost)
    transaction.run(
      `INSERT INTO contacted_host (host, purpose, organizations, local, attempts, failed, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (host, purpose) DO UPDATE SET organizations = excluded.organizations, attempts = attempts + excluded.attempts,
         failed = failed + excluded.failed, first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)`,
      [host, purpose, JSON.stringify(names), local ? 1 : 0, attempts, failed, firstAt, lastAt],
    )
  }
}

function contactOf(row: SqlRow, purpose: ContactPurpose): ContactedHost {
  return {
    host: String(row['host']),
    purpose,
    organizations: namesIn(row['organizations']),
    local: row['local'] === 1,
    attempts: Number(row['attempts']),
    failed: Number(row['failed']),
    firstAt: Number(row['first_at']),
    lastAt: Number(row['last_at']),
  }
}

function namesIn(value: SqlValue | undefined): readonly string[] {
  try {
    const names: unknown = typeof value === 'string' ? JSON.parse(value) : []
    return Array.isArray(names) ? (names as unknown[]).filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}
