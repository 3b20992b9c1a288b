import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabases } from '../electron/adapters/database.ts'
import { deviceRows } from '../electron/core/devices/devices.ts'
import type { Progress } from '../electron/contract/progress.ts'
import type { Clock, Databases } from '../electron/core/platform.ts'
import { roomRows } from '../electron/core/rooms/rooms.ts'
import { openStore, type DerivedPart, type Store } from '../electron/core/storage/store.ts'

const workerUrl = new URL('../electron/adapters/database-worker.ts', import.meta.url)

/** Creates a store of format 8, from which tests of formats 3 to 7 start. */
export const backToFormat8 = `
  DROP INDEX raw_record_key; DROP INDEX raw_record_sent; ALTER TABLE raw_record DROP COLUMN id_key; ALTER TABLE raw_record DROP COLUMN sent_id;
  ALTER TABLE sync_report DROP COLUMN known_devices; ALTER TABLE sync_report DROP COLUMN known_rooms; ALTER TABLE sync_report DROP COLUMN held;
  DROP INDEX raw_record_not_listed; ALTER TABLE raw_record DROP COLUMN not_listed_since;
  DROP TABLE unreadable_since; ALTER TABLE unreadable_record DROP COLUMN identity;
  ALTER TABLE sync_stream DROP COLUMN listed; DROP TABLE picture; ALTER TABLE metadata_document DROP COLUMN redirected_to; ALTER TABLE metadata_document DROP COLUMN prepared;
  CREATE TABLE sync_status (
    organization_id TEXT NOT NULL, sync_id INTEGER NOT NULL, finished_at INTEGER NOT NULL, status TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (organization_id, sync_id, status)
  ) WITHOUT ROWID;
  INSERT INTO sync_status VALUES ('org', 1, 5, 'online', 30);`

/** A separate home folder, with real SQLite files; removed by `remove`. */
export class TemporaryHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'headroom-'))
  readonly databases: Databases = openDatabases({ folder: this.folder, workerUrl })
  readonly #stores: Store[] = []

  async openStore(
    clock: Clock,
    parts: readonly DerivedPart[] = [roomRows, deviceRows],
    rebuilding?: (progress: Progress) => void,
  ): Promise<Store> {
    const store = await openStore({ clock, databases: this.databases }, parts, undefined, rebuilding)
    this.#stores.push(store)
    return store
  }

  async remove(): Promise<void> {
    for (const store of this.#stores) await store.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
