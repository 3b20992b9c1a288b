import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { _electron, expect, test, type ElectronApplication } from '@playwright/test'
import { shellExecutable } from '../stand-in/shell.ts'
import { headroom } from './headroom.ts'
import {
  dataFolder,
  expectCount,
  expectLanded,
  goTo,
  launchArguments,
  newHome,
  smallDemonstration,
  startAgain,
  startProgram,
  type Home,
} from './program.ts'

let home: Home
test.beforeEach(() => {
  home = newHome()
})
test.afterEach(() => home.remove())

const visible = (app: ElectronApplication): Promise<readonly boolean[]> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible()))

test('a second start with the same data folder says so and shows the window; one with another folder runs beside it', async () => {
  // The same folder under another name.
  const real = join(home.folder, 'real')
  mkdirSync(real)
  symlinkSync(real, dataFolder(home))
  const config = join(home.folder, 'config')
  mkdirSync(config)
  const environment = { XDG_CONFIG_HOME: config, XDG_CACHE_HOME: config }
  const first = await startProgram(home, environment)
  const other = newHome()
  const beside = await startProgram(other, environment)
  const before = await visible(first.app)
  const again = await startAgain(home)
  await expect.poll(() => visible(first.app)).toEqual([true])
  expect({
    before,
    again,
    beside: await visible(beside.app),
    folder: (statSync(join(real, 'window')).mode & 0o777).toString(8),
    elsewhere: readdirSync(config),
  }).toEqual({
    before: [false],
    again: {
      code: 0,
      errors: `Headroom already runs with the data folder ${realpathSync(real)}: its window is shown.\n`,
    },
    beside: [false],
    folder: '700',
    elsewhere: [],
  })
  await beside.close()
  await first.close()
  other.remove()
})

test('a command finds the window although the path of the data folder is too long for a socket', async () => {
  test.skip(process.platform === 'win32', 'a pipe has no such limit')
  const environment = { HEADROOM_HOME: join(home.folder, 'x'.repeat(110)) }
  const runtime = join(home.folder, 'r')
  const window = await startProgram(home, { ...environment, XDG_RUNTIME_DIR: runtime })
  const beside = await headroom(home, ['org', 'list'], {
    key: 'f'.repeat(32),
    environment: { ...environment, XDG_RUNTIME_DIR: join(home.folder, 'other') },
  })
  expect([beside.code, beside.errors]).toEqual([
    0,
    expect.stringContaining('HEADROOM_KEY is not used: the data folder belongs to the app'),
  ])
  await window.close()
})

test.describe('a data folder without write permission', () => {
  test.skip(process.platform === 'win32', 'Windows has no such modes')
  const asRoot = process.getuid?.() === 0
  test.skip(asRoot && process.platform !== 'linux', 'the administrator may write everywhere')

  /** The program, without the administrator's right to write everywhere. */
  function withoutRights(...program: readonly string[]): string {
    const file = join(home.folder, 'without-rights')
    const words = [...(asRoot ? ['setpriv', '--bounding-set=-dac_override'] : []), ...program]
    writeFileSync(file, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
      mode: 0o700,
    })
    return file
  }
  /** Every file of the folder with its mode and time. */
  const files = (): readonly string[] =>
    readdirSync(dataFolder(home), { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const { mode, mtimeMs } = statSync(join(dataFolder(home), name))
        return `${name} ${mode} ${mtimeMs}`
      })
  const setModes = (ofFolder: number, ofFile: number): void => {
    const names = readdirSync(dataFolder(home), { recursive: true, encoding: 'utf8' })
    for (const path of [dataFolder(home), ...names.map((name) => join(dataFolder(home), name))])
      chmodSync(path, statSync(path).isDirectory() ? ofFolder : ofFile)
  }
  test.beforeEach(async () => {
    for (const words of [['org', 'add', 'Try', '--preset', 'demonstration'], ['sync']])
      expect((await headroom(home, words, { environment: smallDemonstration })).code).toBe(0)
    setModes(0o500, 0o400)
  })
  test.afterEach(() => setModes(0o700, 0o600))

  test('can be looked at on the command line', () => {
    const program = withoutRights(process.execPath, resolve('out/main/cli.js'))
    const before = files()
    const [list, sync] = [['devices', '--json'], ['sync']].map((words) =>
      spawnSync(program, words, {
        env: { ...process.env, HEADROOM_HOME: dataFolder(home), HEADROOM_KEY: '' },
        encoding: 'utf8',
      }),
    )
    const errors =
      'The data folder cannot be locked (attempt to write a readonly database). Headroom shows the data read before and sends nothing. Make the folder writable, or choose another one with HEADROOM_HOME.\n'
    expect({
      list: [list?.status, list?.stderr, (JSON.parse(list?.stdout ?? '') as { total: number }).total],
      sync: [sync?.status, sync?.stderr],
      files: files(),
    }).toEqual({ list: [0, errors, 60], sync: [3, errors], files: before })
  })

  test('can be looked at in the window, whose own files are in a temporary folder until it ends', async () => {
    const temporary = join(home.folder, 'temporary')
    mkdirSync(temporary)
    const before = files()
    const start = (): Promise<ElectronApplication> =>
      _electron.launch({
        executablePath: withoutRights(shellExecutable),
        args: [...launchArguments],
        env: {
          ...(process.env as Record<string, string>),
          HEADROOM_HOME: dataFolder(home),
          HEADROOM_KEY: '',
          TMPDIR: temporary,
        },
      })
    const [app, beside] = [await start(), await start()]
    const page = await app.firstWindow()
    await expectLanded(page)
    await expect(page.getByText('The data folder cannot be locked')).toBeVisible()
    await goTo(page, 'Devices')
    await expectCount(page, 'devices', 60)
    await expectLanded(await beside.firstWindow())
    const windows = (): readonly string[] =>
      readdirSync(temporary).filter((name) => name.startsWith('headroom-window-'))
    const during = windows().length
    await app.close()
    await beside.close()
    expect({
      during,
      after: windows(),
      files: files(),
      window: existsSync(join(dataFolder(home), 'window')),
    }).toEqual({
      during: 2,
      after: [],
      files: before,
      window: false,
    })
  })
})
