import type { Transaction } from '../platform.ts'
import { idKey } from './record-ids.ts'
import { searchable } from './search-text.ts'

/**
 * The permanent tables: raw records, metadata documents, changes and the progress of each sync. Everything
 * else in the file is derived. Each step raises `user_version` by one; steps are only ever added, and remove
 * nothing that is still read.
 */
const steps: readonly string[] = [
  `
  CREATE TABLE raw_record (
    row_id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    sync_id INTEGER NOT NULL,
    gone_at INTEGER,
    UNIQUE (organization_id, kind, id)
  );
  CREATE TABLE raw_json (row_id INTEGER PRIMARY KEY REFERENCES raw_record ON DELETE CASCADE, json TEXT NOT NULL);
  CREATE TABLE record_alias (
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    alias TEXT NOT NULL,
    id TEXT,
    observed_at INTEGER NOT NULL,
    PRIMARY KEY (organization_id, kind, alias)
  ) WITHOUT ROWID;
  CREATE INDEX record_alias_of ON record_alias (organization_id, kind, id);
  CREATE TABLE unreadable_record (
    row_id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    why TEXT NOT NULL,
    json TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    sync_id INTEGER NOT NULL,
    stream TEXT NOT NULL
  );
  CREATE INDEX unreadable_record_of ON unreadable_record (organization_id, kind, sync_id);
  CREATE TABLE metadata_document (
    address TEXT PRIMARY KEY, status INTEGER, body TEXT, headers TEXT, requested_at INTEGER, observed_at INTEGER, size INTEGER
  );
  CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    before TEXT,
    after TEXT,
    observed_at INTEGER NOT NULL
  );
  CREATE INDEX change_at ON change (organization_id, observed_at);
  CREATE INDEX change_of ON change (organization_id, subject, subject_id);
  CREATE TABLE sync_report (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    complete INTEGER NOT NULL DEFAULT 0,
    report TEXT,
    notes TEXT
  );
  CREATE INDEX sync_report_of ON sync_report (organization_id, id);
  CREATE TABLE sync_stream (
    organization_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    sync_id INTEGER NOT NULL,
    token TEXT,
    finished INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (organization_id, stream)
  ) WITHOUT ROWID;
  CREATE TABLE derived_stamp (part TEXT PRIMARY KEY, stamp TEXT NOT NULL, tables TEXT NOT NULL) WITHOUT ROWID;
  `,
  // The raw responses with a device's settings: they are not part of a sync, so they cannot be derived.
  `
  CREATE TABLE device_settings (
    row_id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    device_id TEXT NOT NULL,
    json TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    UNIQUE (organization_id, device_id)
  );
  `,
  // Copies and totals for lists: tags and pasted lists of the workbook (the only authority), compliance with
  // the catalogue as last read, and the number of devices by status at the end of each complete sync.
  `
  CREATE TABLE device_mark (
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    word TEXT NOT NULL,
    device_id TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (organization_id, kind, word, device_id)
  ) WITHOUT ROWID;
  CREATE INDEX device_mark_of ON device_mark (organization_id, device_id, kind);
  CREATE TABLE device_mark_stamp (organization_id TEXT PRIMARY KEY, stamp TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE firmware_standing (
    organization_id TEXT NOT NULL,
    product_id INTEGER NOT NULL,
    firmware_version TEXT NOT NULL,
    word TEXT NOT NULL,
    behind_by INTEGER,
    latest TEXT,
    PRIMARY KEY (organization_id, product_id, firmware_version)
  ) WITHOUT ROWID;
  CREATE TABLE sync_status (
    organization_id TEXT NOT NULL,
    sync_id INTEGER NOT NULL,
    finished_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (organization_id, sync_id, status)
  ) WITHOUT ROWID;
  `,
  // Changes are searched by text and counted by day; invalidated settings remain for comparison.
  `
  ALTER TABLE change ADD COLUMN name_folded TEXT;
  ALTER TABLE change ADD COLUMN before_folded TEXT;
  ALTER TABLE change ADD COLUMN after_folded TEXT;
  DROP INDEX change_at;
  CREATE INDEX change_at ON change (organization_id, observed_at, kind, subject);
  CREATE INDEX change_detail ON change (organization_id, observed_at, kind, subject, before, after, subject_id)
    WHERE kind IN ('firmware-changed', 'status-changed');
  ALTER TABLE device_settings ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
  `,
  // Why compliance is unknown, if the releases show the reason.
  `
  ALTER TABLE firmware_standing ADD COLUMN why TEXT;
  `,
  // Equal unreadable records are one row. If a stream has more than some hundred, the others are only
  // counted, in one row.
  `
  ALTER TABLE unreadable_record ADD COLUMN times INTEGER NOT NULL DEFAULT 1;
  `,
  // Possible passwords and codes are hidden in stored data by the module that recognizes them, and then the
  // file is compacted.
  '',
  // The client type under which the service listed a device in the last sync that found it; empty: several.
  `
  ALTER TABLE raw_record ADD COLUMN listed_as TEXT;
  `,
  // The number of devices by status at the end of each sync is no longer read.
  `
  DROP TABLE sync_status;
  `,
  // Where a document was read after a redirect: its links may be relative to that address.
  `
  ALTER TABLE metadata_document ADD COLUMN redirected_to TEXT;
  `,
  // Compliance depends on the variant too, and on approvals; a missing version is ''. Rebuilt at once
  // (firmware/compliance.ts).
  `
  DROP TABLE firmware_standing;
  CREATE TABLE firmware_standing (
    organization_id TEXT NOT NULL,
    product_id INTEGER NOT NULL,
    variant TEXT NOT NULL DEFAULT '',
    firmware_version TEXT NOT NULL,
    word TEXT NOT NULL,
    behind_by INTEGER,
    latest TEXT,
    why TEXT,
    compared_with TEXT,
    approved TEXT NOT NULL DEFAULT 'none',
    approved_version TEXT,
    PRIMARY KEY (organization_id, product_id, variant, firmware_version)
  ) WITHOUT ROWID;
  `,
  // Documents read for work without a connection are not deleted to make room for others.
  `
  ALTER TABLE metadata_document ADD COLUMN prepared INTEGER NOT NULL DEFAULT 0;
  `,
  // Pictures of products, by the metadata interface that names them. The bytes are the last column: lists
  // read the rows without them.
  `
  CREATE TABLE picture (
    interface TEXT NOT NULL,
    vendor_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    size INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (interface, vendor_id, product_id)
  );
  CREATE INDEX picture_id ON picture (id);
  `,
  // The records on the pages of a stream so far, to compare them with the counts that the service states.
  `
  ALTER TABLE sync_stream ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
  `,
  // Who an unreadable record is (its serial number or name; empty: unknown), how many of them the last sync
  // had and since which one; and records that are not listed since an unreadable one came, by that sync.
  `
  ALTER TABLE unreadable_record ADD COLUMN identity TEXT NOT NULL DEFAULT '';
  CREATE TABLE unreadable_since (
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    identity TEXT NOT NULL,
    since INTEGER NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (organization_id, kind, identity, since)
  ) WITHOUT ROWID;
  ALTER TABLE raw_record ADD COLUMN not_listed_since INTEGER;
  CREATE INDEX raw_record_not_listed ON raw_record (organization_id, kind) WHERE not_listed_since IS NOT NULL;
  `,
  // What was known and not gone when a sync began, and what it did not mark as gone because it was so much.
  `
  ALTER TABLE sync_report ADD COLUMN known_devices INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sync_report ADD COLUMN known_rooms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE sync_report ADD COLUMN held TEXT;
  `,
  // Ids are compared without case. \`id\` is how a record was spelt first; \`sent_id\` how the service spelt it
  // last, null: the same.
  `
  ALTER TABLE raw_record ADD COLUMN id_key TEXT NOT NULL DEFAULT '';
  ALTER TABLE raw_record ADD COLUMN sent_id TEXT;
  UPDATE raw_record SET id_key = lower(id);
  CREATE INDEX raw_record_key ON raw_record (organization_id, kind, id_key);
  CREATE INDEX raw_record_sent ON raw_record (organization_id) WHERE sent_id IS NOT NULL;
  `,
  // The age of the release list that a compliance comes from.
  `
  ALTER TABLE firmware_standing ADD COLUMN observed_at INTEGER;
  `,
]

