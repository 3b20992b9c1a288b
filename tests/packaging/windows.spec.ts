import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { findProgram, trySystemPackage } from '../../build/system-packages.mjs'

// The launcher for Windows, and what the installer does beside copying files, under Wine: it has a registry and runs what mingw-w64 and
// NSIS compile.
const launchers = resolve(import.meta.dirname, '../../build/launchers')
const run = promisify(execFile)
let folder = ''
let wine: NodeJS.ProcessEnv = {}

const isThere = (name: string): boolean => findProgram(name) !== undefined
const canRun = (): boolean => {
  if (!['x86_64-w64-mingw32-gcc', 'wine', 'wineboot', 'wineserver'].every(isThere)) return false
  trySystemPackage('nsis', 'the installer for Windows is tested')
  return isThere('makensis')
}
test.skip(
  process.platform !== 'linux' || process.arch !== 'x64' || !canRun(),
  'mingw-w64, NSIS or Wine is not installed',
)
test.beforeAll(async () => {
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
!include "${join(launchers, 'path.nsh')}"
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
const userPath = async (): Promise<string | null> => {
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
    const installed = await userPath()
    await setup('install')
    const again = await userPath()
    await setup('update')
    const updated = await userPath()
    await setup('uninstall')
    expect([installed, again, updated, await userPath()]).toEqual([after, after, after, before])
  })

test('a PATH that is longer than the installer can hold is left as it is', async () => {
  const long = 'D:\\tools;'.repeat(2_000)
  await setPath(long)
  await setup('install')
  const installed = await userPath()
  await setup('uninstall')
  expect([installed === long, (await userPath()) === long]).toEqual([true, true])
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

// Writes its arguments, each on a line, and ends with 7.
const telling = `#include <stdio.h>
int main(int count, char **words) {
  for (int i = 1; i < count; i++) printf("[%s]\\n", words[i]);
  return 7;
}`

test.describe('the launcher', () => {
  let place = ''
  const at = (path: string): string => join(place, path)
  test.beforeAll(async () => {
    place = join(folder, 'Head room')
    for (const name of ['bin', 'runtime', 'program/out/main']) await mkdir(at(name), { recursive: true })
    const compile = (...words: readonly string[]): Promise<unknown> => run('x86_64-w64-mingw32-gcc', words)
    const options = ['-Os', '-Wall', '-Wextra', '-Werror', '-nostdlib', '-ffreestanding', '-mconsole', '-s']
    await compile(
      ...options,
      join(launchers, 'headroom.c'),
      '-o',
      at('bin/headroom.exe'),
      '-Wl,-e,start',
      '-lkernel32',
    )
    await writeFile(join(folder, 'telling.c'), telling)
    await compile(join(folder, 'telling.c'), '-o', join(folder, 'telling.exe'))
  })
  test.beforeEach(async () => {
    await copyFile(join(folder, 'telling.exe'), at('runtime/node.exe'))
    await writeFile(at('program/out/main/cli.js'), 'the program')
  })
  const headroom = (
    ...words: readonly string[]
  ): Promise<{ readonly code?: number; readonly stdout: string; readonly stderr: string }> =>
    run('wine', [at('bin/headroom.exe'), ...words], { env: wine }).catch(
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    )

  test('passes on every word as it was typed, and the exit code', async () => {
    const words = ['devices', 'name:<a&b', '%PATH%', '', 'one "two" three\\', 'tag:loan', '^|!']
    const { code, stdout } = await headroom(...words)
    const [option, program, ...rest] = stdout.trimEnd().split(/\r?\n/)
    expect([code, option, program!.endsWith('\\program\\out\\main\\cli.js]'), rest]).toEqual([
      7,
      '[--disable-warning=ExperimentalWarning]',
      true,
      words.map((word) => `[${word}]`),
    ])
  })

  for (const [what, damage, said] of [
    [
      'the runtime is missing',
      () => rm(at('runtime/node.exe')),
      /runtime\\node\.exe is missing or damaged\./,
    ],
    [
      'the runtime is a placeholder',
      () => writeFile(at('runtime/node.exe'), 'placeholder: node 24.21.0 win-arm64\n'),
      /runtime\\node\.exe cannot be executed: this package is incomplete, or for another system\./,
    ],
    [
      'the built command line is missing',
      () => rm(at('program/out/main/cli.js')),
      /program\\out\\main\\cli\.js is missing or damaged\./,
    ],
    [
      'the built command line is empty',
      () => writeFile(at('program/out/main/cli.js'), ''),
      /program\\out\\main\\cli\.js is missing or damaged\./,
    ],
  ] as const)
    test(`${what}: one sentence names it, and 3`, async () => {
      await damage()
      const { code, stdout, stderr } = await headroom('devices')
      expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([3, '', 1])
      expect(stderr).toMatch(said)
    })
})
