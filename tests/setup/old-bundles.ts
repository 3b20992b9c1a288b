import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Longer than any run: another one may be starting what it bundled, or be bundling. */
const keptInMs = 24 * 3_600_000

/** Removes what was bundled, or last taken, more than a day ago. */
export function removeOldBundles(cache: string, now: number): void {
  for (const name of readdirSync(cache)) {
    const old = join(cache, name)
    // Another run may have removed it.
    const { mtimeMs } = statSync(old, { throwIfNoEntry: false }) ?? { mtimeMs: now }
    if (now - mtimeMs > keptInMs) rmSync(old, { recursive: true, force: true })
  }
}
