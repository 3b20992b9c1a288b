import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const names = ['x64', 'arm64'].flatMap((arch) =>
  ['exe', 'msi', 'dmg'].map((end) => `Headroom-${version}-${arch}.${end}`),
)
/** A sum that tells the file. */
const sumOf = (name: string): string => String(names.indexOf(name)).repeat(64)
const address = 'https://releases.invalid/v1'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-manifests-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'SHA256SUMS'), names.map((name) => `${sumOf(name)}  ${name}\n`).join(''))
})
function make(...words: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  const script = join(root, 'build/store-manifests.mjs')
  return spawnSync(process.execPath, [script, ...words], { encoding: 'utf8' })
}
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')

test('winget gets each installer of Windows with its processor, kind, place and hash', () => {
  expect(make(folder, address)).toMatchObject({ status: 0, stderr: '' })
  const installer = read('winget/Headroom.Headroom.installer.yaml')
  const listed = [
    ...installer.matchAll(
      /Architecture: (\w+)\n +InstallerType: (\w+)\n +Scope: (\w+)\n +InstallerUrl: (\S+)\n +InstallerSha256: (\w{64})\n/g,
    ),
  ].map(([, ...cells]) => cells)
  const of = (arch: string, end: string): readonly string[] => [
    `${address}/Headroom-${version}-${arch}.${end}`,
    sumOf(`Headroom-${version}-${arch}.${end}`),
  ]
  expect(listed).toEqual([
    ['x64', 'nullsoft', 'user', ...of('x64', 'exe')],
    ['x64', 'wix', 'machine', ...of('x64', 'msi')],
    ['arm64', 'nullsoft', 'user', ...of('arm64', 'exe')],
    ['arm64', 'wix', 'machine', ...of('arm64', 'msi')],
  ])
  expect(readdirSync(join(folder, 'winget')).toSorted()).toEqual([
    'Headroom.Headroom.installer.yaml',
    'Headroom.Headroom.locale.en-US.yaml',
    'Headroom.Headroom.yaml',
  ])
})

test('Homebrew gets the dmg of each processor, and the command line', () => {
  expect(make(folder, `${address}/`)).toMatchObject({ status: 0, stderr: '' })
  const cask = read('homebrew/headroom.rb')
  expect([
    /sha256 arm: +"(\w{64})",\s+intel: "(\w{64})"/.exec(cask)?.slice(1),
    /url "(.*)"/.exec(cask)?.[1],
    /binary "(.*)"/.exec(cask)?.[1],
  ]).toEqual([
    [sumOf(`Headroom-${version}-arm64.dmg`), sumOf(`Headroom-${version}-x64.dmg`)],
    `${address}/Headroom-#{version}-#{arch}.dmg`,
    '#{appdir}/Headroom.app/Contents/Resources/cli/bin/headroom',
  ])
})

test.each([
  ['without words', () => make(), 2, 'say the folder of the release and the https address of its files'],
  ['without https', () => make(folder, 'http://x'), 2, 'say the folder of the release and the https address'],
  [
    'of a release that has no file for a system',
    () => {
      writeFileSync(join(folder, 'SHA256SUMS'), `${sumOf(names[0]!)}  ${names[0]}\n`)
      return make(folder, address)
    },
    1,
    `Headroom-${version}-x64.msi is not in SHA256SUMS`,
  ],
])('manifests %s are refused in a sentence, and nothing is written', (_, made, status, sentence) => {
  const refused = made()
  expect([refused.status, refused.stderr, readdirSync(folder)]).toEqual([
    status,
    expect.stringContaining(sentence),
    ['SHA256SUMS'],
  ])
})
