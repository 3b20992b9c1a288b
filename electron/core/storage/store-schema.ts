/**
 * Format 1 of the store: raw records, metadata documents, changes and the progress of each sync. Everything
 * else in the file is derived (derived.ts).
 */
export const storeSchema = `
  -- Records as the services sent them. Ids are compared without case: id is how a record was spelt first,
  -- sent_id how the service spelt it last (null: the same). listed_as: the client type under which a device
  -- was listed in the last sync that found it (empty: several). not_listed_since: the sync since which it is
  -- not listed because an unreadable one came.
  CREATE TABLE raw_record (
    row_id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    sync_id INTEGER NOT NULL,
    gone_at INTEGER,
    listed_as TEXT,
    not_listed_since INTEGER,
    id_key TEXT NOT NULL,
    sent_id TEXT,
    UNIQUE (organization_id, kind, id)
  );
  CREATE INDEX raw_record_not_listed ON raw_record (organization_id, kind) WHERE not_listed_since IS NOT NULL;
  CREATE INDEX raw_record_key ON raw_record (organization_id, kind, id_key);
  CREATE INDEX raw_record_sent ON raw_record (organization_id) WHERE sent_id IS NOT NULL;
  CREATE TABLE raw_json (
    row_id INTEGER PRIMARY KEY REFERENCES raw_record ON DELETE CASCADE,
    json TEXT NOT NULL
  );
  CREATE TABLE record_alias (
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    alias TEXT NOT NULL,
    id TEXT,
    observed_at INTEGER NOT NULL,
    PRIMARY KEY (organization_id, kind, alias)
  ) WITHOUT ROWID;
  CREATE INDEX record_alias_of ON record_alias (organization_id, kind, id);

  -- Equal unreadable records are one row; if a stream has more than some hundred, the others are only
  -- counted, in one row. identity: serial number or name (empty: unknown).
  CREATE TABLE unreadable_record (
    row_id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    why TEXT NOT NULL,
    json TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    sync_id INTEGER NOT NULL,
    stream TEXT NOT NULL,
    times INTEGER NOT NULL DEFAULT 1,
    identity TEXT NOT NULL DEFAULT ''
  );
  CREATE INDEX unreadable_record_of ON unreadable_record (organization_id, kind, sync_id);

  -- redirected_to: where it was read, because its links may be relative to that address. prepared: read for
  -- work without a connection, so not deleted to make room for others.
  CREATE TABLE metadata_document (
    address TEXT PRIMARY KEY,
    status INTEGER,
    body TEXT,
    headers TEXT,
    requested_at INTEGER,
    observed_at INTEGER,
    size INTEGER,
    redirected_to TEXT,
    prepared INTEGER NOT NULL DEFAULT 0
  );

  -- Changes are searched by text and counted by day.
  CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    subject_name TEXT NOT NULL,
    kind TEXT NOT NULL,
    before TEXT,
    after TEXT,
    observed_at INTEGER NOT NULL,
    name_folded TEXT,
    before_folded TEXT,
    after_folded TEXT
  );
  CREATE INDEX change_of ON change (organization_id, subject, subject_id);
  CREATE INDEX change_at ON change (organization_id, observed_at, kind, subject);
  CREATE INDEX change_detail ON change (organization_id, observed_at, kind, subject, before, after, subject_id)
    WHERE kind IN ('firmware-changed', 'status-changed');

  -- held: what a sync did not mark as gone because it was so much.
  CREATE TABLE sync_report (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    complete INTEGER NOT NULL DEFAULT 0,
    report TEXT,
    notes TEXT,
    known_devices INTEGER NOT NULL DEFAULT 0,
    known_rooms INTEGER NOT NULL DEFAULT 0,
    held TEXT
  );
  CREATE INDEX sync_report_of ON sync_report (organization_id, id);

  -- listed: the records on the pages so far, to compare them with the counts that the service states.
  CREATE TABLE sync_stream (
    organization_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    sync_id INTEGER NOT NULL,
    token TEXT,
    finished INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    listed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, stream)
  ) WITHOUT ROWID;

  -- Stamps of the derived tables (derived.ts).
  CREATE TABLE derived_stamp (
    part TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    tables TEXT NOT NULL
  ) WITHOUT ROWID;

  -- Raw responses with a device's settings: they are not part of a sync, so they cannot be derived.
  -- Invalidated ones remain for comparison.
  CREATE TABLE device_settings (
    row_id INTEGER PRIMARY KEY,
    organization_id TEXT NOT NULL,
    device_id TEXT NOT NULL,
    json TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0,
    UNIQUE (organization_id, device_id)
  );

  -- Compliance with the catalogue as last read and with approvals (firmware/compliance.ts); a missing
  -- version is ''. why: the reason if it is unknown. observed_at: the age of the release list.
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
    observed_at INTEGER,
    PRIMARY KEY (organization_id, product_id, variant, firmware_version)
  ) WITHOUT ROWID;

  -- Pictures of products, by the metadata interface that names them. The bytes are the last column: lists
  -- read the rows without them.
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

  -- How many unreadable records of an identity the last sync had, and since which one.
  CREATE TABLE unreadable_since (
    organization_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    identity TEXT NOT NULL,
    since INTEGER NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (organization_id, kind, identity, since)
  ) WITHOUT ROWID;
`
