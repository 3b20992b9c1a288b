import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabases } from '../electron/adapters/database.ts'
import { deviceRows } from '../electron/core/devices/devices.ts'
import type { Progress } from '../electron/contract/progress.ts'
import type { Clock, Databases } from '../electron/core/platform.ts'
import { roomRows } from '../electron/core/rooms/rooms.ts'
import { openWorkbook } from '../electron/core/storage/workbook.ts'
import { openStore, type DerivedPart, type Store } from '../electron/core/storage/store.ts'

const workerUrl = new URL('../electron/adapters/database-worker.ts', import.meta.url)

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
    // Rows join it.
    if (this.databases.found('workbook') === 'missing')
      await (
        await openWorkbook({ clock, databases: this.databases, log: { write: () => undefined } })
      ).close()
    const store = await openStore({ clock, databases: this.databases }, parts, rebuilding)
    this.#stores.push(store)
    return store
  }

  async remove(): Promise<void> {
    for (const store of this.#stores) await store.close()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
