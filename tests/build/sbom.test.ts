import { expect, test } from 'vitest'
import { sbomOf } from '../../build/sbom.mjs'

const manifest = { name: 'headroom', version: '1.0.0', license: 'MIT' }
const lock = {
  packages: {
    'node_modules/zod': { version: '4.6.7', license: 'MIT', integrity: 'sha512-AAEC' },
    'node_modules/keytar': {
      name: '@github/keytar',
      version: '7.10.6',
      license: 'MIT',
      integrity: 'sha512-/w==',
    },
    'node_modules/a/node_modules/@b/c': { version: '1.2.3', license: 'ISC', integrity: 'sha512-AA==' },
    'node_modules/@b/c': { version: '1.2.3', license: 'ISC', integrity: 'sha512-AA==' },
    'node_modules/bare': { version: '1.0.0', license: 'MIT' },
  },
}

test('names each package once by its real name, with licence and the hash of the lock file, and each runtime as shipped', () => {
  const { components } = sbomOf({
    manifest,
    lock,
    packages: [
      'node_modules/zod',
      'node_modules/keytar',
      'node_modules/@b/c',
      'node_modules/a/node_modules/@b/c',
    ],
    runtimes: [
      { name: 'node', version: '24.21.0', license: 'MIT', system: 'linux-x64', bytes: Buffer.from('node') },
    ],
  })
  expect(
    components.map(({ type, purl, licenses, hashes }) => [
      type,
      purl,
      licenses[0]?.license.id,
      hashes[0]?.content,
    ]),
  ).toEqual([
    [
      'platform',
      'pkg:generic/node@24.21.0?system=linux-x64',
      'MIT',
      '545ea538461003efdc8c81c244531b003f6f26cfccf6c0073b3239fdedf49446',
    ],
    ['library', 'pkg:npm/%40b/c@1.2.3', 'ISC', '00'],
    ['library', 'pkg:npm/%40github/keytar@7.10.6', 'MIT', 'ff'],
    ['library', 'pkg:npm/zod@4.6.7', 'MIT', '000102'],
  ])
})

test.each([
  ['node_modules/gone', 'node_modules/gone is not in the lock file'],
  ['node_modules/bare', 'a package of the lock file has no hash'],
])('refuses %s', (path, sentence) => {
  expect(() => sbomOf({ manifest, lock, packages: [path], runtimes: [] })).toThrow(sentence)
})
