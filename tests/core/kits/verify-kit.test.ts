import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openFolders } from '../../../electron/adapters/folders.ts'
import { verifyKit } from '../../../electron/core/kits/kits.ts'
import { unwatched } from '../../../electron/core/tasks.ts'
import { failureOf } from '../../failure-of.ts'
import { aFolder, aKitFolder } from './a-kit-folder.ts'

const files = {
  'index.html': '<p>A page</p>',
  'rooms/Ærø 1.html': '<p>A room</p>',
  'products/Jabra Link 380a.html': '<p>A product</p>',
  'firmware/Jabra Link 380a 1.12.0.zip': 'bytes of firmware',
}
const folders = openFolders(() => '')
const verify = (folder: string): ReturnType<typeof verifyKit> => verifyKit(folder, folders, unwatched)
const whole = { files: 4, ok: 4, changed: [], missing: [], extra: [], isComplete: true, lacks: [] }

test('a kit is complete beside files that operating systems add', async () => {
  const folder = aKitFolder(files)
  for (const name of ['.DS_Store', '._index.html', 'rooms/Thumbs.db']) writeFileSync(join(folder, name), 'x')
  for (const name of ['System Volume Information', '.Trashes']) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, 'x'), 'x')
  }
  expect(await verify(folder)).toEqual(whole)
})

test('what no system creates there is extra, also deep below, and is not opened', async () => {
  const folder = aKitFolder(files)
  const deep = Array.from({ length: 40 }, () => 'd').join('/')
  mkdirSync(join(folder, 'rooms', deep), { recursive: true })
  for (const path of ['desktop.ini', '._payload.exe', 'rooms/.Trash-x.exe', `rooms/${deep}/x`])
    writeFileSync(join(folder, path), 'x')
  mkdirSync(join(folder, 'rooms/System Volume Information'))
  writeFileSync(join(folder, 'rooms/System Volume Information/x'), 'x')
  expect(await verify(folder)).toEqual({
    ...whole,
    extra: [
      '._payload.exe',
      'desktop.ini',
      'rooms/.Trash-x.exe',
      'rooms/System Volume Information/x',
      `rooms/${deep.slice(0, 31)}`,
    ],
  })
})

test('a manifest with more files than any kit is a changed one', async () => {
  const listed = Array.from({ length: 100_001 }, (_, at) => ({
    path: `f${at}`,
    bytes: 1,
    sha256: '0'.repeat(64),
  }))
  const folder = aKitFolder({}, { files: listed })
  expect(await verify(folder)).toMatchObject({ files: 0, changed: ['manifest.json'] })
})

test('a kit of a later version is refused in a sentence', async () => {
  const folder = aKitFolder(files)
  writeFileSync(join(folder, 'manifest.json'), '{ "kit": 2, "parts": [] }')
  expect(await failureOf(verify(folder))).toEqual({
    kind: 'invalid',
    field: 'folder',
    message:
      'A later version of Headroom made this kit (format 2). Update Headroom, or compare its files with sha256sum -c manifest.sha256.',
  })
})

describe('one flipped bit is found', () => {
  const places = {
    first: () => 0,
    middle: (length: number) => length >> 1,
    last: (length: number) => length - 1,
  }
  for (const path of [...Object.keys(files), 'manifest.json', 'manifest.sha256'])
    for (const [place, at] of Object.entries(places))
      test(`in the ${place} byte of ${path}`, async () => {
        const folder = aKitFolder(files)
        const bytes = readFileSync(join(folder, path))
        const index = at(bytes.length)
        bytes[index] = (bytes[index] ?? 0) ^ 1
        writeFileSync(join(folder, path), bytes)
        expect((await verify(folder)).changed).not.toEqual([])
      })

  test('anywhere in the manifest and its checksums', async () => {
    const folder = aKitFolder({ a: 'b' })
    const unseen: string[] = []
    for (const name of ['manifest.json', 'manifest.sha256']) {
      const sound = readFileSync(join(folder, name))
      for (let at = 0; at < sound.length; at += 11) {
        const bytes = Buffer.from(sound)
        bytes[at] = (bytes[at] ?? 0) ^ 1
        writeFileSync(join(folder, name), bytes)
        if ((await verify(folder)).changed.length === 0) unseen.push(`${name} ${at}`)
      }
      writeFileSync(join(folder, name), sound)
    }
    expect(unseen).toEqual([])
  })
})

