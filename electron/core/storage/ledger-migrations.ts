import { DatabaseError, type Transaction } from '../host.ts'

/** Version n is reached by the first n steps. Additive only: an older program may still run on the same file. */
const steps = [
  `CREATE TABLE scope (
     scope TEXT PRIMARY KEY,
     revision INTEGER NOT NULL,
     paused_until_at INTEGER NOT NULL,
     paused_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE lease (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     scope TEXT NOT NULL,
     owner TEXT NOT NULL,
     revision INTEGER NOT NULL,
     count INTEGER NOT NULL,
     ends_at INTEGER NOT NULL,
     starts TEXT
   ) STRICT;
   CREATE INDEX lease_by_revision ON lease (scope, revision);
   CREATE INDEX lease_by_end ON lease (scope, ends_at);`,
  // Write slots: one row for the last write to each device. A write under way ends at `ends_at` at the latest.
  `CREATE TABLE write_slot (
     device_id TEXT PRIMARY KEY,
     write_id TEXT NOT NULL,
     under_way INTEGER NOT NULL,
     ends_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX write_slot_by_write ON write_slot (write_id);
   CREATE INDEX write_slot_by_end ON write_slot (ends_at);`,
  // Which program syncs an organization and runs its jobs.
  `CREATE TABLE organization_lease (
     organization_id TEXT PRIMARY KEY,
     owner TEXT NOT NULL,
     name TEXT NOT NULL,
     since INTEGER NOT NULL,
     beat INTEGER NOT NULL,
     ends_at INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
]

/** Brings the ledger to this program's version, when it is first used. Throws DatabaseError `newer`. */
export function migrateLedger(transaction: Transaction): void {
  const version = Number(transaction.first('PRAGMA user_version')?.['user_version'] ?? 0)
  if (version > steps.length) throw new DatabaseError('ledger', 'newer', `the ledger has version ${version}; this program knows up to ${steps.length}`)
  for (const step of steps.slice(version)) transaction.script(step)
  if (version < steps.length) transaction.script(`PRAGMA user_version = ${steps.length}`)
}
