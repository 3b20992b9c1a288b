import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../electron/contract/json.ts'
import { KnownKeys } from '../../../electron/core/organizations/known-keys.ts'

const knowing = (...keys: readonly string[]): KnownKeys => {
  const known = new KnownKeys()
  for (const key of keys) known.add(key)
  return known
}
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const hex = (text: string): string => Buffer.from(text).toString('hex')
const percent = (text: string): string => text.replaceAll(/./g, (one) => `%${hex(one)}`)
const jsonEscapes = (text: string): string => text.replaceAll(/./g, (one) => `\\u00${hex(one)}`)

/** Keys in the form of the portal. */
const key = 'feedc0de5e47e1e15e47E1E1feedc0de'
/** Every character that some notation escapes. */
const awkward = 'aB"c\\d/e%f+g=h&i<j>k?l#m~n'

describe('a key in a text is found', () => {
  test.each<[string, string, string]>([
    ['as it is', key, '[subscription key]'],
    ['in upper case', key.toUpperCase(), '[subscription key]'],
    ['in lower case, as a host', `http://${key.toLowerCase()}/`, 'http://[subscription key]/'],
    ['between letters', `x${key}y`, 'x[subscription key]y'],
    ['twice', `${key}${key}`, '[subscription key][subscription key]'],
    ['completely percent-encoded', percent(key), '[subscription key]'],
    [
      'partly percent-encoded',
      `a=${key.slice(0, 5)}${percent(key.slice(5, 7))}${key.slice(7)}&b`,
      'a=[subscription key]&b',
    ],
    ['percent-encoded twice', encodeURIComponent(percent(key)), '[subscription key]'],
    ['percent-encoded in upper case', percent(key).toUpperCase(), '[subscription key]'],
    ['with JSON escapes', `"${jsonEscapes(key)}"`, '"[subscription key]"'],
    ['with some JSON escapes', `"${key.slice(0, 30)}${jsonEscapes(key.slice(30))}"`, '"[subscription key]"'],
    [
      'with JSON escapes inside JSON',
      JSON.stringify(`"${jsonEscapes(key)}"`),
      String.raw`"\"[subscription key]\""`,
    ],
    ['with the escapes of a script', key.replaceAll(/./g, (one) => `\\x${hex(one)}`), '[subscription key]'],
    ['in hexadecimal', hex(key), '[subscription key]'],
    ['in hexadecimal of upper case', hex(key.toUpperCase()).toUpperCase(), '[subscription key]'],
    ['in hexadecimal with spaces', hex(key).replaceAll(/..(?!$)/g, '$& '), '[subscription key]'],
    ['in base64', base64(key), '[subscription key]'],
    ['in base64 of lower case', base64(key.toLowerCase()), '[subscription key]'],
    ['in base64 of upper case', base64(key.toUpperCase()), '[subscription key]'],
    ['in base64 without padding', base64(key).replace(/=+$/, ''), '[subscription key]'],
    ['in base64 with the padding percent-encoded', encodeURIComponent(base64(key)), '[subscription key]'],
  ])('%s', (_, text, clean) => {
    expect(knowing(key).text(text)).toBe(clean)
  })

  test.each([1, 2, 3, 4, 5, 6])('in base64 of a longer text, %i characters into it', (at) => {
    const clean = knowing(key).text(base64(`${'u'.repeat(at)}${key}:and more behind it`))
    const reported = Buffer.from(clean.replace('[subscription key]', ''), 'base64').toString('latin1')
    expect({
      marked: clean.includes('[subscription key]'),
      begin: reported.includes(key.slice(2, 6)),
      end: reported.includes(key.slice(-6, -2)),
    }).toEqual({ marked: true, begin: false, end: false })
  })

  test.each<[string, (text: string) => string]>([
    ['as it is', (text) => text],
    ['percent-encoded', encodeURIComponent],
    ['inside JSON', (text) => JSON.stringify(text).slice(1, -1)],
    ['inside JSON inside JSON', (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1)],
    ['with JSON escapes, percent-encoded', (text) => encodeURIComponent(jsonEscapes(text))],
    ['inside JSON, percent-encoded', (text) => encodeURIComponent(JSON.stringify(text).slice(1, -1))],
    ['in base64', base64],
    ['in base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
    ['in base64 inside JSON of a service that escapes /', (text) => base64(text).replaceAll('/', '\\/')],
    ['in hexadecimal', hex],
  ])('with every awkward character, %s', (_, spell) => {
    expect(knowing(awkward).text(`(${spell(awkward)})`)).toBe('([subscription key])')
  })

  test('for any key, however its characters are encoded', () => {
    const spelled = fc.array(
      fc.constantFrom(
        percent,
        jsonEscapes,
        (one: string) => one,
        (one: string) => one.toUpperCase(),
      ),
      { minLength: 8, maxLength: 60 },
    )
    const character = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
    fc.assert(
      fc.property(
        spelled.chain((ways) =>
          fc.tuple(
            fc.constant(ways),
            fc.array(character, { minLength: ways.length, maxLength: ways.length }),
          ),
        ),
        ([ways, characters]) => {
          const text = characters.map((one, index) => ways[index]!(one)).join('')
          expect(knowing(characters.join('')).text(`${text}`)).toBe('[subscription key]')
        },
      ),
    )
  })

  test('also when another key is a prefix of it', () => {
    expect(knowing(key, `${key}-and-more`).text(`${key}-and-more, ${key}`)).toBe(
      '[subscription key], [subscription key]',
    )
  })

  test('and a short key only where the match is certain', () => {
    expect(knowing('a"b c'.replace(' ', '%')).text('a"b%c a\\"b%c a%22b%25c A"B%C YSJiJWM=')).toBe(
      '[subscription key] [subscription key] [subscription key] A"B%C YSJiJWM=',
    )
  })
})

test.each([
  ['no key is known', knowing(), `${key} %66 \\u0066`],
  [
    'the text holds a part of one',
    knowing(key),
    `${key.slice(1)} ${key.slice(0, -1)} ${base64(key).slice(0, 20)} 100 % \\`,
  ],
  ['the text is long and full of escapes', knowing(key), `${'\\'.repeat(20_000)}${'%25'.repeat(20_000)}`],
])('a text stays unchanged where %s', (_, known, text) => {
  expect(known.text(text)).toBe(text)
})

describe('in service data', () => {
  const cleaned = (known: KnownKeys, json: Json): Json => known.json(json, JSON.stringify(json))

  test('a key is removed from values and names at any depth, and the rest is unchanged', () => {
    const json = {
      items: [
        {
          id: 'd1',
          name: key,
          note: `is ${base64(key)}`,
          [`x-${key}`]: [1, null, true, { deep: key.toUpperCase() }],
        },
      ],
      token: 'abc',
    }
    expect(cleaned(knowing(key), json)).toEqual({
      items: [
        {
          id: 'd1',
          name: '[subscription key]',
          note: 'is [subscription key]',
          'x-[subscription key]': [1, null, true, { deep: '[subscription key]' }],
        },
      ],
      token: 'abc',
    })
  })

  test('a key written with escapes is found', () => {
    const text = `{"name":"${jsonEscapes(key)}"}`
    expect(knowing(key).json(JSON.parse(text) as Json, text)).toEqual({ name: '[subscription key]' })
  })

  test.each([
    ['without a key', key, { name: 'Aarhus' }],
    [
      'with a key of fifteen characters, as serial numbers have them',
      'ABCDEF012345678',
      { serialNumber: 'ABCDEF012345678' },
    ],
  ])('%s nothing is copied', (_, known, json) => {
    expect(cleaned(knowing(known), json)).toBe(json)
  })

  test('a key of sixteen characters is removed', () => {
    expect(cleaned(knowing('ABCDEF0123456789'), { serialNumber: 'ABCDEF0123456789' })).toEqual({
      serialNumber: '[subscription key]',
    })
  })
})
