import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { files } from '../../electron/adapters/files.ts'

let folder: string
const modes = (): readonly string[] =>
  readdirSync(folder).map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8))

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

test.skipIf(process.platform === 'win32')(
  'keeps a file readable by its owner alone until it is complete, then applies the usual permissions',
  async () => {
    const writer = await files.write(join(folder, 'devices.csv'))
    await writer.write('name')
    const before = modes()
    await writer.finish()
    expect([before, modes()]).toEqual([['600'], [(0o666 & ~process.umask()).toString(8)]])
  },
)

test.skipIf(process.platform === 'win32')('keeps the permissions of a file that it replaces', async () => {
  const path = join(folder, 'devices.csv')
  writeFileSync(path, 'before')
  chmodSync(path, 0o640)
  const writer = await files.write(path)
  await writer.write('after')
  await writer.finish()
  expect([readFileSync(path, 'utf8'), modes()]).toEqual(['after', ['640']])
})
