import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const prepare = join(resolve(import.meta.dirname, '../..'), 'build/prepare.mjs')

/**
 * HEADROOM_KEY in child processes of a build script: one that inherits the environment, one started with
 * `environment()`, and the program itself.
 */
function seen(environment: Readonly<Record<string, string>>): readonly string[] {
  const tell = `[process.execPath, ['-p', 'String(process.env.HEADROOM_KEY)']`
  const script = `
    import { execFileSync } from 'node:child_process'
    import { environment, programEnvironment } from ${JSON.stringify(prepare)}
    const told = (env) => execFileSync(...${tell}, { encoding: 'utf8', ...env }]).trim()
    console.log(JSON.stringify([told({}), told({ env: environment() }), told({ env: programEnvironment({ A: '1' }) })]))`
  const { HEADROOM_KEY: _, ...rest } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...rest, ...environment },
  })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as readonly string[]
}

test.each([
  ['with a key', { HEADROOM_KEY: 'the-key' }, ['undefined', 'undefined', 'the-key']],
  ['without one', {}, ['undefined', 'undefined', 'undefined']],
])('%s keeps the key from the processes that build scripts start', (_, environment, expected) => {
  expect(seen(environment)).toEqual(expected)
})

test.each([
  ['a development folder, beside that of the installed program', {}, 'x/Headroom (development)'],
  ['the folder that is chosen', { HEADROOM_HOME: '/chosen' }, '/chosen'],
])('the program of a clone has %s as its data folder', (_, environment, expected) => {
  const config = { XDG_CONFIG_HOME: 'x', APPDATA: 'x', HOME: '/home/of/the/test', HEADROOM_HOME: '' }
  const script = `import { programEnvironment } from ${JSON.stringify(prepare)}
    console.log(programEnvironment().HEADROOM_HOME)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, ...config, ...environment },
  })
  const onMac = '/home/of/the/test/Library/Application Support/Headroom (development)'
  const own = process.platform === 'darwin' && !('HEADROOM_HOME' in environment) ? onMac : expected
  expect(stdout.trim().replaceAll('\\', '/')).toBe(own)
})

/** How a script ends that calls this function of a module in build/, copied to a fresh folder. */
function ended(module: string, call: string, environment: Readonly<Record<string, string>>): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-prepare-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(prepare, '..'), join(folder, 'build'), { recursive: true })
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'npm.js'), 'process.exit(1)')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const module = await import(${JSON.stringify(join(folder, 'build', module))}); module.${call}`,
    ],
    { encoding: 'utf8', env: { ...process.env, npm_execpath: join(folder, 'npm.js'), ...environment } },
  )
  return { status, stdout, said: stderr.trimEnd().split('\n').at(-1) }
}

test('packages that cannot be installed end a script with one sentence and exit code 3', () => {
  expect(ended('prepare.mjs', 'install()', {})).toEqual({
    status: 3,
    stdout: '',
    said: 'headroom: packages could not be installed; see the lines above. A network or a filled npm cache is needed once.',
  })
})

/** Whether `install` runs npm ci for a lock file with these packages, where these are installed; `later`: where it ran before. */
function installs(locked: object, there: object, later?: object): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-prepare-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(prepare, '..'), join(folder, 'build'), { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  const write = (file: string, packages: object): void =>
    writeFileSync(join(folder, file), JSON.stringify({ packages: { '': {}, ...packages } }))
  write('package-lock.json', locked)
  write('node_modules/.package-lock.json', there)
  writeFileSync(join(folder, 'npm.js'), 'require("fs").writeFileSync("ran", "")')
  const install = (): void => {
    const { status } = spawnSync(
      process.execPath,
      ['-e', `import(${JSON.stringify(join(folder, 'build/prepare.mjs'))}).then(({ install }) => install())`],
      { env: { ...process.env, npm_execpath: join(folder, 'npm.js') } },
    )
    if (status !== 0) throw new Error(`install ended with ${status}`)
  }
  install()
  if (later !== undefined) {
    write('node_modules/.package-lock.json', later)
    install()
  }
  return existsSync(join(folder, 'ran'))
}

test.each([
  ['holds what the lock file names', { a: '1' }, { a: '1' }, {}, false],
  ['lacks a package', { a: '1' }, {}, {}, true],
  ['has another version of a package', { a: '2' }, { a: '1' }, {}, true],
  ['has a package that the lock file does not name', {}, { a: '1' }, {}, true],
  ['lacks an optional package, which is not for this system', { a: '1' }, {}, { optional: true }, false],
  // Node's runtime is one of them.
  ['has another version of an optional package', { a: '2' }, { a: '1' }, { optional: true }, true],
])('packages are installed only if needed: node_modules %s', (_, locked, there, kind, expected) => {
  const packages = (versions: object): object =>
    Object.fromEntries(
      Object.entries(versions).map(([name, version]) => [
        `node_modules/${name}`,
        { version: version as unknown, ...kind },
      ]),
    )
  expect(installs(packages(locked), packages(there))).toBe(expected)
})

test.runIf(process.platform === 'linux')(
  'a system package that is missing and cannot be installed ends a script with its name and exit code 3',
  () => {
    expect(
      ended('system-packages.mjs', "needSystemPackages(['gnome-keyring'], 'a test')", { PATH: '' }),
    ).toEqual({
      status: 3,
      stdout: '',
      said: "headroom: a test needs a system package that is not here (Debian's names): gnome-keyring. Install and try again: sudo apt-get install gnome-keyring",
    })
  },
)

test('a package that is changed after the packages were found installed stays', () => {
  const of = (version: string): object => ({ 'node_modules/a': { version } })
  expect(installs(of('1'), of('1'), of('2'))).toBe(false)
})
