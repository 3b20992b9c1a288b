import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createCore } from '../../electron/core/app.ts'
import { fakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'
import { runOn } from './run-on.ts'

test.each<[string, string | null, number, RegExp]>([
  ['was damaged', 'not a database '.repeat(500), 4, /^The file workbook\.sqlite is damaged:/],
  ['is empty', '', 4, /^The file workbook\.sqlite was empty:/],
  ['is whole', null, 0, /^$/],
])('org list when the workbook %s', async (_, content, code, says) => {
  const home = new TemporaryHome()
  onTestFinished(() => home.remove())
  await (await createCore(fakePlatform(home))).close()
  if (content !== null) {
    for (const end of ['-wal', '-shm']) rmSync(join(home.folder, `workbook.sqlite${end}`), { force: true })
    writeFileSync(join(home.folder, 'workbook.sqlite'), content)
  }
  const core = await createCore(fakePlatform(home))
  const listed = await runOn(core, ['org', 'list', '--json'])
  await runOn(core, ['org', 'add', 'New', '--preset', 'demonstration'])
  const later = await runOn(core, ['org', 'list'])
  await core.close()
  expect([listed.code, JSON.parse(listed.output), later.code]).toEqual([code, { organizations: [] }, 0])
  expect(listed.errors).toMatch(says)
})
