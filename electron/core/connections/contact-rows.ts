import type { ContactedHost, ContactPurpose } from '../../contract/api/connections.ts'
import type { SqlRow, SqlValue, Transaction } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'

/** Attempts at one host for one purpose, as stored. */
export interface Contact extends Omit<ContactedHost, 'organizations'> {
  /** Their ids: a name may change. */
  readonly organizations: readonly string[]
}

/** Maximum of organizations stored for a host; people read the list. Raise it if names are missing. */
const organizationsAtMost = 20
const purposes: readonly ContactPurpose[] = [
  'management',
  'metadata',
  'download',
  'picture',
  'webhook-validation',
  'newer-version',
  'outside',
]

/** What is written. */
export async function queryContacts(workbook: Workbook): Promise<readonly Contact[]> {
  return (await workbook.query('SELECT * FROM contacted_host')).flatMap(contactOf)
}

/** Adds to the stored counts, which are of all runs. */
export function addContacts(transaction: Transaction, contacts: readonly Contact[]): void {
  for (const contact of contacts) {
    const known = transaction
      .all('SELECT * FROM contacted_host WHERE host = ? AND purpose = ?', [contact.host, contact.purpose])
      .flatMap(contactOf)
    const { host, purpose, organizations, local, attempts, failed, firstAt, lastAt } = joined([
      ...known,
      contact,
    ])[0]!
    transaction.run(
      'INSERT OR REPLACE INTO contacted_host (host, purpose, organizations, local, attempts, failed, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      [host, purpose, JSON.stringify(organizations), local ? 1 : 0, attempts, failed, firstAt, lastAt],
    )
  }
}

/** One entry for each host and purpose with the sum of all counts; most recent first, then by name. */
export function joined(contacts: readonly Contact[]): readonly Contact[] {
  const byPlace = new Map<string, Contact>()
  for (const contact of contacts) {
    const place = `${contact.purpose} ${contact.host}`
    const previous = byPlace.get(place)
    byPlace.set(
      place,
      previous === undefined
        ? contact
        : {
            ...previous,
            organizations: [...new Set([...previous.organizations, ...contact.organizations])].slice(
              -organizationsAtMost,
            ),
            attempts: previous.attempts + contact.attempts,
            failed: previous.failed + contact.failed,
            firstAt: Math.min(previous.firstAt, contact.firstAt),
            lastAt: Math.max(previous.lastAt, contact.lastAt),
          },
    )
  }
  return [...byPlace.values()].sort(
    (a, b) =>
      b.lastAt - a.lastAt || (a.host === b.host ? compare(a.purpose, b.purpose) : compare(a.host, b.host)),
  )
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** null for a purpose that this program does not know. */
function contactOf(row: SqlRow): Contact[] {
  const purpose = purposes.find((one) => one === row['purpose'])
  if (purpose === undefined) return []
  return [
    {
      host: String(row['host']),
      purpose,
      organizations: idsIn(row['organizations']),
      local: row['local'] === 1,
      attempts: Number(row['attempts']),
      failed: Number(row['failed']),
      firstAt: Number(row['first_at']),
      lastAt: Number(row['last_at']),
    },
  ]
}

function idsIn(value: SqlValue | undefined): readonly string[] {
  try {
    const ids: unknown = typeof value === 'string' ? JSON.parse(value) : []
    return Array.isArray(ids) ? (ids as unknown[]).filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
