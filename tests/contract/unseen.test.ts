import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonLine, withUnseenEscaped } from '../../electron/contract/unseen.ts'

test.each([
  ['plain text, æøå 漢字 🎧', 'plain text, æøå 漢字 🎧'],
  ['\u001b]52;c;aGk=\u0007', '\\u001b]52;c;aGk=\\u0007'],
  ['\u009b2J', '\\u009b2J'],
  ['a\r\nb\tc\u007f', 'a\\u000d\\u000ab\\u0009c\\u007f'],
  ['\u202eexe.gpj', '\\u202eexe.gpj'],
  ['a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
  ['\u200b\u2066\ufeff', '\\u200b\\u2066\\ufeff'],
  ['\u{E0041}', '\\udb40\\udc41'],
])('an invisible character is written as a number: %j', (text, shown) => {
  expect(withUnseenEscaped(text)).toBe(shown)
})

test('a JSON document is unchanged and one line', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (document) => {
      const line = jsonLine(document)
      expect([JSON.parse(line), line.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu)]).toEqual([
        JSON.parse(JSON.stringify(document)),
        ['\n'],
      ])
    }),
  )
})
