import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { forOwnerAlone, othersMayWrite } from '../../electron/adapters/data-folder.ts'

let parent: string
let folder: string
const mode = (path = folder): string => (statSync(path).mode & 0o777).toString(8)

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'headroom-folder-'))
  folder = join(parent, 'made', 'when needed')
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
})

test.skipIf(process.platform === 'win32').each([
  { rights: 0o700, isChosen: false, reported: false, left: '700' },
  { rights: 0o755, isChosen: false, reported: false, left: '755' },
  { rights: 0o775, isChosen: false, reported: false, left: '755' },
  { rights: 0o777, isChosen: false, reported: false, left: '755' },
  { rights: 0o755, isChosen: true, reported: false, left: '755' },
  { rights: 0o775, isChosen: true, reported: true, left: '775' },
  { rights: 0o702, isChosen: true, reported: true, left: '702' },
])(
  'tightens a folder that others may write to, or reports it if the user chose it: %o',
  ({ rights, isChosen, reported, left }) => {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, rights)
    expect([othersMayWrite(folder, isChosen), mode()]).toEqual([reported, left])
  },
)

test.skipIf(process.platform === 'win32')('creates a missing folder for its owner alone', () => {
  expect([othersMayWrite(folder, true), mode()]).toEqual([false, '700'])
})

test('does not fail when the folder is a file; opening the databases does', () => {
  mkdirSync(join(parent, 'made'))
  writeFileSync(folder, '')
  expect({ reported: othersMayWrite(folder, false), made: existsSync(folder) }).toEqual({
    reported: false,
    made: true,
  })
})

test.skipIf(process.platform === 'win32')(
  'makes a file readable by its owner alone and ignores a missing one',
  () => {
    const [open, closed] = [join(parent, 'open'), join(parent, 'closed')]
    for (const path of [open, closed]) writeFileSync(path, '')
    chmodSync(open, 0o664)
    chmodSync(closed, 0o400)
    for (const path of [open, closed, join(parent, 'nowhere'), join(parent, 'x'.repeat(5_000))])
      forOwnerAlone(path)
    expect([mode(open), mode(closed)]).toEqual(['600', '400'])
  },
)
