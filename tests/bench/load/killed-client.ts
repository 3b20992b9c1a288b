import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { runCommandLine } from '../../../electron/cli/program.ts'

// A client that restarts one room through the owner of the data folder, which is killed meanwhile; it has no key.
const [, , home = '', room = ''] = process.argv
const none = (): Promise<never> => Promise.reject(new Error('not in this benchmark'))
process.exitCode = await runCommandLine(['reboot', room, '--yes', '--unlock', '--no-watch', '--json'], {
  home,
  key: null,
  waits: ownerWaits,
  workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
  demonstration: { start: none, serve: none },
})
