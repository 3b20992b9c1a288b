import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { FilterComparison, FilterProblem, FilterTerm } from '../../../electron/contract/filter/filter.ts'
import {
  keyNamed,
  quoted,
  parseFilter,
  termText,
  withTerm,
} from '../../../electron/contract/filter/filter-reader.ts'
import { deviceVocabulary, vocabularies } from '../../../electron/contract/filter/vocabularies.ts'
import { cases } from '../../setup/cases.ts'

const read = (text: string) => parseFilter(text, deviceVocabulary)
/** A term in short: the text it covers, then its parsed form. */
const short = (
  text: string,
  { start, end, negated, key, comparison, values }: FilterTerm,
): readonly unknown[] => [text.slice(start, end), `${negated ? '!' : ''}${key ?? ''}`, comparison, ...values]
const problem = (text: string, { start, end, kind, word }: FilterProblem): readonly unknown[] => [
  text.slice(start, end),
  kind,
  word,
]

describe('a filter that can be parsed', () => {
  it.each<readonly [text: string, terms: readonly (readonly unknown[])[]]>([
    ['', []],
    [' \t\n ', []],
    ['anna', [['anna', '', 'has', 'anna']]],
    ['"anna b"', [['"anna b"', '', 'has', 'anna b']]],
    ['!anna', [['!anna', '!', 'has', 'anna']]],
    [
      'anna bo',
      [
        ['anna', '', 'has', 'anna'],
        ['bo', '', 'has', 'bo'],
      ],
    ],
    ['status:offline', [['status:offline', 'status', 'has', 'offline']]],
    ['STATUS:Offline', [['STATUS:Offline', 'status', 'has', 'Offline']]],
    ['!status:offline,online', [['!status:offline,online', '!status', 'has', 'offline', 'online']]],
    ['room:"Aarhus 3",Oslo', [['room:"Aarhus 3",Oslo', 'room', 'has', 'Aarhus 3', 'Oslo']]],
    ['room:"say \\"hi\\""', [['room:"say \\"hi\\""', 'room', 'has', 'say "hi"']]],
    ['room:"C:\\\\x"', [['room:"C:\\\\x"', 'room', 'has', 'C:\\x']]],
    ['room:""', [['room:""', 'room', 'has', '']]],
    ['product:="Jabra Evolve2 65"', [['product:="Jabra Evolve2 65"', 'product', 'is', 'Jabra Evolve2 65']]],
    ['fw:<2.1', [['fw:<2.1', 'fw', '<', '2.1']]],
    ['fw:>=2.1', [['fw:>=2.1', 'fw', '>=', '2.1']]],
    ['firmware:behind', [['firmware:behind', 'fw', 'has', 'behind']]],
    ['age:>7d', [['age:>7d', 'age', '>', '7d']]],
    ['room:a,,b,', [['room:a,,b,', 'room', 'has', 'a', 'b']]],
    [
      'room:ab"c"',
      [
        ['room:ab', 'room', 'has', 'ab'],
        ['"c"', '', 'has', 'c'],
      ],
    ],
    // Addresses are words, not keys with a value.
    ['00:1a:2b:3c:4d:5e', [['00:1a:2b:3c:4d:5e', '', 'has', '00:1a:2b:3c:4d:5e']]],
    ['ab:cd:ef', [['ab:cd:ef', '', 'has', 'ab:cd:ef']]],
    ['!ab:cd', [['!ab:cd', '!', 'has', 'ab:cd']]],
    ['mac:00:1A:2B', [['mac:00:1A:2B', 'mac', 'has', '00:1A:2B']]],
    ['https://x.example/a?b=c', [['https://x.example/a?b=c', '', 'has', 'https://x.example/a?b=c']]],
    ['12:30', [['12:30', '', 'has', '12:30']]],
    [':', [[':', '', 'has', ':']]],
    ['-', [['-', '', 'has', '-']]],
    ['a,b', [['a,b', '', 'has', 'a,b']]],
    [
      '🎧 name:🎧',
      [
        ['🎧', '', 'has', '🎧'],
        ['name:🎧', 'name', 'has', '🎧'],
      ],
    ],
    [
      'a\u0000b',
      [
        ['a', '', 'has', 'a'],
        ['b', '', 'has', 'b'],
      ],
    ],
    [
      'name:a\u0007b',
      [
        ['name:a', 'name', 'has', 'a'],
        ['b', '', 'has', 'b'],
      ],
    ],
    ['"a\u0007b"', [['"a\u0007b"', '', 'has', 'a\u0007b']]],
    ['! anna', [['anna', '', 'has', 'anna']]],
    ['!!anna', [['!!anna', '!', 'has', '!anna']]],
    ['""', []],
  ])('%j', (text, terms) => {
    const reading = read(text)
    expect([reading.terms.map((term) => short(text, term)), reading.problems]).toEqual([terms, []])
  })

  it('parses numbers and the comparison before them', () => {
    const numbers = (text: string) => read(text).terms[0]?.numbers
    expect(
      [
        'age:>7d',
        'age:<=1.5h',
        'age:>2mo',
        'pid:9395',
        'pid:0x24b3',
        'pid:24b3',
        'pid:5000000000',
        'pid:-1',
        'pid:""',
        'room:3',
      ].map(numbers),
    ).toEqual([
      [604_800_000],
      [5_400_000],
      [5_184_000_000],
      [9395],
      [9395],
      [9395],
      [5_000_000_000],
      [-1],
      [null],
      [null],
    ])
  })
})

