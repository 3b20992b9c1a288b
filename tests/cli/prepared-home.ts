import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createCore, type Core } from '../../electron/core/app.ts'
import type { Demonstration } from '../../electron/demo/demonstration.ts'
import { fakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'

/** The files of a data folder with one organization, the demonstration, named Nordlys. */
export type HomeFiles = ReadonlyMap<string, Buffer>

/** Made in this process, which takes less than a program, and once for many tests. */
export async function homeFiles(
  service: Demonstration,
  more: (core: Core) => Promise<void> = async () => undefined,
): Promise<HomeFiles> {
  const home = new TemporaryHome()
  const core = await createCore(fakePlatform(home, { demonstration: async () => service }))
  const { presets } = await core.handlers.organizations.list()
  const preset = presets.find(({ name }) => name === 'demonstration')!
  await core.handlers.organizations.add({ ...preset.draft, name: 'Nordlys' })
  await more(core)
  await core.close()
  const names = ['workbook.sqlite', 'store.sqlite']
  const files = new Map(names.map((name) => [name, readFileSync(join(home.folder, name))]))
  await home.remove()
  return files
}

/** A new data folder with these files, removed when the test ends. */
export function aHomeWith(files: HomeFiles): string {
  const home = mkdtempSync(join(tmpdir(), 'headroom-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  for (const [name, content] of files) writeFileSync(join(home, name), content, { mode: 0o600 })
  return home
}
