import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownerAloneWrites } from '../../electron/adapters/policy/security-descriptor.ts'
import { msiProjectCreated } from '../../build/packing.mjs'
import { linkScheme } from '../../electron/contract/page-link.ts'

const root = resolve(import.meta.dirname, '../..')

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly hasInstallScript?: boolean
        readonly dev?: boolean
        readonly license?: string
        readonly dependencies?: Readonly<Record<string, string>>
        readonly optionalDependencies?: Readonly<Record<string, string>>
      }
    >
  >
}
const json = async <T>(file: string): Promise<T> =>
  JSON.parse(await readFile(resolve(root, file), 'utf8')) as T

describe('packaging', () => {
  test('uses a configuration that matches the schema of the builder', async () => {
    const { stderr } = await promisify(execFile)(process.execPath, ['build/package.mjs', '--validate'], {
      cwd: root,
    })
    expect(stderr).toContain("keeps to electron-builder's schema")
  })

  test("takes the keychain's native module of the system it packs for, not of the one it runs on", async () => {
    const configuration = await readFile(resolve(root, 'build/electron-builder.yml'), 'utf8')
    const kept = [...configuration.matchAll(/^(\w+):\n +files:\n +- package\.json\n +- '(.*)'$/gm)].map(
      ([, system, files]) => [system, files],
    )
    expect([kept, configuration.includes('${platform}-')]).toEqual([
      [
        ['win', '!**/node_modules/keytar/prebuilds/!(win32-${arch})/**'],
        ['mac', '!**/node_modules/keytar/prebuilds/!(darwin-${arch})/**'],
        ['linux', '!**/node_modules/keytar/prebuilds/!(linux-${arch})/**'],
      ],
      false,
    ])
  })

  test("puts the command line on the machine's PATH, and protects the folder of a policy, in the builder's own form of an MSI, once", async () => {
    const builder = createRequire(createRequire(import.meta.url).resolve('electron-builder'))
    const form = resolve(
      dirname(builder.resolve('app-builder-lib/package.json')),
      'templates/msi/template.xml',
    )
    const folder = await mkdtemp(join(tmpdir(), 'headroom-msi-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const project = join(folder, 'project.wxs')
    await copyFile(form, project)
    msiProjectCreated(project)
    const written = await readFile(project, 'utf8')
    const inGroup = /<ComponentGroup Id="ProductComponents"[^]*?<\/ComponentGroup>/.exec(written)?.[0] ?? ''
    expect(inGroup.match(/<Environment .*/g)).toEqual([
      '<Environment Id="CommandLineOnPath" Name="PATH" Action="set" Part="last" System="yes" Permanent="no" Value="[APPLICATIONFOLDER]resources\\cli\\bin"/>',
    ])
    const [, descriptor = ''] = /<PermissionEx Sddl="(.*)"\/>/.exec(inGroup) ?? []
    expect([
      ownerAloneWrites(descriptor),
      written.includes('<Directory Id="POLICYFOLDER" Name="Headroom"/>'),
    ]).toEqual([true, true])
    await writeFile(project, '<Wix/>')
    expect(() => msiProjectCreated(project)).toThrow('the MSI has another form')
  })

  test('signs everything but Node, with the one entitlement that Electron needs', async () => {
    const configuration = await readFile(resolve(root, 'build/electron-builder.yml'), 'utf8')
    const [, words = ''] = /^ {2}signExts: \[(.*)\]$/m.exec(configuration) ?? []
    const endings = words.split(', ').map((word) => word.replaceAll("'", ''))
    // As the builder decides, for a copied file.
    const isSigned = (file: string): boolean =>
      endings.some((ending) => file.endsWith(ending)) ||
      (file.endsWith('.exe') &&
        !endings.some((ending) => ending.startsWith('!') && file.endsWith(ending.slice(1))))
    const files = ['bin/headroom.exe', 'runtime/node.exe', 'LICENSE.node', 'program/prebuilds/keytar.node']
    expect(files.filter(isSigned)).toEqual(['bin/headroom.exe', 'program/prebuilds/keytar.node'])
    expect(configuration).toContain('  signIgnore: [/cli/runtime/node$]\n')
    const [, file = ''] = /^ {2}entitlements: (.*)$/m.exec(configuration) ?? []
    const entitlements = await readFile(resolve(root, file), 'utf8')
    expect([...entitlements.matchAll(/<key>(.*)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
    ])
  })

  test('registers only the URL scheme that the program handles', async () => {
    const configuration = await readFile(resolve(root, 'build/electron-builder.yml'), 'utf8')
    expect(configuration.match(/schemes: .*/g)).toEqual([`schemes: [${linkScheme}]`])
  })
})

describe('dependencies', () => {
  test('have exact versions', async () => {
    const { dependencies, optionalDependencies, devDependencies } = await json<Manifest>('package.json')
    const loose = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).filter(
      ([, version]) => !/^(npm:@?[^@]+@)?\d+\.\d+\.\d+$/.test(version),
    )
    expect(loose).toEqual([])
  })

  // npm leaves a package that is missing from a registry out of the lock, and npm ci then rejects the whole lock.
  test('are all in the lock file, for other systems too', async () => {
    const { packages } = await json<Lock>('package-lock.json')
    const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
    const missing = Object.values(packages)
      .flatMap(({ dependencies, optionalDependencies }) =>
        Object.keys({ ...dependencies, ...optionalDependencies }),
      )
      .filter((name) => !locked.has(name))
    expect(missing).toEqual([])
  })

  test('that ship have no install script, except keytar', async () => {
    const { packages } = await json<Lock>('package-lock.json')
    const scripted = Object.entries(packages).filter(
      ([path, { hasInstallScript, dev }]) => path !== '' && hasInstallScript === true && dev !== true,
    )
    expect(scripted.map(([path]) => path)).toEqual(['node_modules/keytar'])
  })

  test('that ship have an allowed licence', async () => {
    const { packages } = await json<Lock>('package-lock.json')
    const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
    expect(
      shipped
        .filter(([, { license }]) => !/^(MIT|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0)$/.test(license ?? ''))
        .map(([path, { license }]) => `${path}: ${license}`),
    ).toEqual([])
  })
})
