import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { lockDataFolder } from '../../../electron/adapters/owner/lock.ts'
import { aHolder, type Holder } from './holders.ts'
import { stopping } from '../../setup/stopping.ts'

/**
 * Shorter real waits, for a program that finds a stopped owner, which must soon count as silent. The others
 * use the program's own waits, because an owner on a busy machine must not count as silent.
 */
const soonGivenUp = { connectInMs: 1_000, silentInMs: 1_000 }
let home: string

const aFolder = async (under: string): Promise<string> => {
  const folder = await mkdtemp(join(under, 'headroom-owner-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
beforeEach(async () => {
  home = await aFolder(tmpdir())
})
const holders = (count: number): Promise<Holder[]> =>
  Promise.all(Array.from({ length: count }, () => aHolder(home)))
/** The number of each result. */
const counted = (answers: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(answers)].sort().map((one) => [one, answers.filter((other) => other === one).length]),
  )

describe('one owner', () => {
  it.each([2, 3])(
    'makes exactly one of %i processes the owner when they start at once, a hundred times',
    async (count) => {
      const all = await holders(count)
      for (let round = 0; round < 100; round++) {
        const answers = await Promise.all(all.map((one) => one.does('take')))
        expect(counted(answers)).toEqual({ owned: 1, taken: count - 1 })
        const owner = all[answers.indexOf('owned')]
        const requested = await Promise.all(all.filter((one) => one !== owner).map((one) => one.does('ask')))
        expect(counted(requested)).toEqual({ [`holder ${owner?.child.pid ?? 0}`]: count - 1 })
        await owner?.does('release')
      }
    },
  )

  it('releases the folder when it is killed, so that the next process owns it at once', async () => {
    const [one, other] = (await holders(2)) as [Holder, Holder]
    expect([await one.does('take'), await other.does('take')]).toEqual(['owned', 'taken'])
    await one.kill()
    expect([await other.does('ask'), await other.does('take')]).toEqual(['none', 'owned'])
  })

  stopping(
    'keeps the folder while stopped and responds again afterwards; clients report it as silent',
    async () => {
      const [one, other] = await Promise.all([aHolder(home), aHolder(home, soonGivenUp)])
      await one.does('take')
      one.child.kill('SIGSTOP')
      expect([await other.does('take'), await other.does('ask'), await other.does('take')]).toEqual([
        'taken',
        'silent',
        'taken',
      ])
      one.child.kill('SIGCONT')
      await expect.poll(() => other.does('ask')).toBe(`holder ${one.child.pid ?? 0}`)
    },
  )

  it.each(['create', 'check', 'setAside', 'core', 'forget'])(
    'gives nobody else access to its files for %s',
    async (action) => {
      const [one, other] = (await holders(2)) as [Holder, Holder]
      await one.does('take')
      await one.does('create')
      await one.does('check')
      expect([await one.does(action), await other.does('take'), await one.does('problem')]).toEqual([
        action,
        'taken',
        'none',
      ])
    },
  )
})

describe('the lock file', () => {
  const path = (): string => join(home, 'owner.sqlite')
  it.each([
    ['deleted', () => rmSync(path())],
    ['renamed', () => renameSync(path(), join(home, 'elsewhere'))],
    [
      'replaced',
      () => {
        rmSync(path())
        writeFileSync(join(home, 'other'), '')
        renameSync(join(home, 'other'), path())
      },
    ],
  ] as const)('notices when %s while the folder is owned', async (_, change) => {
    const [one] = (await holders(1)) as [Holder]
    expect([await one.does('take'), await one.does('problem')]).toEqual(['owned', 'none'])
    change()
    expect(await one.does('problem')).toBe('replaced')
  })

  stopping.each([
    ['deleted', async () => rmSync(path()), 'replaced'],
    ['that excludes no other process', (one: Holder) => one.does('loseLock'), 'unreliable'],
  ] as const)('%s: a second process finds the owner and does not become one', async (_, change, reason) => {
    const [one, other] = (await holders(2)) as [Holder, Holder]
    await one.does('take')
    await change(one)
    expect([await other.does('take'), await other.does('ask'), await one.does('problem')]).toEqual([
      'taken',
      `holder ${one.child.pid ?? 0}`,
      reason,
    ])
    one.child.kill('SIGSTOP')
    expect(await other.does('take')).toBe('taken')
    await one.kill()
    expect(await other.does('take')).toBe('owned')
  })

  it('allows only reading when it is not one of our files', async () => {
    mkdirSync(path())
    const [one] = (await holders(1)) as [Holder]
    expect([await one.does('take'), await one.does('problem')]).toEqual(['read-only', 'read-only'])
  })
})

describe('the path of the folder', () => {
  const own = async (folder: string, through = folder): Promise<readonly string[]> => {
    const one = await aHolder(folder)
    const other = await aHolder(through)
    const answers = [await one.does('take'), await other.does('take'), await other.does('ask')]
    return answers.map((answer) => answer.replace(String(one.child.pid), 'PID'))
  }
  const works = ['owned', 'taken', 'holder PID']

  describe.skipIf(process.platform === 'win32')('that is too long for a socket', () => {
    const aLongFolder = async (): Promise<string> => {
      const long = join(home, 'x'.repeat(100), 'y'.repeat(100))
      mkdirSync(long, { recursive: true })
      return long
    }
    const runtimeOf = (runtime: string): string => join(runtime, `headroom-${process.getuid?.() ?? 0}`)
    const socketOf = (folder: string): string =>
      (JSON.parse(readFileSync(join(folder, 'run/owner.json'), 'utf8')) as { socket: string }).socket

    it('gets a private socket in the runtime folder, which a client with another one finds', async () => {
      const [long, runtime, others] = [await aLongFolder(), await aFolder(tmpdir()), await aFolder(tmpdir())]
      const one = await aHolder(long, {}, { XDG_RUNTIME_DIR: runtime })
      const other = await aHolder(long, {}, { XDG_RUNTIME_DIR: others })
      const answers = [await one.does('take'), await other.does('take'), await other.does('ask')]
      const socket = socketOf(long)
      expect({
        answers,
        folder: dirname(socket),
        modes: [dirname(socket), socket].map((path) => (statSync(path).mode & 0o777).toString(8)),
      }).toEqual({
        answers: ['owned', 'taken', `holder ${one.child.pid}`],
        folder: runtimeOf(runtime),
        modes: ['700', '600'],
      })
    })
    it('loses the socket of a killed owner only to the next one', async () => {
      const [long, runtime] = [await aLongFolder(), await aFolder(tmpdir())]
      const start = (): Promise<Holder> => aHolder(long, {}, { XDG_RUNTIME_DIR: runtime })
      const [killed, client] = [await start(), await start()]
      await killed.does('take')
      const socket = socketOf(long)
      await killed.kill()
      // Without the lock: the folder of a process that is starting looks the same.
      const holder = lockDataFolder(realpathSync(long))
      const before = [await client.does('take'), await client.does('ask'), existsSync(socket)]
      holder?.release()
      const after = [await client.does('take'), existsSync(socket), await client.does('release')]
      expect([before, after, existsSync(socket)]).toEqual([
        ['taken', 'none', true],
        ['owned', true, 'released'],
        false,
      ])
    })
    it.each<[string, (folder: string) => unknown, string?]>([
      ['is open to others', (folder) => mkdirSync(folder, { mode: 0o750 })],
      ['is a link', (folder) => symlinkSync(home, folder)],
      ['is a file', (folder) => writeFileSync(folder, '')],
      ['is too long as well', () => undefined, 'z'.repeat(100)],
    ])('is only read if the runtime folder %s, and nobody owns it then', async (_, make, under = '') => {
      const [long, runtime] = [await aLongFolder(), await aFolder(tmpdir())]
      make(runtimeOf(runtime))
      const one = await aHolder(long, {}, { XDG_RUNTIME_DIR: join(runtime, under) })
      const other = await aHolder(long, {}, { XDG_RUNTIME_DIR: await aFolder(tmpdir()) })
      expect([await one.does('take'), await one.does('problem'), await other.does('take')]).toEqual([
        'read-only',
        'read-only',
        'owned',
      ])
    })
  })
  it('is the same folder through a link', async () => {
    symlinkSync(home, `${home}-link`)
    onTestFinished(() => rm(`${home}-link`))
    expect(await own(home, `${home}-link`)).toEqual(works)
  })
  it.runIf(existsSync('/dev/shm'))('is owned in memory as on a disk', async () => {
    expect(await own(await aFolder('/dev/shm'))).toEqual(works)
  })
  it('keeps socket, secret and their folder private to the user', async () => {
    await own(home)
    const modes = ['run', 'run/secret', 'run/owner.sock', 'run/owner.json', 'owner.sqlite'].map((name) =>
      (statSync(join(home, name)).mode & 0o777).toString(8),
    )
    expect(modes).toEqual(['700', '600', '600', '600', '600'])
  })
  it('removes the access of others to a folder for sockets', async () => {
    mkdirSync(join(home, 'run'), { mode: 0o777 })
    expect(await own(home)).toEqual(works)
    expect(statSync(join(home, 'run')).mode & 0o777).toBe(0o700)
  })
  it('refuses a link in the place of the secret, which may lead to a file without an end', async () => {
    mkdirSync(join(home, 'run'), { mode: 0o700 })
    symlinkSync('/dev/zero', join(home, 'run', 'secret'))
    const one = await aHolder(home)
    expect(await one.does('take')).toBe('read-only')
  })
  it('refuses a link in the place of the folder for sockets', async () => {
    const elsewhere = await aFolder(tmpdir())
    symlinkSync(elsewhere, join(home, 'run'))
    const one = await aHolder(home)
    expect([await one.does('take'), existsSync(join(elsewhere, 'secret'))]).toEqual(['read-only', false])
  })
})
