import { describe, expect, it } from 'vitest'
import { anyOf, limitsInCell, limitsOf, restartWord } from '../../../renderer/settings/property-text.ts'

const none = { allowed: [], minimum: null, maximum: null, minLength: null, maxLength: null }

describe('the allowed values of a property as text', () => {
  it.each([
    [none, null],
    [{ ...none, allowed: ['on', 'off'] }, 'on, off'],
    [{ ...none, allowed: ['1', '2', '3', '4', '5', '6', '7', '8'] }, '1, 2, 3, 4, 5, 6 and 2 more'],
    [{ ...none, minimum: 0, maximum: 10 }, '0 to 10'],
    [{ ...none, minimum: -3 }, 'from -3'],
    [{ ...none, maximum: 255 }, 'up to 255'],
    [{ ...none, minLength: 1, maxLength: 32 }, '1 to 32 characters'],
    [{ ...none, maxLength: 32 }, 'up to 32 characters'],
    [{ ...none, minLength: 4 }, 'at least 4 characters'],
    [{ ...none, minLength: 1 }, 'at least 1 character'],
    [{ ...none, maxLength: 1 }, 'up to 1 character'],
    [{ ...none, minLength: 0, maxLength: 1 }, '0 to 1 character'],
  ])('%o: %s', (property, words) => expect(limitsOf(property)).toBe(words))

  it.each([
    [['on', 'off'], 'on, off'],
    [['simplemode_panoramicviewmanual', 'simplemode_dynamic', 'raw'], '3 values'],
    [['a value that is longer than a cell by itself'], '1 value'],
  ])('are counted in a cell that would cut them: %o: %s', (allowed, words) =>
    expect(limitsInCell({ ...none, allowed })).toBe(words),
  )

  it('are all of a type without limits', () =>
    expect([anyOf('Boolean'), anyOf('integer')]).toEqual(['on or off', 'not restricted']))

  it('do not mention a restart that is not documented', () =>
    expect([restartWord(true), restartWord(false), restartWord(null)]).toEqual([
      'yes',
      'no',
      'not specified',
    ]))
})
