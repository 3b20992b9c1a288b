import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { readOwnedFile, watchPath, type OwnedPlace } from '../../../electron/adapters/policy/owned-file.ts'

let top: string
let folder: string
let place: OwnedPlace
beforeEach(() => {
  top = join(realpathSync(mkdtempSync(join(tmpdir(), 'headroom-policy-'))), 'etc')
  folder = join(top, 'headroom')
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  place = { file: join(folder, 'policy.json'), owner: process.getuid!(), top }
})
afterEach(() => rmSync(join(top, '..'), { recursive: true }))
const write = (text = '{"policy": 1}', mode = 0o644): void => {
  writeFileSync(place.file, text)
  chmodSync(place.file, mode)
}

describe.skipIf(process.platform === 'win32')('a policy file', () => {
  it('that is not there is none', async () => {
    expect(await readOwnedFile(place)).toEqual({ kind: 'none', file: place.file })
  })
  it.each<[string, () => void]>([
    ['of its owner', () => write()],
    ['that only its owner may read', () => write('{"policy": 1}', 0o600)],
    [
      'with a second name',
      () => {
        write()
        linkSync(place.file, join(folder, 'other.json'))
      },
    ],
  ])('%s is read', async (_, make) => {
    make()
    expect(await readOwnedFile(place)).toEqual({
      kind: 'found',
      file: place.file,
      bytes: Buffer.from('{"policy": 1}'),
    })
  })

  it.each<[string, () => void, () => string]>([
    ['that its group may write', () => write('{}', 0o664), () => 'others than its owner may write to it'],
    ['that all may write', () => write('{}', 0o646), () => 'others than its owner may write to it'],
    [
      'of another user',
      () => {
        write()
        place = { ...place, owner: place.owner + 1 }
      },
      () => `it does not belong to user ${place.owner}`,
    ],
    [
      'that is a link',
      () => {
        write()
        renameSync(place.file, join(folder, 'real.json'))
        symlinkSync('real.json', place.file)
      },
      () => 'it is a link',
    ],
    ['that is a link to nothing', () => symlinkSync('nothing', place.file), () => 'it is a link'],
    [
      'in a folder that all may write',
      () => {
        write()
        chmodSync(folder, 0o757)
      },
      () => `others than its owner may write to ${folder}`,
    ],
    [
      'below a folder that all may write, whatever its sticky bit says',
      () => {
        write()
        chmodSync(top, 0o1777)
      },
      () => `others than its owner may write to ${top}`,
    ],
    [
      'in a folder that is a link',
      () => {
        write()
        renameSync(folder, join(top, 'real'))
        symlinkSync('real', folder)
      },
      () => `${folder} is not a folder`,
    ],
    ['that is a folder', () => mkdirSync(place.file), () => 'it is not a regular file'],
    [
      'that is a pipe, without waiting for a writer',
      () => void execFileSync('mkfifo', [place.file]),
      () => 'it is not a regular file',
    ],
    ['of more than 1 MB', () => write(' '.repeat(1_048_576)), () => 'it is larger than 1 MB'],
    [
      'whose folder is a file',
      () => {
        rmSync(folder, { recursive: true })
        writeFileSync(folder, '')
      },
      () => 'it cannot be read (ENOTDIR)',
    ],
  ])('%s cannot be trusted', async (_, make, why) => {
    make()
    expect(await readOwnedFile(place)).toEqual({
      kind: 'refused',
      file: place.file,
      problem: `${place.file} cannot be trusted: ${why()}.`,
    })
  })
})

test('the system tells when a policy file appears', async () => {
  const told = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let times = 0
  const stop = watchPath(place.file, () => told[times++]?.resolve())
  // The first look finds nothing.
  await told[0].promise
  write()
  await told[1].promise
  stop()
  expect(times).toBe(2)
})
