import { DatabaseError, type Database, type Transaction } from '../platform.ts'

/**
 * The first n steps lead to version n. One process at a time owns the file, so a step may drop unused tables.
 */
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
  // Write slots: one row for the last write to each device. A write in flight ends at `ends_at` at the
  // latest.
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
  // When a row was written, by the clock that runs since the computer started and that all programs share
  // (row-time.ts); pauses, holds and losses in separate rows. A pause beyond a quarter of an hour is a hold
  // (call-budget/pauses.ts).
  `ALTER TABLE lease ADD COLUMN boot TEXT;
   ALTER TABLE lease ADD COLUMN told_at INTEGER;
   ALTER TABLE lease ADD COLUMN told_mono REAL;
   ALTER TABLE write_slot ADD COLUMN boot TEXT;
   ALTER TABLE write_slot ADD COLUMN told_at INTEGER;
   ALTER TABLE write_slot ADD COLUMN told_mono REAL;
   CREATE TABLE deadline (
     scope TEXT NOT NULL,
     kind TEXT NOT NULL,
     until_at INTEGER NOT NULL,
     told_at INTEGER NOT NULL,
     boot TEXT,
     told_uptime REAL,
     PRIMARY KEY (scope, kind)
   ) STRICT, WITHOUT ROWID;
   INSERT INTO deadline (scope, kind, until_at, told_at)
     SELECT scope, CASE WHEN paused_until_at - paused_at > 900000 THEN 'hold' ELSE 'pause' END, paused_until_at, paused_at
     FROM scope WHERE paused_until_at > 0;`,
  // One process owns a data folder: no other process makes starts, and an organization needs no lease.
  `DROP INDEX IF EXISTS lease_by_revision;
   DROP INDEX IF EXISTS lease_by_end;
   ALTER TABLE lease DROP COLUMN owner;
   ALTER TABLE lease DROP COLUMN revision;
   ALTER TABLE lease RENAME TO call_batch;
   CREATE INDEX call_batch_by_scope ON call_batch (scope);
   DROP TABLE scope;
   DROP TABLE organization_lease;`,
]

function mustBeKnown(version: number): void {
  if (version > steps.length)
    throw new DatabaseError(
      'ledger',
      'newer',
      `The call history was written by a newer Headroom (format ${version}; this one supports up to ${steps.length}). It was not changed.`,
    )
}

/** As `migrateLedger`, without a write if there is nothing to do. Rejects with DatabaseError. */
export async function prepareLedger(database: Database): Promise<void> {
  const [row] = await database.query('PRAGMA user_version')
  const version = Number(row?.['user_version'] ?? 0)
  mustBeKnown(version)
  if (version < steps.length) await database.write(migrateLedger)
}

/** Migrates the ledger to this program's version at its first use. Throws DatabaseError `newer`. */
export function migrateLedger(transaction: Transaction): void {
  const version = Number(transaction.first('PRAGMA user_version')?.['user_version'] ?? 0)
  mustBeKnown(version)
  for (const step of steps.slice(version)) transaction.script(step)
  if (version < steps.length) transaction.script(`PRAGMA user_version = ${steps.length}`)
}
