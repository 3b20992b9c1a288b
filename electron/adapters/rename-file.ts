import { rename } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** Windows reports these while another program, such as a virus scanner, holds a fresh file. */
const held = new Set(['EPERM', 'EACCES', 'EBUSY'])
const tries = 10
const betweenInMs = 100

/** Renames a file: on Windows again for a second while another program holds it. Rejects as `rename` of node:fs does. */
export async function renameFile(
  from: string,
  to: string,
  system: {
    readonly platform: NodeJS.Platform
    readonly rename: (from: string, to: string) => Promise<void>
    readonly wait: (inMs: number) => Promise<unknown>
  } = { platform: process.platform, rename, wait },
): Promise<void> {
  for (let left = system.platform === 'win32' ? tries : 0; ; left--)
    try {
      return await system.rename(from, to)
    } catch (error) {
      if (left === 0 || !held.has((error as NodeJS.ErrnoException).code ?? '')) throw error
      await system.wait(betweenInMs)
    }
}
