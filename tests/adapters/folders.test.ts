import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openFolders, reserveOf } from '../../electron/adapters/folders.ts'

const aFolder = async () => {
  const path = mkdtempSync(join(tmpdir(), 'headroom-folder-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return openFolders(() => path).open(path)
}

test('2 % of a drive stay free, at least 20 MB and at most 200 MB', async () => {
  expect([50_000_000, 5_000_000_000, 1e12].map(reserveOf)).toEqual([20_000_000, 100_000_000, 200_000_000])
  const folder = await aFolder()
  const { bavail, bsize } = statfsSync(folder.path)
  expect(await folder.free()).toBeLessThan(bavail * bsize)
})

test('a text that is not what was written does not replace the file', async () => {
  const folder = await aFolder()
  await folder.replace('page', 'before')
  const handle = await open(folder.pathOf('page'))
  const changed = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
  onTestFinished(() => changed.mockRestore())
  await handle.close()
  changed.mockImplementation(async () => writeFileSync(folder.pathOf('page.part'), 'other'))
  await expect(folder.replace('page', 'after')).rejects.toMatchObject({ reason: 'differs' })
  expect(readdirSync(folder.path)).toEqual(['page'])
})
