import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { windowFolder } from '../../electron/main/window-folder.ts'

let parent: string
beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'headroom-folder-')))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
})
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test.skipIf(process.platform === 'win32')('is made in the data folder itself, for the user alone', () => {
  symlinkSync(parent, join(parent, 'link'))
  const found = windowFolder(join(parent, 'link/a/../home'))
  const home = join(parent, 'home')
  expect([found, modeOf(home), modeOf(found.folder)]).toEqual([
    { home, folder: join(home, 'window'), unwritable: null },
    '700',
    '700',
  ])
})

test.each<[string, (home: string) => void]>([
  ['the data folder is a file', (home) => writeFileSync(home, '')],
  [
    'its place is taken',
    (home) => {
      mkdirSync(home)
      writeFileSync(join(home, 'window'), '')
    },
  ],
])('is a temporary one until the process ends if %s', (_, make) => {
  const [home, before] = [join(parent, 'home'), process.listeners('exit')]
  make(home)
  const found = windowFolder(home)
  const [atExit] = process.listeners('exit').filter((one) => !before.includes(one))
  const during = existsSync(found.folder)
  process.off('exit', atExit!)
  atExit!(0)
  expect([found, dirname(found.folder), during, existsSync(found.folder)]).toEqual([
    {
      home,
      folder: found.folder,
      unwritable: { kind: 'data-folder', reason: 'read-only', holder: null, detail: 'EEXIST' },
    },
    tmpdir(),
    true,
    false,
  ])
})
