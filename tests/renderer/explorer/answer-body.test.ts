import { describe, expect, it } from 'vitest'
import { bytesOf, jsonOf, piecesWith } from '../../../renderer/explorer/answer-body.ts'

describe('The body of an answer', () => {
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

  it('tells matches apart from what is between them', () => {
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

  it.each(['', 'x', 'İstanbul one'])('joined, the pieces of "%s" are the text again', (text) => {
    expect(
      piecesWith(text, 'one', 10)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text)
  })

  it('is as large as it travelled', () => {
    expect(bytesOf('Århus')).toBe(6)
  })
})
