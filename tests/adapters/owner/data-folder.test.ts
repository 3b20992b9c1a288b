import { existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ownerPlace } from '../../../electron/adapters/owner/place.ts'
import { aHolder, type Holder } from './holders.ts'

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

  it('keeps the folder while stopped and responds again afterwards; clients report it as silent', async () => {
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
  })

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

  it.each([
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

  it('gets a private socket elsewhere when it is too long', async () => {
    const long = join(home, 'x'.repeat(100), 'y'.repeat(100))
    mkdirSync(long, { recursive: true })
    expect(await own(long)).toEqual(works)
    const { socket } = ownerPlace(long)
    onTestFinished(() => rm(join(socket, '..'), { recursive: true, force: true }))
    expect([socket.startsWith(long), statSync(join(socket, '..')).mode & 0o777]).toEqual([false, 0o700])
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
