import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const { longFiles } = (await import(resolve(import.meta.dirname, '../../build/long-files.mjs'))) as {
  longFiles(root: string): readonly { readonly path: string; readonly lines: number }[]
}

test('lists source files of more than 400 lines, longest first, without data', () => {
  const root = mkdtempSync(join(tmpdir(), 'headroom-long-files-'))
  for (const folder of ['build', 'electron/core', 'renderer', 'tests'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const [path, lines] of [
    ['electron/core/a.ts', 401],
    ['electron/core/b.ts', 400],
    ['renderer/C.vue', 500],
    ['tests/d.json', 900],
  ] as const)
    writeFileSync(join(root, path), '\n'.repeat(lines))
  expect(longFiles(root)).toEqual([
    { path: join('renderer', 'C.vue'), lines: 500 },
    { path: join('electron', 'core', 'a.ts'), lines: 401 },
  ])
})
