import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { takeKey } from '../adapters/environment-key.ts'
import { ownerWaits } from '../adapters/owner/limits.ts'
import { demonstrationProcess } from './demonstration.ts'
import { homeFolder } from './home-folder.ts'
import { runCommandLine } from './program.ts'

export { runCommandLine } from './program.ts'

/** Options for the demonstration that a command starts for itself, such as `--devices 10000`. */
const demonstrationOptions = (): string[] =>
  (process.env['HEADROOM_DEMONSTRATION'] ?? '').split(' ').filter((word) => word !== '')

// The app loads this module too; its first argument may not be a file.
const [, first = ''] = process.argv
const ranDirectly = existsSync(first) && realpathSync(first) === import.meta.filename
if (ranDirectly) {
  const key = takeKey(process.env)
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    home: homeFolder(),
    key,
    waits: ownerWaits,
    workerUrl: new URL('./database-worker.js', import.meta.url),
    demonstration: demonstrationProcess(join(import.meta.dirname, 'demo.js'), demonstrationOptions()),
    hasDemonstrationOptions: demonstrationOptions().length > 0,
  })
}
