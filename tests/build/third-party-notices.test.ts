import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noticesOf, packageFolderOf, shippedFolders } from '../../build/third-party-notices.mjs'

const root = resolve(import.meta.dirname, '../..')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-notices-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function aPackage(
  name: string,
  license: string | undefined,
  files: Readonly<Record<string, string>> = {},
): string {
  const made = join(folder, name.replace('/', '-'))
  mkdirSync(made)
  for (const [file, text] of Object.entries({
    'package.json': JSON.stringify({ name, version: '1.2.3', license }),
    ...files,
  }))
    writeFileSync(join(made, file), text)
  return made
}

test('names each package once, sorted, with its licence texts', () => {
  const zebra = aPackage('zebra', 'MIT', { 'LICENSE.md': 'the licence of zebra', 'readme.md': 'no licence' })
  const ant = aPackage('@a/ant', 'Apache-2.0', { LICENCE: 'the licence of ant', NOTICE: 'the notice of ant' })
  const manifest = { name: 'named', version: '1.2.3', license: 'MIT', author: 'Ann <ann@example.com>' }
  const named = aPackage('named', 'MIT', { 'package.json': JSON.stringify(manifest) })
  const [, ...notices] = noticesOf(root, [zebra, ant, zebra, aPackage('bare', 'ISC'), named]).split(
    /\n\n-{80}\n\n/,
  )
  const standard = (name: string): string =>
    readFileSync(join(root, `build/licences/${name}.txt`), 'utf8').trim()
  expect(notices).toEqual([
    '@a/ant 1.2.3 (Apache-2.0)\n\nthe licence of ant\nthe notice of ant',
    `bare 1.2.3 (ISC)\n\nThe package holds no licence text. Copyright its author. This is the text of ISC:\n\n${standard('ISC')}`,
    `named 1.2.3 (MIT)\n\nThe package holds no licence text. Copyright Ann <ann@example.com>. This is the text of MIT:\n\n${standard('MIT')}`,
    'zebra 1.2.3 (MIT)\n\nthe licence of zebra',
  ])
})

test('stops at a licence that is not allowed, and names it', () => {
  const folders = [aPackage('good', 'MIT'), aPackage('copyleft', 'GPL-3.0'), aPackage('none', undefined)]
  expect(() => noticesOf(root, folders)).toThrow('copyleft 1.2.3: GPL-3.0, none 1.2.3: no licence')
})

test('stops at a package without a licence text whose licence has no text here', () => {
  expect(() => noticesOf(root, [aPackage('bare', 'Apache-2.0')])).toThrow(
    'holds no licence text, and build/licences has none of Apache-2.0.',
  )
})

test.each([
  ['/r/node_modules/vue/dist/vue.js', '/r/node_modules/vue'],
  ['/r/node_modules/@vue/runtime-dom/dist/x.js?v=1', '/r/node_modules/@vue/runtime-dom'],
  ['/r/node_modules/reka-ui/node_modules/tslib/tslib.es6.js', '/r/node_modules/reka-ui/node_modules/tslib'],
  ['C:\\r\\node_modules\\vue\\dist\\vue.js', 'C:\\r\\node_modules\\vue'],
  ['\0/r/node_modules/vue/index.js', '/r/node_modules/vue'],
  ['/r/renderer/App.vue', null],
  ['\0plugin-vue:export-helper', null],
])('assigns the bundled file %j to the package %j', (id, of) => {
  expect(packageFolderOf(id)).toBe(of)
})

test('allows the licence of every package beside the built files, except the Node of the clone', () => {
  const notices = noticesOf(root, shippedFolders(root))
  expect(
    ['@github/keytar', '@gnaudio/jabra-properties-definition'].filter(
      (name) => !notices.includes(`\n${name} `),
    ),
  ).toEqual([])
  expect(notices).not.toMatch(/^node-(?:linux|win)/m)
})
