import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonFault, parseWithLines } from '../../../electron/core/policy/json-lines.ts'

const faultOf = (text: string): readonly [message: string, line: number] | null => {
  try {
    parseWithLines(text)
    return null
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    return [error.message, error.line]
  }
}

describe('parseWithLines', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat({ max: 4 }), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent)
        expect(parseWithLines(text).value).toEqual(JSON.parse(text))
      }),
    )
  })
  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\0 ax\n'), (json, place, sign) => {
        const at = place % (json.length + 1)
        const text = json.slice(0, at) + sign + json.slice(at)
        let isRefused = false
        try {
          JSON.parse(text)
        } catch {
          isRefused = true
        }
        const fault = faultOf(text)
        expect(fault !== null && !fault[0].endsWith('is there twice')).toBe(isRefused)
      }),
    )
  })
  it('tells the line of each member', () => {
    const { places } = parseWithLines('{\n"a": [\n  1,\n  {"b": 2}\n],\n"c": {}\n}')
    expect(places.map(({ path, line }) => `${path} ${line}`)).toEqual([
      'a 2',
      'a.0 3',
      'a.1 4',
      'a.1.b 4',
      'c 6',
    ])
  })
  it.each<[string, string, number]>([
    ['', 'the document is incomplete', 1],
    ['{\n"a": 1', 'the document is incomplete', 2],
    ['{\n"a": 1,\n}', 'a name in quotes is expected here', 3],
    ['{\n"a"\n1}', '":" is expected here', 3],
    ['{\n"a": yes}', 'a value is expected here', 2],
    ['{\n"a": "x\n"}', 'a text is not closed or not valid', 2],
    ['{}\n{}', 'something follows the end of the document', 2],
    ['{"a": 1,\n"b": 2,\n"a": 1}', '"a" is there twice', 3],
    ['{"x": {"a": 1,\n"\\u0061": 1}}', '"a" is there twice', 2],
    ['['.repeat(30), 'the document has too many levels', 1],
  ])('refuses %j: %s, in line %i', (text, message, line) => {
    expect(faultOf(text)).toEqual([message, line])
  })
})
