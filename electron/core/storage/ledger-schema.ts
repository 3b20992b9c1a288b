/**
 * Format 1 of the ledger: batches of calls, and pauses, holds and losses. When a row was written: row-time.ts.
 */
export const ledgerSchema = `
  CREATE TABLE call_batch (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    scope TEXT NOT NULL,
    count INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    starts TEXT,
    boot TEXT,
    told_at INTEGER,
    told_mono REAL
  ) STRICT;
  CREATE INDEX call_batch_by_scope ON call_batch (scope);
  CREATE TABLE deadline (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    until_at INTEGER NOT NULL,
    told_at INTEGER NOT NULL,
    boot TEXT,
    told_uptime REAL,
    PRIMARY KEY (scope, kind)
  ) STRICT, WITHOUT ROWID;
`
