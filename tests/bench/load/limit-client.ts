import { ownerWaits } from '../../../electron/adapters/owner/limits.ts'
import { runCommandLine } from '../../../electron/cli/program.ts'

/**
 * A client of the owner of HEADROOM_HOME: this many commands of one call each, one after the other; prints how many ended with which code.
 */
const none = (): Promise<never> => Promise.reject(new Error('not in this benchmark'))
const ended: Record<string, number> = {}
const { stdout } = process
for (let calls = Number(process.argv[2]); calls > 0; calls--) {
  const code = await runCommandLine(['call', 'ListDevices', 'deviceClientType=MeetingRoom', 'pageSize=1'], {
    home: process.env['HEADROOM_HOME'] ?? '',
    key: null,
    waits: ownerWaits,
    workerUrl: new URL('../../../electron/adapters/database-worker.ts', import.meta.url),
    demonstration: { start: none, serve: none },
  })
  ended[code] = (ended[code] ?? 0) + 1
}
stdout.write(`\n${JSON.stringify(ended)}`)
