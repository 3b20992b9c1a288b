import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { openDatabases } from '../../electron/adapters/database.ts'

// Copies the store of the given folder, and is killed as soon as the copy is written.
const prepare = DatabaseSync.prototype.prepare
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql)
  if (!sql.startsWith('VACUUM INTO')) return statement
  const copy = (path: string) => {
    prepare.call(this, sql).run(path)
    process.kill(process.pid, 'SIGKILL')
  }
  return Object.assign(statement, { run: copy as unknown as StatementSync['run'] })
}

process.umask(0)
const databases = openDatabases({
  folder: process.argv[2] ?? '',
  workerUrl: new URL('../../electron/adapters/database-worker.ts', import.meta.url),
})
await databases.backUp('store', 'before-2')
