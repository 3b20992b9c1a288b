import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { takeKey } from '../adapters/environment-key.ts'
import { ownerWaits } from '../adapters/owner/limits.ts'
import { demonstrationProcess } from './demonstration.ts'
import { homeFolder } from '../adapters/home-folder.ts'
import { runCommandLine } from './program.ts'

/** Options for the demonstration that a command starts for itself, such as `--devices 10000`. */
const demonstrationOptions = (): string[] =>
  (process.env['HEADROOM_DEMONSTRATION'] ?? '').split(' ').filter((word) => word !== '')

/** Runs the command line in this process; the built files of its threads and processes are in `folder`. */
export function start(words: readonly string[], folder: string): Promise<number> {
  const key = takeKey(process.env)
  return runCommandLine(words, {
    home: homeFolder(),
    key,
    waits: ownerWaits,
    workerUrl: pathToFileURL(join(folder, 'database-worker.js')),
    demonstration: demonstrationProcess(join(folder, 'demo.js'), demonstrationOptions()),
    hasDemonstrationOptions: demonstrationOptions().length > 0,
  })
}
