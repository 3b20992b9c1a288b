import fs, {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { lockDataFolder, type OwnerLock } from '../../electron/adapters/owner/lock.ts'
import { removeEverything, removeLock } from '../../electron/adapters/remove-everything.ts'
import { createCore } from '../../electron/core/app.ts'
import { Failed } from '../../electron/contract/failure.ts'
import { fakePlatform, type FakePlatform } from '../fake-platform.ts'
import { TemporaryHome } from '../temporary-store.ts'

let home: string
let keychain: FakePlatform['keychain']
const logs = (): string => join(home, 'logs')
const all = (): readonly string[] => readdirSync(home).sort()
const reset = (isUsual = false) => removeEverything({ home, isUsual, logs: logs(), keychain })

beforeEach(async () => {
  const temporary = new TemporaryHome()
  onTestFinished(() => temporary.remove())
  home = temporary.folder
  const platform = fakePlatform(temporary)
  keychain = platform.keychain
  const core = await createCore(platform)
  const { presets } = await core.handlers.organizations.list()
  const { draft } = presets.find(({ name }) => name === 'jabra-plus')!
  const { id } = await core.handlers.organizations.add({ ...draft, name: 'Nordlys' })
  await core.handlers.organizations.setKey({ id, slot: 'primary', key: '6c1d9a40e2b84f7e93d05ab1c47f7f3a' })
  await core.close()
  keychain.entries.set('of another data folder:primary', 'other')
  keychain.entries.set('proxy sign-ins', '{}')
  const write = (...names: string[]): void => writeFileSync(join(home, ...names), 'x')
  for (const folder of ['logs', 'run', 'window']) mkdirSync(join(home, folder))
  write('owner.sqlite')
  write('logs', 'headroom.log')
  write('run', 'owner.json')
  write('window', 'Local State')
  write('store.damaged-2026-11-21T14-02-00.sqlite')
})

test('what Headroom wrote is removed, and the folder when it is empty', async () => {
  const removed = await reset()
  removeLock(home, { release: () => undefined })
  expect([removed.keys, removed.left, existsSync(home), [...keychain.entries.keys()]]).toEqual([
    1,
    [],
    false,
    ['of another data folder:primary', 'proxy sign-ins'],
  ])
})

test('the sign-ins of proxies go with the usual data folder', async () => {
  await reset(true)
  expect([...keychain.entries.keys()]).toEqual(['of another data folder:primary'])
})

test('what somebody else put there stays and is named', async () => {
  writeFileSync(join(home, 'mine.txt'), 'mine')
  mkdirSync(join(home, 'store.sqlite-backup'))
  writeFileSync(join(home, 'logs', 'mine.log'), 'mine')
  const outside = join(home, '..', `${home.split('/').at(-1) ?? ''}-outside`)
  writeFileSync(outside, 'mine')
  onTestFinished(() => rmSync(outside))
  symlinkSync(outside, join(home, 'headroom.log'))
  const { left } = await reset()
  removeLock(home, { release: () => undefined })
  expect([[...left].sort(), all(), existsSync(outside)]).toEqual([
    ['logs', 'mine.txt', 'store.sqlite-backup'],
    ['logs', 'mine.txt', 'store.sqlite-backup'],
    true,
  ])
})

const setAside = 'workbook.damaged-2026-11-21T14-02-00.sqlite'
const remaining = ['of another data folder:primary', 'proxy sign-ins']

test.each<[string, () => void, number]>([
  ['that was set aside', () => renameSync(join(home, 'workbook.sqlite'), join(home, setAside)), 1],
  [
    'that was set aside, and of the new one, whose file is empty',
    () => {
      renameSync(join(home, 'workbook.sqlite'), join(home, setAside))
      writeFileSync(join(home, 'workbook.sqlite'), '')
    },
    1,
  ],
  [
    'beside one that was set aside and cannot be read',
    () => writeFileSync(join(home, setAside), 'not a database '.repeat(500)),
    1,
  ],
  [
    'beside a copy from before an update',
    () =>
      copyFileSync(join(home, 'workbook.sqlite'), join(home, 'workbook.earlier-2026-11-21T14-02-00.sqlite')),
    1,
  ],
])('the keys of a workbook %s are removed', async (_, prepare, keys) => {
  prepare()
  const removed = await reset()
  removeLock(home, { release: () => undefined })
  expect([removed.keys, removed.left, existsSync(home), [...keychain.entries.keys()]]).toEqual([
    keys,
    [],
    false,
    remaining,
  ])
})

test('an empty workbook has no keys, and is removed', async () => {
  writeFileSync(join(home, 'workbook.sqlite'), '')
  const removed = await reset()
  expect([removed.keys, all()]).toEqual([0, ['owner.sqlite']])
})

test.each<[string, () => void, string]>([
  ['the keychain cannot be used', () => (keychain.problem = 'no-service'), 'keychain-unavailable'],
  [
    'the workbook cannot be read',
    () => writeFileSync(join(home, 'workbook.sqlite'), 'not a database '.repeat(500)),
    'cache-unusable',
  ],
])('nothing is removed when %s', async (_, prepare, kind) => {
  prepare()
  const before = all()
  const failure = await reset().catch((error: unknown) =>
    error instanceof Failed ? error.failure.kind : error,
  )
  expect([failure, all(), keychain.entries.size]).toEqual([kind, before, 3])
})

test('a process that takes the folder as soon as it is free keeps its lock', async () => {
  writeFileSync(join(home, 'mine.txt'), 'mine')
  rmSync(join(home, 'owner.sqlite'))
  const lock = lockDataFolder(home)!
  const others: (OwnerLock | null)[] = []
  removeLock(home, {
    release: () => {
      lock.release()
      others.push(lockDataFolder(home))
    },
  })
  const held = others.map((other) => other?.holds())
  for (const other of others) other?.release()
  expect(held).toEqual([true])
})

test.each<[NodeJS.Platform, string, boolean]>([
  ['linux', 'EPERM', true],
  ['darwin', 'EBUSY', true],
  ['win32', 'EPERM', false],
  ['win32', 'EBUSY', false],
  ['win32', 'EACCES', true],
  ['linux', 'ENOTEMPTY', false],
])('on %s a lock that cannot be removed (%s) is a failure: %s', (system, code, isFailure) => {
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue(system)
  const removal = vi.spyOn(fs, 'rmSync').mockImplementation(() => {
    throw Object.assign(new Error(code), { code })
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    platform.mockRestore()
    removal.mockRestore()
    syncBuiltinESMExports()
  })
  const remove = (): void => removeLock(home, { release: () => undefined })
  if (isFailure) expect(remove).toThrow(code)
  else expect(remove).not.toThrow()
})