describe('a filter that cannot be parsed', () => {
  it.each<readonly [text: string, problems: readonly (readonly unknown[])[]]>([
    ['"anna', [['"anna', 'quote-not-closed', 'anna']]],
    ['anna "bo', [['"bo', 'quote-not-closed', 'bo']]],
    ['room:"Aarhus', [['"Aarhus', 'quote-not-closed', 'Aarhus']]],
    ['room:"a\\"', [['"a\\"', 'quote-not-closed', 'a"']]],
    ['room:a,"b', [['"b', 'quote-not-closed', 'b']]],
    ['a:b', [['a', 'unknown-key', 'a']]],
    ['nme:x', [['nme', 'unknown-key', 'nme']]],
    ['!nme:x', [['nme', 'unknown-key', 'nme']]],
    ['constructor:x', [['constructor', 'unknown-key', 'constructor']]],
    ['status:', [['status:', 'value-missing', '']]],
    ['status:,', [['status:,', 'value-missing', '']]],
    ['fw:<', [['fw:<', 'value-missing', '']]],
    ['!room:=', [['!room:=', 'value-missing', '']]],
    ['fw:<""', [['<""', 'value-missing', '']]],
    ['fw:<x', [['<x', 'bad-version', 'x']]],
    ['fw:<behind', [['<behind', 'comparison-not-taken', 'behind']]],
    ['room:<3', [['<3', 'comparison-not-taken', '3']]],
    ['age:7d', [['7d', 'comparison-missing', '7d']]],
    ['age:>soon', [['>soon', 'bad-age', 'soon']]],
    ['age:>7', [['>7', 'bad-age', '7']]],
    ['pid:xyz', [['xyz', 'bad-number', 'xyz']]],
    ['pid:>9', [['>9', 'comparison-not-taken', '9']]],
    ['gone:perhaps', [['perhaps', 'unknown-choice', 'perhaps']]],
    ['gone:<no', [['<no', 'comparison-not-taken', 'no']]],
    ['id:""', [['""', 'never-missing', '']]],
    ['status:online fw:2.1,x,2', [['x', 'bad-version', 'x']]],
    [
      'a:b c:d',
      [
        ['a', 'unknown-key', 'a'],
        ['c', 'unknown-key', 'c'],
      ],
    ],
  ])('%j', (text, problems) => {
    expect(read(text).problems.map((one) => problem(text, one))).toEqual(problems)
  })

  it('still applies its valid terms', () => {
    const text = 'status:online nme:x fw:<2 age:soon anna'
    expect(read(text).terms.map((term) => text.slice(term.start, term.end))).toEqual([
      'status:online',
      'fw:<2',
      'anna',
    ])
  })

  it.each([
    ['rom:x', ['room']],
    ['statu:x', ['status']],
    ['usr:x', ['user']],
    ['produkt:x', ['product']],
  ])('%s: suggests the nearest key first', (text, [nearest]) => {
    expect(read(text).problems[0]?.expected[0]).toBe(nearest)
  })

  it('lists what would be accepted', () => {
    expect(
      ['gone:ye', 'fw:x', 'age:7d', 'pid:x', 'status:'].map((text) => read(text).problems[0]?.expected),
    ).toEqual([
      ['yes', 'no', 'any'],
      ['2.1', '<2.1.0', 'current', 'behind', 'ahead', 'revoked', 'unknown', 'by-service', 'contradicted'],
      ['>7d', '<7d'],
      ['9395', '0x24B3'],
      ['online', 'offline', 'rebooting', 'unknown'],
    ])
  })

  it('ignores text beyond 2,000 characters and terms beyond 50', () => {
    expect([
      read('x'.repeat(2_001)),
      read('x'.repeat(2_000)).problems,
      // Each is folded to eighteen letters.
      read('ﷺ'.repeat(200)).problems.map(({ kind }) => kind),
      read('a '.repeat(50)).problems,
    ]).toEqual([
      { terms: [], problems: [{ start: 2_000, end: 2_001, kind: 'too-long', word: '', expected: [] }] },
      [],
      ['too-long'],
      [],
    ])
    expect(read('a '.repeat(51))).toMatchObject({
      terms: { length: 50 },
      problems: [{ start: 100, end: 102, kind: 'too-long' }],
    })
  })

  it('ignores values beyond 200 in one term', () => {
    expect([
      read(`id:${Array.from({ length: 200 }, () => 'a').join(',')}`).problems,
      read(`id:${Array.from({ length: 201 }, () => 'a').join(',')}`),
    ]).toMatchObject([[], { terms: [], problems: [{ start: 3, end: 404, kind: 'too-long' }] }])
  })
})

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        '!',
        ':',
        '<',
        '=',
        '>',
        ',',
        '\\',
        ' ',
        'fw',
        'room',
        'age',
        'gone',
        '2.1',
        '7d',
        'yes',
        'a',
        '\u0000',
        '🎧',
        '\n',
      ),
      {
        maxLength: 20,
      },
    )
    .map((pieces) => pieces.join('')),
)
const vocabulary = fc.constantFrom(...Object.values(vocabularies))

