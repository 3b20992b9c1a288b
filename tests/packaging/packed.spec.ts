import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { extractAll } from '@electron/asar'
import { expect, test } from '@playwright/test'
import { shellArguments, shellExecutable, shellMode } from '../stand-in/shell.ts'
import { questions, readPackage } from './read-package.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const system = `linux-${process.arch}`
let folder = ''
let packed = ''
let archive = ''
test.beforeAll(async () => {
  test.setTimeout(300_000)
  folder = await mkdtemp(join(tmpdir(), 'headroom-packed-'))
  const pack = ['build/package.mjs', '--dir', '--quick', `--to=${join(folder, 'release')}`]
  await run(process.execPath, pack, { cwd: root, maxBuffer: 16 * 1024 * 1024 })
  packed = join(folder, 'release', process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')
  archive = join(packed, 'resources', 'app.asar')
})
test.afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

for (const question of questions)
  test(`${question}: nothing is wrong`, () => {
    expect(readPackage(join(folder, 'release'), system).findings[question]).toEqual([])
  })

test('a package with a stand-in for Electron is called incomplete and is no release', async () => {
  test.skip(shellMode === 'electron', 'Electron is installed')
  const release = join(folder, 'refused')
  const words = ['build/package.mjs', '--dir', '--release', `--to=${release}`]
  const refused = await run(process.execPath, words, { cwd: root }).catch(
    (error: unknown) => error as { code: number; stderr: string },
  )
  const said = `the window for ${system} is incomplete: Electron is a stand-in\n`
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
  expect(await readFile(join(release, 'INCOMPLETE'), 'utf8')).toBe(said)
  expect(existsSync(join(release, 'SHA256SUMS'))).toBe(false)
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

test('--cli says where the command line is and that HEADROOM_KEY belongs to it, and ends with 2', async () => {
  const [program, args] =
    shellMode === 'electron'
      ? [join(packed, 'headroom-window'), [...shellArguments, '--cli', 'devices']]
      : [shellExecutable, [...shellArguments, '--cli', 'devices']]
  const application = join(folder, 'application-of-the-prompt')
  extractAll(archive, application)
  const env = {
    ...process.env,
    HEADROOM_HOME: join(folder, 'home'),
    HEADROOM_KEY: 'a key',
    STANDIN_PACKAGED: application,
  }
  const failed = await run(program, args, { cwd: folder, env }).catch(
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  )
  expect(failed).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(
      /^HEADROOM_KEY is for the command line only: the window does not use it\.\nThe command line is a program of its own: .*cli\/bin\/headroom COMMAND\n$/,
    ),
  })
})

test('the packed program runs the main workflow once', async () => {
  const application = join(folder, 'application')
  extractAll(archive, application)
  const screenshot = join(folder, 'once.png')
  const asked = ['--headless', '--once', '--json', `--screenshot=${screenshot}`]
  const [program, args] =
    shellMode === 'electron'
      ? [join(packed, 'headroom-window'), [...shellArguments, ...asked]]
      : [shellExecutable, [...shellArguments, ...asked]]
  const env = { ...process.env, HEADROOM_HOME: join(folder, 'home'), STANDIN_PACKAGED: application }
  const { stdout } = await run(program, args, { cwd: folder, env, maxBuffer: 16 * 1024 * 1024 })
  const answer = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as {
    mode: string
    devices: number
    rooms: number
    screenshot: string
  }
  expect({
    mode: answer.mode,
    enoughDevices: answer.devices >= 1000,
    enoughRooms: answer.rooms >= 60,
    screenshot: answer.screenshot,
  }).toEqual({
    mode: shellMode,
    enoughDevices: true,
    enoughRooms: true,
    screenshot,
  })
  expect((await readFile(screenshot)).subarray(1, 4).toString('latin1')).toBe('PNG')
})
