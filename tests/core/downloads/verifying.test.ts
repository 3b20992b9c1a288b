import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFolders } from '../../../electron/adapters/folders.ts'
import type { Ledger } from '../../../electron/core/downloads/ledger.ts'
import { verifyFiles } from '../../../electron/core/downloads/file-bytes.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { hashOf } from './a-file-host.ts'

test('identifies a file by the ledger, else by a published MD5; as changed when its path or name is known; else as unknown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-verify-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  mkdirSync(join(folder, 'a folder'))
  // Windows has no named pipes among its files.
  if (process.platform === 'win32') mkdirSync(join(folder, 'pipe.zip'))
  else execFileSync('mkfifo', [join(folder, 'pipe.zip')])
  const product = { vendorId: 2830, productId: 9416, name: 'Jabra Link 380a', version: '1.12.0' }
  const received = Buffer.from('received')
  const ledger = {
    withHash: async (sha256: string) => (sha256 === hashOf('sha256', received) ? [product, product] : []),
    wasWritten: async (_path: string, name: string) => name === 'ours.zip',
  } as unknown as Ledger
  const published = [
    { ...product, fileName: 'theirs.zip', md5: hashOf('md5', Buffer.from('published')) },
    { ...product, productId: 9415, fileName: null, md5: null },
  ]
  const files = [
    put('any.zip', 'received'),
    put('other.zip', 'published'),
    put('ours.zip', 'other bytes'),
    put('theirs.zip', 'other bytes'),
    put('stranger.zip', 'other bytes'),
    join(folder, 'missing.zip'),
    join(folder, 'a folder'),
    join(folder, 'pipe.zip'),
  ]
  const found = await verifyFiles(files, { folders: openFolders(() => folder), ledger, published }, unwatched)
  expect(found.map(({ result, by, products }) => [result, by, products])).toEqual([
    ['known', 'ledger', [product]],
    ['known', 'md5', [product]],
    ['changed', null, []],
    ['changed', null, []],
    ['unknown', null, []],
    ['unreadable', null, []],
    ['unreadable', null, []],
    ['unreadable', null, []],
  ])
  expect(found[0]).toMatchObject({ file: files[0], bytes: 8, sha256: hashOf('sha256', received) })
})
