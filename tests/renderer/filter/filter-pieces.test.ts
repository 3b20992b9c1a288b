import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoted, parseFilter, termText } from '../../../electron/contract/filter/filter-reader.ts'
import { vocabularies } from '../../../electron/contract/filter/vocabularies.ts'
import { finished, isUnfinished, piecesOf, textOfPieces } from '../../../renderer/filter/filter-pieces.ts'
import { cases } from '../../setup/cases.ts'

const { devices } = vocabularies

/** The meaning of a filter: its terms, regardless of their order, and its problems. */
const meaning = (text: string) => {
  const { terms, problems } = parseFilter(text, devices)
  return {
    terms: terms.map(termText).toSorted(),
    problems: problems.map(({ kind, word }) => `${kind} ${word.trim()}`).toSorted(),
  }
}

/** Filters as people type, paste and damage them. */
const token = fc.oneof(
  fc.constantFrom(
    'status:offline',
    '!tag:spare',
    'room:"Aarhus 3"',
    'age:>7d',
    'fw:<2.1,behind',
    'fw:behind',
    'gone:any',
    'room:""',
    'product:="A, B"',
  ),
  fc.constantFrom(
    'anna',
    '"anna lund"',
    '!old',
    'AA:BB:CC:00:11:22',
    'https://x',
    'stauts:off',
    'age:7',
    'status:',
    'room:"open',
    '"',
    '!',
    '\\',
    ',',
    ':',
  ),
  fc.string({ maxLength: 12 }),
)
const filterText = fc
  .array(fc.tuple(token, fc.constantFrom(' ', '  ', '', '\t')), { maxLength: 8 })
  .map((parts) => parts.map((pair) => pair.join('')).join(''))

describe('chips and text', () => {
  it('never change the meaning of a filter', () => {
    fc.assert(
      fc.property(filterText, (text) => {
        expect(meaning(textOfPieces(piecesOf(text, devices)))).toEqual(meaning(text))
      }),
      { numRuns: cases(2_000) },
    )
  })
  it('never change the filter while the caret moves through it', () => {
    fc.assert(
      fc.property(filterText, fc.nat(60), (text, at) => {
        const left = finished(text, Math.min(at, text.length), devices)
        expect(meaning(textOfPieces(left))).toEqual(meaning(text))
        expect(left.caret).toBeGreaterThanOrEqual(0)
        expect(left.caret).toBeLessThanOrEqual(left.draft.length)
      }),
      { numRuns: cases(2_000) },
    )
  })
  it('return any quoted value unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        const [chip] = piecesOf(`room:${quoted(value)}`, devices).chips
        expect(chip?.term.values).toEqual([value])
      }),
    )
  })
  it('make chips of terms with a key, while free words and errors stay text', () => {
    const { chips, draft } = piecesOf('anna status:offline "Aarhus 3" !tag:spare stauts:off', devices)
    expect({ chips: chips.map(({ text }) => text), draft }).toEqual({
      chips: ['status:offline', '!tag:spare'],
      draft: 'anna "Aarhus 3" stauts:off',
    })
  })
  it('keep a term as text until a blank follows it and the caret is behind', () => {
    const now = (draft: string, caret: number) => {
      const left = finished(draft, caret, devices)
      return [left.chips.map(({ text }) => text).join('|'), left.draft, left.caret]
    }
    expect(now('anna status:offline', 19)).toEqual(['', 'anna status:offline', 19])
    expect(now('anna status:offline ', 20)).toEqual(['status:offline', 'anna ', 5])
    expect(now('status:offline anna', 7)).toEqual(['', 'status:offline anna', 7])
    expect(now('room:"Aarhus ', 13)).toEqual(['', 'room:"Aarhus ', 13])
  })
})

describe('half-typed text', () => {
  it.each([
    ['status:', true],
    ['room:"Aar', true],
    ['fw:beh', true],
    ['gone:y', true],
    ['age:>7', true],
    ['age:7m', true],
    ['stauts:off', false],
    ['gone:x', false],
    ['age:>x', false],
    ['fw:xyz', false],
    ['status: ', false],
  ])('%s is no error yet: %s', (draft, unfinished) => {
    const [problem] = parseFilter(draft, devices).problems
    expect(problem && isUnfinished(problem, draft, draft.length)).toBe(unfinished)
    expect(problem && isUnfinished(problem, draft, null)).toBe(false)
  })
})
