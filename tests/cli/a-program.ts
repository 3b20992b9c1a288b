import { takeKey } from '../../electron/adapters/environment-key.ts'
import { fileSystemOf, type FileSystemFacts } from '../../electron/adapters/owner/file-system.ts'
import { ownerWaits } from '../../electron/adapters/owner/limits.ts'
import { runCommandLine } from '../../electron/cli/program.ts'
import { FakePolicy } from '../fake-policy.ts'

// The command line as a program, from source: its waits are shorter, and the demonstration belongs to the test.
const [, , given = '{}', ...words] = process.argv
const { home, service, waits, fileSystem, policy } = JSON.parse(given) as {
  home: string
  service: never
  waits: object
  /** The file system type of the folder, as the system reports it. */
  fileSystem?: Partial<FileSystemFacts>
  /** Members of an administrator's policy. */
  policy?: object
}
process.exitCode = await runCommandLine(words, {
  home,
  key: takeKey(process.env),
  waits: { ...ownerWaits, ...waits },
  policySource: new FakePolicy(policy),
  fileSystem: (folder) => ({ ...fileSystemOf(folder), ...fileSystem }),
  workerUrl: new URL('../../electron/adapters/database-worker.ts', import.meta.url),
  demonstration: { start: async () => service, serve: async () => 2 },
  hasDemonstrationOptions: (process.env['HEADROOM_DEMONSTRATION'] ?? '') !== '',
})
