import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryOf, originOf, parseEntry } from '../../../electron/core/organizations/key-entry.ts'
import { primaryKey } from './a-home.ts'

test.each([
  [`${primaryKey} https://api.example`, { key: primaryKey, boundTo: 'https://api.example' }],
  [`${primaryKey} https://api.example:8443`, { key: primaryKey, boundTo: 'https://api.example:8443' }],
  [`${primaryKey} http://127.0.0.1:4100`, { key: primaryKey, boundTo: 'http://127.0.0.1:4100' }],
  [`${primaryKey} http://[::1]:4100`, { key: primaryKey, boundTo: 'http://[::1]:4100' }],
  [
    `${primaryKey} https://xn--schlssel-95a.example`,
    { key: primaryKey, boundTo: 'https://xn--schlssel-95a.example' },
  ],
])('%j is parsed as %j', (entry, read) => {
  expect(parseEntry(entry)).toEqual(read)
})

test.each([
  '',
  ' ',
  primaryKey,
  'https://api.example',
  `${primaryKey} `,
  ` ${primaryKey}`,
  `${primaryKey}\n`,
  `${primaryKey}\nhttps://api.example`,
  `${primaryKey}\thttps://api.example`,
  `${primaryKey}  https://api.example`,
  `${primaryKey} https://api.example `,
  `${primaryKey} https://api.example/`,
  `${primaryKey} https://api.example/path`,
  `${primaryKey} https://api.example:443`,
  `${primaryKey} https://API.example`,
  `${primaryKey} https://technician@api.example`,
  `${primaryKey} https://schlüssel.example`,
  `${primaryKey} https://api.example https://elsewhere.example`,
  `${primaryKey} api.example`,
  `${primaryKey} null`,
  `${primaryKey} ftp://api.example`,
  `${primaryKey} file://`,
  `${primaryKey} blob:https://api.example`,
  'schlüssel',
  'x'.repeat(501),
  `${primaryKey}\u0000https://api.example`,
])('%j is not a valid entry', (entry) => {
  expect(parseEntry(entry)).toBeNull()
})

test('any key bound to any origin is parsed unchanged', () => {
  const visible = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 500,
  })
  const origin = fc.webUrl({ validSchemes: ['http', 'https'] }).map((url) => new URL(url).origin)
  fc.assert(
    fc.property(visible, origin, (key, boundTo) => {
      expect(parseEntry(entryOf(key, boundTo))).toEqual({ key, boundTo })
    }),
  )
})

test('any other text is parsed as what would be written that way, or not at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (entry) => {
      const read = parseEntry(entry)
      if (read !== null) expect(entryOf(read.key, read.boundTo)).toBe(entry)
    }),
  )
})

test.each([
  ['https://api.example/path', 'https://api.example'],
  ['http://127.0.0.1:4100/management', 'http://127.0.0.1:4100'],
  ['nothing', null],
  ['', null],
])('a management address %j leads to %j', (managementUrl, origin) => {
  expect([
    originOf({ preset: 'custom', managementUrl }),
    originOf({ preset: 'demonstration', managementUrl }),
  ]).toEqual([origin, null])
})