test('never throws for any text; terms and problems are inside the text, in order, without overlap', () => {
  fc.assert(
    fc.property(anything, vocabulary, (text, words) => {
      const { terms, problems } = parseFilter(text, words)
      const places = [...terms, ...problems]
        .map(({ start, end }) => [start, end] as const)
        .sort((a, b) => a[0] - b[0])
      let after = 0
      for (const [start, end] of places) {
        expect(start).toBeGreaterThanOrEqual(after)
        expect(end).toBeGreaterThan(start)
        after = end
      }
      expect(after).toBeLessThanOrEqual(text.length)
    }),
    { numRuns: cases(5_000) },
  )
})

test('parses the text of a term as the same term', () => {
  fc.assert(
    fc.property(anything, vocabulary, (text, words) => {
      for (const term of parseFilter(text, words).terms) {
        const written = termText(term)
        const again = parseFilter(written, words)
        expect([again.problems, again.terms]).toEqual([[], [{ ...term, start: 0, end: written.length }]])
      }
    }),
    { numRuns: cases(5_000) },
  )
})

test('finds any text again as a value, and as a free word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), (value) => {
      const { terms } = read(
        `room:=${quoted(value)} ${value.trim() === '' ? '' : termText({ negated: false, key: null, comparison: 'has', values: [value] })}`,
      )
      expect(terms.map((term) => term.values)).toEqual(value.trim() === '' ? [[value]] : [[value], [value]])
    }),
    { numRuns: cases(2_000) },
  )
})

describe('replacing a term', () => {
  const offline = {
    negated: false,
    key: 'status',
    comparison: 'has' as FilterComparison,
    values: ['offline'],
  }
  it.each([
    ['', 'status:offline'],
    ['anna', 'anna status:offline'],
    ['status:online anna', 'anna status:offline'],
    ['anna status:online,unknown room:"a  b" !status:x', 'anna room:"a  b" status:offline'],
    ['nme:x status:online', 'nme:x status:offline'],
    ['status:online "anna', 'status:offline "anna'],
  ])('%j becomes %j', (text, expected) => {
    expect(withTerm(text, deviceVocabulary, 'status', offline)).toBe(expected)
  })

  it('removes the whole term', () => {
    expect(withTerm('a status:online b', deviceVocabulary, 'status', null)).toBe('a b')
  })

  it('keeps only that term of its key, and everything else unchanged', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const before = read(text)
        fc.pre(before.problems.length === 0 && before.terms.length < 50)
        const after = read(withTerm(text, deviceVocabulary, 'status', offline))
        const kept = (term: FilterTerm) => ({ ...term, start: 0, end: 0 })
        expect([after.problems, after.terms.map(kept)]).toEqual([
          [],
          [
            ...before.terms.filter((term) => term.key !== 'status').map(kept),
            { ...offline, numbers: [null], start: 0, end: 0 },
          ],
        ])
      }),
      { numRuns: cases(2_000) },
    )
  })
})

test('gives every key and alias to one field only', () => {
  for (const words of Object.values(vocabularies)) {
    const names = words.flatMap(({ key, aliases }) => [key, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const one of words)
      for (const name of [one.key, ...one.aliases]) expect(keyNamed(words, name.toUpperCase())).toBe(one)
  }
})
