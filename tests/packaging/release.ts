import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { test as base } from '@playwright/test'

const root = resolve(import.meta.dirname, '../..')

/** Packs into a folder that has an archive of another version, and returns what packing printed. */
export async function pack(folder: string, ...words: readonly string[]): Promise<{ stderr: string }> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'headroom-cli-0.0.1-linux-x64.tar.xz'), 'of another version')
  const command = ['build/package.mjs', '--quick', `--to=${folder}`, ...words]
  return promisify(execFile)(process.execPath, command, { cwd: root, maxBuffer: 16 * 1024 * 1024 })
}

/** With the folder of a release that was packed once, for the files that read and run it. */
export const test = base.extend<object, { readonly release: string }>({
  release: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'headroom-release-'))
      await pack(folder)
      await use(folder)
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
    { scope: 'worker' },
  ],
})
