import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileNameOf } from '../../../electron/core/downloads/file-name.ts'
import { cases } from '../../setup/cases.ts'

const named = (
  product: string,
  version = '1.2.3',
  url = 'https://files.example.com/a.zip',
  buildType = 'Release',
): string => fileNameOf({ product, version, buildType, url })

describe('the name of a file', () => {
  test.each([
    ['Jabra Link 380a 1.2.3.zip', named('Jabra Link 380a')],
    ['Jabra Link 380a 1.2.3 Beta.zip', named('Jabra Link 380a', '1.2.3', 'https://a.example/x.zip', 'Beta')],
    ['Jabra Link 380a 1.2.3.zip', named('Jabra Link 380a', '1.2.3', 'https://a.example/x.zip', 'release')],
    ['-..-x 1.2.3.zip', named(String.raw`..\..\x`)],
    ['_CON. 1.2.3.zip', named('CON.')],
    ['_nul.zip', named('', 'nul')],
    ['CON 1.2.3.zip', named('CON')],
    ['a b c 1.2.3.zip', named('a\tb\u202Ec')],
    ['a-b-c-d- 1.2.3.zip', named('a:b*c?d"')],
    ['firmware.zip', named('', '')],
  ])('%s', (expected, name) => {
    expect(name).toBe(expected)
  })

  test.each([
    ['.zip', 'https://a.example/JABRA_SPEAK2%2055_OTA_V1.6.4.zip?sig=a.exe'],
    ['.dfu', 'https://a.example/x.DFU'],
    ['.bin', 'https://a.example/x.exe'],
    ['.bin', 'https://a.example/x.zip%0A.sh'],
    ['.bin', 'https://a.example/x'],
    ['.bin', 'https://a.example/.zip'],
    ['.bin', 'https://a.example/x.endless-ending'],
    ['.bin', 'https://a.example/..%5C..%5Cx.lnk'],
    ['.zip', 'https://a.example/..%5C..%5Cx.zip'],
    ['.zip', 'https://a.example/CON.zip'],
    ['.bin', 'https://a.example/%E0%A4%A'],
  ])('accepts %s of %s', (ending, url) => {
    expect(named('Jabra', '1', url)).toBe(`Jabra 1${ending}`)
  })

  test('of 300 letters keeps version, build type and ending', () => {
    const name = named('x'.repeat(300), '1.2.3', 'https://a.example/x.zip', 'Beta')
    expect([name.length, name.slice(-20)]).toEqual([120, 'xxxxx 1.2.3 Beta.zip'])
  })

  test('is valid on exFAT and Windows for any service data', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 400 }),
          fc.constantFrom('CON', 'nul.txt', 'com1', 'LPT9. ', '..'),
        ),
        fc.string({ unit: 'binary', maxLength: 120 }),
        fc.string({ unit: 'binary', maxLength: 40 }),
        (product, version, last) => {
          const url = `https://a.example/${encodeURIComponent(last.toWellFormed())}`
          const name = fileNameOf({ product, version, buildType: 'Release', url })
          expect(name.length).toBeLessThanOrEqual(120)
          expect(Buffer.byteLength(`${name}.part`)).toBeLessThanOrEqual(255)
          expect(name).toMatch(/^[^<>:"/\\|?*\p{Cc}\p{Cs}]+\.[a-z0-9]{1,8}$/u)
          expect(name).not.toMatch(/^[. ]|^(?:con|prn|aux|nul|com\d|lpt\d)\s*\./i)
        },
      ),
      { numRuns: cases(2_000) },
    )
  })
})
