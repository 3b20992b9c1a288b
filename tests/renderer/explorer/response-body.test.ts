import { describe, expect, it } from 'vitest'
import { bytesOf, jsonOf, piecesWith } from '../../../renderer/explorer/response-body.ts'

describe('The body of a response', () => {
  it.each<[string, string, unknown]>([
    ['JSON', '{"a":1}', { value: { a: 1 } }],
    ['JSON with a byte order mark', '\uFEFF[1]', { value: [1] }],
    ['a bare null', 'null', { value: null }],
    ['nothing', '', null],
    ['white space', ' \n', null],
    ['a gateway page', '<html><h1>502</h1></html>', null],
    ['JSON that was cut', '{"devices":[{"id"', null],
  ])('%s', (_name, body, expected) => {
    expect(jsonOf(body)).toEqual(expected)
  })

  it('separates matches from the text between them', () => {
    expect(piecesWith('one ONE two', 'one', 10)).toEqual([
      { text: 'one', match: 0 },
      { text: ' ', match: null },
      { text: 'ONE', match: 1 },
      { text: ' two', match: null },
    ])
    expect(piecesWith('aaaa', 'a', 2)).toEqual([
      { text: 'a', match: 0 },
      { text: 'a', match: 1 },
      { text: 'aa', match: null },
    ])
  })

  it.each(['', 'x', 'İstanbul one'])('consists of pieces of "%s" that join to the same text', (text) => {
    expect(
      piecesWith(text, 'one', 10)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  it('has its transferred size', () => {
    expect(bytesOf('Århus')).toBe(6)
  })
})
