/**
 * Format 1 of the workbook, frozen with 0.9.0. Later formats only add to it: a technician's data is
 * never rewritten.
 */
export const workbookSchema = `
  -- Organizations without their keys. Endpoints and enumeration values that are not published have the
  -- observed or assumed ones unless a person changed them.
  CREATE TABLE organization (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL UNIQUE,
    preset TEXT NOT NULL,
    management_url TEXT NOT NULL,
    metadata_url TEXT NOT NULL,
    management_version INTEGER NOT NULL,
    metadata_version INTEGER NOT NULL,
    family TEXT NOT NULL,
    vendor_id INTEGER NOT NULL,
    definition_limit TEXT,
    slot_in_use TEXT NOT NULL DEFAULT 'primary',
    budget_scope TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    device_settings_template TEXT,
    update_device_settings_template TEXT,
    devices_with_settings_template TEXT,
    firmware_read_template TEXT,
    firmware_update_template TEXT,
    reboot_by TEXT NOT NULL,
    assumed_build_types TEXT NOT NULL,
    assumed_platforms TEXT NOT NULL,
    assumed_agent_types TEXT NOT NULL,
    include_stages TEXT NOT NULL,
    compare_with TEXT NOT NULL DEFAULT 'latest',
    site_separator TEXT
  ) STRICT;

  -- Facts about the keys in the keychain, which reveal none of them.
  CREATE TABLE key_fingerprint (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    budget_scope TEXT NOT NULL
  ) STRICT;
  CREATE TABLE subscription_key (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    slot TEXT NOT NULL,
    last_four TEXT,
    fingerprint_id TEXT NOT NULL REFERENCES key_fingerprint (id),
    added_at INTEGER NOT NULL,
    last_used_at INTEGER,
    last_refused_at INTEGER,
    PRIMARY KEY (organization_id, slot)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keychain_leftover (account TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- Preferences, and values that are created once.
  CREATE TABLE preference (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- Calls of the Explorer: examples saved by name for every organization, and the history of each.
  CREATE TABLE explorer_call (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT REFERENCES organization (id) ON DELETE CASCADE,
    name TEXT,
    operation TEXT NOT NULL,
    parameters TEXT NOT NULL,
    at INTEGER NOT NULL,
    status INTEGER
  ) STRICT;
  CREATE INDEX explorer_call_of ON explorer_call (organization_id, id);

  -- The journal: a line before each write, a line after. Neither is ever changed or deleted. The journal
  -- stores the item of a write (reference), and accepts no second line for it. Folded texts are for
  -- comparison.
  CREATE TABLE journal_begin (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    organization_id TEXT NOT NULL,
    organization_name TEXT NOT NULL,
    who TEXT NOT NULL,
    operation TEXT NOT NULL,
    target_of TEXT NOT NULL,
    target_id TEXT NOT NULL,
    target_name TEXT,
    device_ids TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    before TEXT,
    after TEXT,
    words TEXT NOT NULL,
    name_folded TEXT,
    who_folded TEXT,
    before_folded TEXT,
    after_folded TEXT,
    reference TEXT,
    ticket TEXT
  ) STRICT;
  CREATE INDEX journal_begin_at ON journal_begin (started_at);
  CREATE TRIGGER journal_begin_stays BEFORE DELETE
    ON journal_begin BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER journal_begin_is BEFORE UPDATE
    ON journal_begin BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE INDEX journal_begin_organization ON journal_begin (organization_id);
  CREATE UNIQUE INDEX journal_begin_reference ON journal_begin (reference) WHERE reference IS NOT NULL;
  CREATE TABLE journal_end (
    id INTEGER PRIMARY KEY REFERENCES journal_begin (id),
    ended_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status INTEGER,
    message TEXT,
    message_folded TEXT
  ) STRICT;
  CREATE INDEX journal_end_at ON journal_end (ended_at);
  CREATE TRIGGER journal_end_stays BEFORE DELETE
    ON journal_end BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TRIGGER journal_end_is BEFORE UPDATE
    ON journal_end BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
  CREATE TABLE journal_subject (
    subject_id TEXT NOT NULL,
    line_id INTEGER NOT NULL REFERENCES journal_begin (id),
    PRIMARY KEY (subject_id, line_id)
  ) STRICT, WITHOUT ROWID;

  -- When a line with an end in the future was first seen at an opening: every line up to this one.
  CREATE TABLE journal_seen (newest_line INTEGER PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT;

  -- The calls of each subscription (scope): how many in each second, and how many may have been made there that
  -- nobody counted; its last run; the waits that the service demanded.
  CREATE TABLE call_second (
    scope TEXT NOT NULL,
    second INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    assumed INTEGER NOT NULL,
    PRIMARY KEY (scope, second)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE call_run (scope TEXT PRIMARY KEY, opened INTEGER NOT NULL, ended INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE call_wait (
    scope TEXT NOT NULL,
    kind TEXT NOT NULL,
    until_at INTEGER NOT NULL,
    length_in_ms INTEGER NOT NULL,
    PRIMARY KEY (scope, kind)
  ) STRICT, WITHOUT ROWID;

  -- Tags, pasted lists and notes of devices ('tag', 'list', 'note'), each device in a row. word: the name, folded;
  -- created_at: of a list. Lists of devices join this table (adapters/database-worker.ts).
  CREATE TABLE device_mark (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    word TEXT NOT NULL,
    device_id TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at INTEGER,
    PRIMARY KEY (organization_id, kind, word, device_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX device_mark_of ON device_mark (organization_id, device_id, kind);

  -- Saved views, and when and up to which change the changes were last marked as seen.
  CREATE TABLE saved_view (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    list TEXT NOT NULL,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    filter TEXT NOT NULL,
    sort TEXT NOT NULL,
    columns TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (list, name_folded)
  ) STRICT;
  CREATE TABLE change_look (
    organization_id TEXT PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
    looked_at INTEGER NOT NULL,
    looked_id INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Hosts that were contacted.
  CREATE TABLE contacted_host (
    host TEXT NOT NULL,
    purpose TEXT NOT NULL,
    organizations TEXT NOT NULL,
    local INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (host, purpose)
  ) STRICT, WITHOUT ROWID;

  -- Keys that should be regenerated in the portal.
  CREATE TABLE key_reminder (
    organization_id TEXT PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
    slot TEXT NOT NULL,
    since INTEGER NOT NULL,
    because TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Removed organizations, whose rows are deleted in the background.
  CREATE TABLE removed_organization (
    organization_id TEXT PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  -- Jobs and their items.
  CREATE TABLE job (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    who TEXT NOT NULL,
    work TEXT NOT NULL,
    state TEXT NOT NULL,
    waits_for TEXT,
    start_at INTEGER,
    window_from INTEGER,
    window_to INTEGER,
    keep_trying INTEGER NOT NULL,
    canary TEXT,
    asked INTEGER NOT NULL,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    not_found INTEGER NOT NULL DEFAULT 0,
    not_supported INTEGER NOT NULL DEFAULT 0,
    unknown INTEGER NOT NULL DEFAULT 0,
    retryable INTEGER NOT NULL DEFAULT 0,
    calls_used INTEGER NOT NULL DEFAULT 0,
    calls_planned INTEGER NOT NULL,
    watching_at_most INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    retry_of TEXT,
    time_zone TEXT,
    ticket TEXT
  ) STRICT;
  CREATE INDEX job_of ON job (organization_id, number);
  CREATE INDEX job_open ON job (organization_id, number) WHERE state <> 'ended';
  CREATE TABLE job_item (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    job INTEGER NOT NULL REFERENCES job (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    target_of TEXT NOT NULL,
    target_id TEXT NOT NULL,
    target_name TEXT,
    device_ids TEXT NOT NULL,
    memory TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued',
    attempt INTEGER NOT NULL DEFAULT 1,
    waits_for TEXT,
    earliest_at INTEGER,
    outcome TEXT,
    detail TEXT,
    failure TEXT,
    calls_used INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER,
    sent_at INTEGER,
    ended_at INTEGER,
    journal_id INTEGER,
    retried INTEGER NOT NULL DEFAULT 0,
    name_key TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX job_item_at ON job_item (job, position);
  CREATE INDEX job_item_open ON job_item (job, position) WHERE state <> 'ended';
  CREATE INDEX job_item_under_way ON job_item (job) WHERE state IN ('sending', 'checking', 'watching');
  CREATE INDEX job_item_unseen ON job_item (job)
    WHERE detail IN ('did-not-come-back', 'not-watched', 'applies-later');
  CREATE INDEX job_item_by_outcome ON job_item (job, outcome, position) WHERE state = 'ended';

  -- Settings a technician wants the devices of a product to have.
  CREATE TABLE golden_profile (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    product_id INTEGER NOT NULL,
    variant_type TEXT,
    product_name TEXT,
    settings TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    UNIQUE (organization_id, name_folded)
  ) STRICT, WITHOUT ROWID;

  -- Firmware files that are fetched, with their partial data; the bytes of each version, by metadata origin;
  -- the written paths.
  CREATE TABLE download (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    vendor_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    product_name TEXT NOT NULL,
    version TEXT NOT NULL,
    build_type TEXT NOT NULL,
    bundle_group TEXT,
    bundle_version TEXT,
    folder TEXT NOT NULL,
    file TEXT NOT NULL,
    state TEXT NOT NULL,
    accept_changed TEXT,
    published TEXT NOT NULL,
    url TEXT NOT NULL,
    expires_at INTEGER,
    link_renewed INTEGER NOT NULL DEFAULT 0,
    etag TEXT,
    bytes INTEGER NOT NULL DEFAULT 0,
    sha256 TEXT,
    size INTEGER,
    placing INTEGER NOT NULL DEFAULT 0,
    failure TEXT,
    result TEXT,
    started_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX download_open ON download (number) WHERE state IN ('queued', 'running', 'paused', 'failed');
  CREATE TABLE firmware_file (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    origin TEXT NOT NULL,
    vendor_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    product_name TEXT NOT NULL,
    version TEXT NOT NULL,
    build_type TEXT NOT NULL,
    bundle_group TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    md5 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    host TEXT NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT,
    who TEXT,
    accepted_at INTEGER,
    superseded INTEGER NOT NULL DEFAULT 0,
    verified INTEGER NOT NULL DEFAULT 1
  ) STRICT;
  CREATE UNIQUE INDEX firmware_file_in_force ON firmware_file (origin, vendor_id, product_id, version, build_type, bundle_group)
    WHERE superseded = 0;
  CREATE INDEX firmware_file_by_hash ON firmware_file (sha256);
  CREATE TABLE firmware_path (
    path TEXT PRIMARY KEY,
    file TEXT NOT NULL,
    written_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Firmware versions that a person approved for a product or one of its variants (variant_key '': the
  -- product).
  CREATE TABLE approved_version (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    vendor_id INTEGER NOT NULL,
    product_id INTEGER NOT NULL,
    variant_key TEXT NOT NULL,
    variant TEXT,
    version TEXT NOT NULL,
    reason TEXT NOT NULL,
    who TEXT NOT NULL,
    at INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (organization_id, vendor_id, product_id, variant_key)
  ) STRICT, WITHOUT ROWID;

  -- Notes on rooms, and a room's site if a technician set it.
  CREATE TABLE room_note (
    organization_id TEXT NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
    room_id TEXT NOT NULL,
    note TEXT,
    site TEXT,
    PRIMARY KEY (organization_id, room_id)
  ) STRICT, WITHOUT ROWID;
`
