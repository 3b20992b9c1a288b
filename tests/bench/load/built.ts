import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../..')

/** Updates the built program. */
export function build(): void {
  const { status } = spawnSync(process.execPath, [resolve(root, 'build/build.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the program could not be built')
}
