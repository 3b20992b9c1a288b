import { takeKey } from '../../../electron/adapters/environment-key.ts'
import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { runCommandLine } from '../../../electron/cli/program.ts'

// A command that is killed, or whose owner is: beside an owner it has no key.
const [, , home = '', ...words] = process.argv
const none = (): Promise<never> => Promise.reject(new Error('not in this program'))
process.exitCode = await runCommandLine(words, {
  home,
  key: takeKey(process.env),
  waits: ownerWaits,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
  demonstration: { start: none, serve: none },
})