/** The step that adds the folded texts of changes. */
const foldedChanges = 3
/** The step that adds the keys of ids. */
const idKeys = 16
/** The step that hides possible passwords and codes. */
const hiddenValues = 6

/** A stamp that exists until a file with hidden values was compacted. */
export const compaction = 'compaction wanted'

/** Earlier changes: SQL folds only ASCII letters, so other text is folded here. */
function foldChanges(transaction: Transaction): void {
  for (const [column, foldedColumn] of [
    ['subject_name', 'name_folded'],
    ['before', 'before_folded'],
    ['after', 'after_folded'],
  ] as const)
    for (const row of transaction.all(
      `SELECT DISTINCT ${column} AS text FROM change WHERE ${column} GLOB '*[^ -~]*'`,
    ))
      transaction.run(`UPDATE change SET ${foldedColumn} = ? WHERE ${column} = ?`, [
        searchable([String(row['text']).replaceAll('\n', ' ')]),
        String(row['text']),
      ])
}

/** The step above folds only ASCII letters. */
function keyIds(transaction: Transaction): void {
  for (const row of transaction.all("SELECT row_id, id FROM raw_record WHERE id GLOB '*[^ -~]*'"))
    transaction.run('UPDATE raw_record SET id_key = ? WHERE row_id = ?', [
      idKey(String(row['id'])),
      Number(row['row_id']),
    ])
}

/** The version that this program writes. */
export const storeVersion = steps.length

export function versionOf(transaction: Transaction): number {
  return Number(transaction.first('PRAGMA user_version')?.['user_version'] ?? 0)
}

/** Migrates any version of the file to the current one. The caller has already refused a newer one. */
export function migrate(transaction: Transaction, hideStored: (transaction: Transaction) => void): void {
  const previous = versionOf(transaction)
  for (let version = previous; version < steps.length; version++) {
    transaction.script(steps[version] ?? '')
    if (version === foldedChanges) foldChanges(transaction)
    if (version === idKeys) keyIds(transaction)
    if (version === hiddenValues && previous > 0) {
      hideStored(transaction)
      transaction.run(`INSERT OR REPLACE INTO derived_stamp (part, stamp, tables) VALUES (?, '', '[]')`, [
        compaction,
      ])
    }
    transaction.script(`PRAGMA user_version = ${version + 1}`)
  }
}
