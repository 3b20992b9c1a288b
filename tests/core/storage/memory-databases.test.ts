import { expect, it, vi } from 'vitest'

it('databases in memory are their own, also of a module that was loaded anew', async () => {
  const objects: unknown[] = []
  for (let loaded = 0; loaded < 2; loaded++) {
    vi.resetModules()
    const { memoryDatabases } = await import('../../memory-databases.ts')
    const workbook = await memoryDatabases().open('workbook')
    objects.push(await workbook.query('SELECT name FROM sqlite_schema'))
    await workbook.write((transaction) => transaction.script('CREATE TABLE organization (id TEXT)'))
  }
  expect(objects).toEqual([[], []])
})
