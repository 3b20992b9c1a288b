import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { findProgram, trySystemPackage } from '../../build/system-packages.mjs'

// What the installer for Windows does beside copying files: compiled by NSIS and run under Wine, which has a registry.
const include = resolve(import.meta.dirname, '../../build/launchers/path.nsh')
const run = promisify(execFile)
let folder = ''
let wine: NodeJS.ProcessEnv = {}

const canRun = (): boolean => {
  trySystemPackage('nsis', "the installer's PATH is tested")
  return ['makensis', 'wine', 'wineboot', 'wineserver'].every((name) => findProgram(name) !== undefined)
}
test.skip(
  process.platform !== 'linux' || process.arch !== 'x64' || !canRun(),
  'NSIS or Wine is not installed',
)
test.beforeAll(async () => {
  test.setTimeout(180_000)
  folder = await mkdtemp(join(tmpdir(), 'headroom-nsis-'))
  wine = {
    ...process.env,
    WINEPREFIX: join(folder, 'prefix'),
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  }
  await mkdir(join(folder, 'prefix'))
  // They would hold the output of the first program that needs them.
  for (const [command, word] of [
    ['wineserver', '--persistent'],
    ['wineboot', '--init'],
  ] as const)
    await once(spawn(command, [word], { env: wine, stdio: 'ignore' }), 'exit')
  for (const [name, macro] of [
    ['install', 'customInstall'],
    ['uninstall', 'customUnInstall'],
    ['update', 'customUnInstall'],
  ]) {
    const script = `Target amd64-unicode
Name x
OutFile "${join(folder, `${name}.exe`)}"
InstallDir "C:\\\\Programs\\\\Headroom x"
RequestExecutionLevel user
SilentInstall silent
!macro _isUpdated _a _b _t _f
  !insertmacro _== "${name}" "update" "\${_t}" "\${_f}"
!macroend
!define isUpdated '"" isUpdated ""'
!include "${include}"
Section
  !insertmacro ${macro}
SectionEnd
`.replaceAll('\\\\', '\\')
    await writeFile(join(folder, `${name}.nsi`), script)
    await run('makensis', ['-V2', '-WX', join(folder, `${name}.nsi`)])
  }
})
test.afterAll(async () => {
  await run('wineserver', ['-k'], { env: wine }).catch(() => null)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const inWine = (...words: readonly string[]): Promise<{ readonly stdout: string }> =>
  run('wine', words, { env: wine })
const setup = (name: string): Promise<unknown> => inWine(join(folder, `${name}.exe`), '/S')
const setPath = (value: string): Promise<unknown> =>
  inWine('reg', 'add', 'HKCU\\Environment', '/v', 'Path', '/t', 'REG_EXPAND_SZ', '/d', value, '/f')
const path = async (): Promise<string | null> => {
  const { stdout } = await inWine('reg', 'query', 'HKCU\\Environment', '/v', 'Path').catch(() => ({
    stdout: '',
  }))
  return /Path\s+REG_EXPAND_SZ\s+(.*?)\r?\n/.exec(stdout)?.[1] ?? null
}
const bin = 'C:\\Programs\\Headroom x\\resources\\cli\\bin'

for (const [what, before, after] of [
  ['no PATH', null, bin],
  ['a PATH with variables', '%USERPROFILE%\\bin;D:\\tools', `%USERPROFILE%\\bin;D:\\tools;${bin}`],
  ['a PATH that ends with a semicolon', 'D:\\tools;', `D:\\tools;;${bin}`],
] as const)
  test(`an installation appends the folder to ${what}, and an uninstallation restores it`, async () => {
    if (before !== null) await setPath(before)
    await setup('install')
    const installed = await path()
    await setup('install')
    const again = await path()
    await setup('update')
    const updated = await path()
    await setup('uninstall')
    expect([installed, again, updated, await path()]).toEqual([after, after, after, before])
  })

test('a PATH that is longer than the installer can hold is left as it is', async () => {
  const long = 'D:\\tools;'.repeat(2_000)
  await setPath(long)
  await setup('install')
  const installed = await path()
  await setup('uninstall')
  expect([installed === long, (await path()) === long]).toEqual([true, true])
})

test('an uninstallation takes out its own registration for links, and no other', async () => {
  const key = 'HKCU\\Software\\Classes\\headroom\\shell\\open\\command'
  const command = async (): Promise<boolean> =>
    (await inWine('reg', 'query', key).catch(() => ({ stdout: '' }))).stdout.includes('.exe')
  const register = (program: string): Promise<unknown> =>
    inWine('reg', 'add', key, '/ve', '/d', `"${program}" "%1"`, '/f')
  await register('D:\\other\\Headroom.exe')
  await setup('uninstall')
  const other = await command()
  await register('C:\\Programs\\Headroom x\\Headroom.exe')
  await setup('uninstall')
  expect([other, await command()]).toEqual([true, false])
})
