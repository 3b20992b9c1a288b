import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { extractAll, listPackage } from '@electron/asar'
import { expect, test } from '@playwright/test'
import { shellArguments, shellExecutable, shellMode } from '../stand-in/shell.ts'

const root = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
/**
 * Marks the position of the fuses in Electron's binary: this text, a version, a count, then one character for
 * each fuse.
 */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuses = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'inspect',
  'asarIntegrity',
  'onlyAsar',
  'v8Snapshot',
  'grantFileProtocol',
  'wasmTrapHandlers',
] as const

let folder = ''
let packed = ''
let archive = ''
test.beforeAll(async () => {
  test.setTimeout(300_000)
  folder = await mkdtemp(join(tmpdir(), 'headroom-packed-'))
  await run(process.execPath, [join(root, 'build/build.mjs')], { cwd: root })
  const builder = [
    join(root, 'node_modules/electron-builder/cli.js'),
    '--config',
    'build/electron-builder.yml',
    '--linux',
    'dir',
    '--publish',
    'never',
  ]
  const more = [
    `-c.electronDist=${await electronFolder()}`,
    `-c.directories.output=${join(folder, 'release')}`,
  ]
  await run(process.execPath, [...builder, ...more], { cwd: root, maxBuffer: 16 * 1024 * 1024 })
  packed = join(folder, 'release', process.arch === 'arm64' ? 'linux-arm64-unpacked' : 'linux-unpacked')
  archive = join(packed, 'resources', 'app.asar')
})
test.afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** The folder of Electron, or one with a substitute binary if Electron cannot be downloaded. */
async function electronFolder(): Promise<string> {
  const real = join(root, 'node_modules/electron/dist')
  if (shellMode === 'electron' && existsSync(join(real, 'version'))) return real
  const made = join(folder, 'electron')
  await mkdir(made)
  const { version } = JSON.parse(
    await readFile(join(root, 'node_modules/electron/package.json'), 'utf8'),
  ) as { version: string }
  await writeFile(join(made, 'version'), version)
  await writeFile(join(made, 'LICENSE'), '')
  await writeFile(
    join(made, 'electron'),
    Buffer.concat([
      Buffer.from(sentinel),
      Buffer.from([1, fuses.length]),
      Buffer.from('1'.repeat(fuses.length)),
    ]),
  )
  await chmod(join(made, 'electron'), 0o755)
  return made
}

test('the fuses disable every way to run other code in the packed program', async () => {
  const binary = await readFile(join(packed, 'headroom-window.bin'))
  const at = binary.indexOf(sentinel) + sentinel.length + 2
  const states = Object.fromEntries(
    fuses.map((name, i) => [name, String.fromCharCode(binary[at + i] ?? 0) === '1']),
  )
  expect({ ...states, v8Snapshot: null, wasmTrapHandlers: null }).toEqual({
    runAsNode: false,
    cookieEncryption: false,
    nodeOptions: false,
    inspect: false,
    asarIntegrity: true,
    onlyAsar: true,
    grantFileProtocol: false,
    v8Snapshot: null,
    wasmTrapHandlers: null,
  })
})

test('the archive contains what runs and nothing else', () => {
  const files = listPackage(archive, { isPack: false })
  const must = [
    '/package.json',
    '/out/main/main.js',
    '/out/main/cli.js',
    '/out/main/demo.js',
    '/out/main/database-worker.js',
    '/out/main/schema-worker.js',
    '/out/preload/preload.cjs',
    '/out/renderer/index.html',
  ]
  expect(must.filter((file) => !files.includes(file))).toEqual([])
  const mustNot =
    /^\/(electron|renderer|tests|build|\.ci|\.git)(\/|$)|\/node_modules\/(node-(linux|win|darwin)-[^/]*|electron|vue|vite|typescript)\/|\.map$/
  expect(files.filter((file) => mustNot.test(file))).toEqual([])
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

test("the keychain's native module is outside the archive, for this system alone", async () => {
  const prebuilt = join(`${archive}.unpacked`, 'node_modules/keytar/prebuilds')
  expect(await readdir(prebuilt)).toEqual([`linux-${process.arch}`])
  expect(existsSync(join(prebuilt, `linux-${process.arch}`, 'keytar.node'))).toBe(true)
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
