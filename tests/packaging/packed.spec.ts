import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { extractAll } from '@electron/asar'
import { expect } from '@playwright/test'
import { shellArguments, shellExecutable, shellMode } from '../stand-in/shell.ts'
import { questions, readPackage } from './read-package.ts'
import { pack, test } from './release.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const system = `linux-${process.arch}`
let folder = ''
let packed = ''
let archive = ''
let read: ReturnType<typeof readPackage>
/** The packed window, as its launcher starts it. */
let program = ''
test.beforeAll(async ({ release }) => {
  folder = await mkdtemp(join(tmpdir(), 'headroom-packed-'))
  packed = join(release, process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')
  archive = join(packed, 'resources', 'app.asar')
  read = readPackage(release, system)
  program = join(packed, 'headroom-window')
  if (shellMode === 'stand-in') await putStandInBehindLauncher()
})
test.afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** It reads a folder, not an archive. */
async function putStandInBehindLauncher(): Promise<void> {
  const application = join(packed, 'resources/application')
  extractAll(archive, application)
  await writeFile(
    `${program}.bin`,
    `#!/bin/sh\nSTANDIN_PACKAGED='${application}' exec '${shellExecutable}' "$@"\n`,
  )
}

for (const question of questions)
  test(`${question}: nothing is wrong`, () => {
    expect(read.findings[question]).toEqual([])
  })

test('a package with a stand-in for Electron is called incomplete, and as a release it is refused before it is packed', async ({
  release,
}) => {
  test.skip(shellMode === 'electron', 'Electron is installed')
  const said = `the window for ${system} is incomplete: Electron is a stand-in\n`
  expect(await readFile(join(release, 'INCOMPLETE'), 'utf8')).toContain(said)
  const refused = join(folder, 'refused')
  await mkdir(refused)
  await writeFile(join(refused, 'SHA256SUMS'), 'of a release before')
  const packing = await pack(refused, '--release').catch((error: unknown) => error)
  expect(packing).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
  expect(readdirSync(refused)).toEqual(['INCOMPLETE'])
  expect(await readFile(join(refused, 'INCOMPLETE'), 'utf8')).toBe(said)
})

test('the archive contains the licences of everything bundled into the page and installed beside it', async () => {
  const unpacked = join(folder, 'notices')
  extractAll(archive, unpacked)
  const notices = await readFile(join(unpacked, 'out/renderer/third-party-notices.txt'), 'utf8')
  const named = [
    'vue',
    'vue-router',
    'pinia',
    'vue-i18n',
    'reka-ui',
    '@lucide/vue',
    'csv-stringify',
    'zod',
    'hono',
  ]
  expect(named.filter((name) => !notices.includes(`\n${name} `))).toEqual([])
})

test('the command line lies beside the archive and checks a payload, on its thread and with its library', async () => {
  const [schema, payload] = [join(folder, 'schema.json'), join(folder, 'payload.json')]
  await writeFile(schema, '{"required": ["id"]}')
  await writeFile(payload, '[{"id": 1}, {}]')
  const command = join(packed, 'resources/cli/bin/headroom')
  const { stdout } = await run(command, ['webhook', 'check', payload, '--schema', schema, '--json'], {
    cwd: folder,
    env: { HOME: join(folder, 'home-of-the-prompt') },
  }).catch((error: unknown) => error as { stdout: string })
  expect(JSON.parse(stdout)).toMatchObject({
    fits: false,
    checked: 'each-event',
    problems: [{ place: '/1', message: 'The value does not have required property "id".' }],
  })
})

test('the window has a launcher in front of it, which takes HEADROOM_KEY out of its environment', async () => {
  const [written, packedOne] = await Promise.all(
    [join(root, 'build/launchers/headroom-window.sh'), join(packed, 'headroom-window')].map((file) =>
      readFile(file, 'utf8'),
    ),
  )
  expect([packedOne === written, existsSync(join(packed, 'headroom'))]).toEqual([true, false])
})

/** Starts the packed window, which ends by itself. */
const start = (
  words: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<{ readonly code?: number; readonly stdout: string; readonly stderr: string }> =>
  run(program, [...shellArguments, ...words], {
    cwd: folder,
    env: { ...process.env, HEADROOM_HOME: join(folder, 'home'), ...more },
  }).catch((error: unknown) => error as { code: number; stdout: string; stderr: string })

test('--cli says where the command line is and that HEADROOM_KEY belongs to it, and ends with 2', async () => {
  const command = join(packed, 'resources/cli/bin/headroom')
  expect(await start(['--cli', 'devices'], { HEADROOM_KEY: 'a key' })).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `HEADROOM_KEY is for the command line only: the window does not use it.\nThe command line is a program of its own: ${command} COMMAND\n`,
  })
})

test('--once without a data folder of its own adds no organization, and ends with 2', async () => {
  const config = join(folder, 'config')
  expect(await start(['--headless', '--once'], { HEADROOM_HOME: '', XDG_CONFIG_HOME: config })).toMatchObject(
    {
      code: 2,
      stdout: '',
      stderr: '--once adds an organization: set HEADROOM_HOME to a folder for it.\n',
    },
  )
  expect(existsSync(join(config, 'Headroom/workbook.sqlite'))).toBe(false)
})

test('no process of the window has HEADROOM_KEY in its environment', async () => {
  const key = `key-${process.pid}-of-this-test`
  const home = join(folder, 'home-of-the-key')
  const window = spawn(program, [...shellArguments, '--headless'], {
    env: { ...process.env, HEADROOM_HOME: home, HEADROOM_KEY: key },
    stdio: 'ignore',
  })
  const ended = once(window, 'exit')
  try {
    interface Running {
      readonly id: number
      readonly parent: number
      readonly words: string
      readonly hasKey: boolean
    }
    const running = (): readonly Running[] =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => {
          try {
            const of = (file: string): string => readFileSync(join('/proc', name, file), 'latin1')
            const [, parent] = /^.*\) . (\d+) /s.exec(of('stat')) ?? []
            const hasKey = of('environ').includes(key)
            return [{ id: Number(name), parent: Number(parent), words: of('cmdline'), hasKey }]
          } catch {
            return []
          }
        })
    const isOfWindow = (one: Running | undefined, all: readonly Running[]): boolean =>
      one !== undefined &&
      (one.id === window.pid ||
        isOfWindow(
          all.find(({ id }) => id === one.parent),
          all,
        ))
    await expect
      .poll(() => {
        const all = running()
        return all.some((one) => one.words.includes('--type=renderer') && isOfWindow(one, all))
      })
      .toBe(true)
    expect(running().filter(({ hasKey }) => hasKey)).toEqual([])
  } finally {
    window.kill()
    await ended
  }
})

test('the packed program and its command line do their main work', async () => {
  const said = await run(process.execPath, ['build/try-package.mjs', packed], { cwd: root }).catch(
    (error: unknown) => error as { stderr: string },
  )
  expect(said.stderr).toMatch(/^headroom: the window works: \S+, 1200 devices, a picture of \d+ bytes$/m)
  expect(said.stderr).toMatch(/^headroom: the command line works: 1200 devices, \d+ bytes, exit codes$/m)
})