describe('a kit is incomplete', () => {
  const room = 'rooms/Ærø 1.html'
  test.each<[string, (folder: string) => void, object]>([
    ['a file was removed', (at) => rmSync(join(at, room)), { ok: 3, missing: [room] }],
    ['a file was added', (at) => writeFileSync(join(at, 'rooms/b.html'), ''), { extra: ['rooms/b.html'] }],
    [
      'a file was renamed',
      (at) => renameSync(join(at, room), join(at, 'rooms/b.html')),
      { ok: 3, missing: [room], extra: ['rooms/b.html'] },
    ],
    ['a file grew', (at) => writeFileSync(join(at, room), `${files[room]} `), { ok: 3, changed: [room] }],
    [
      'a link replaced a file',
      (at) => {
        renameSync(join(at, room), join(at, '._same'))
        symlinkSync(join(at, '._same'), join(at, room))
      },
      { ok: 3, changed: [room], extra: ['._same'] },
    ],
    [
      'a link replaced a folder',
      (at) => {
        renameSync(join(at, 'rooms'), join(at, '.Trash-1'))
        symlinkSync(join(at, '.Trash-1'), join(at, 'rooms'))
      },
      { ok: 3, changed: [room] },
    ],
    [
      'a folder replaced a file',
      (at) => {
        rmSync(join(at, room))
        mkdirSync(join(at, room))
      },
      { ok: 3, missing: [room] },
    ],
    ['its sums are gone', (at) => rmSync(join(at, 'manifest.sha256')), { missing: ['manifest.sha256'] }],
  ])('%s', async (_, change, differs) => {
    const folder = aKitFolder(files)
    change(folder)
    expect(await verify(folder)).toEqual({ ...whole, ...differs })
  })

  test('when it was interrupted, and lists what is missing', async () => {
    const lacks = [{ what: 'Firmware of Link 380a', reason: 'Not published.' }]
    expect(await verify(aKitFolder(files, { complete: false, missing: lacks }))).toEqual({
      ...whole,
      isComplete: false,
      lacks,
    })
  })

  test('when its manifest is missing', async () => {
    const folder = aKitFolder(files)
    rmSync(join(folder, 'manifest.json'))
    expect(await verify(folder)).toEqual({
      ...whole,
      files: 0,
      ok: 0,
      isComplete: false,
      missing: ['manifest.json'],
      extra: Object.keys(files).sort(),
    })
  })
})

test.each([
  '../secret',
  '/etc/hostname',
  'a/../../secret',
  'C:/secret',
  '..\\secret',
  'a//b',
  '',
  'a/.',
  '//host/b',
])(
  'a kit is changed when a path of its manifest leads out of it, and that path is not read: %j',
  async (path) => {
    const outside = aFolder()
    writeFileSync(join(outside, 'secret'), 's')
    const read: string[] = []
    const found = await verifyKit(
      aKitFolder({}, { files: [{ path, bytes: 1, sha256: '0' }] }),
      {
        ...folders,
        read: (one) => {
          read.push(one)
          return folders.read(one)
        },
      },
      unwatched,
    )
    expect([found.ok, found.changed, read.map((one) => one.split('/').at(-1))]).toEqual([
      0,
      ['manifest.json'],
      ['manifest.json', 'manifest.sha256'],
    ])
  },
)

test('a kit in a missing folder is rejected, and the folder is not created', async () => {
  const path = join(aFolder(), 'none')
  await expect(verify(path)).rejects.toMatchObject({
    failure: { kind: 'folder-unusable', reason: 'missing', path },
  })
})
