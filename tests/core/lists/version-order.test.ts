import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareVersions,
  isVersion,
  versionBeginnings,
  versionKey,
} from '../../../electron/core/lists/version-order.ts'
import { cases } from '../../setup/cases.ts'

const dotted = fc.array(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'))
const anyVersion = fc.oneof(
  dotted,
  fc
    .tuple(dotted, fc.constantFrom('-rc1', '-rc10', 'RC2', '-beta', '+7', ' ', '_'))
    .map(([v, suffix]) => v + suffix),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '  ',
    'v1.2',
    'latest',
    '１.２',
    '1..2',
    '.',
    '9'.repeat(200),
    '\u0000',
    '\ud800',
    '\uffff',
    '😀',
  ),
)

/** The same order, computed in another way: part by part, as BigInt. */
function numberByNumber(a: string, b: string): number {
  const left = a.split('.').map(BigInt)
  const right = b.split('.').map(BigInt)
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0n) - (right[i] ?? 0n)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  return 0
}

describe('version order', () => {
  it.each([
    ['4.2.0.21', '4.2.0.9'],
    ['1.10.0', '1.2.0'],
    ['2.0.0', '1.99.99'],
    ['4.2.0.1', '4.2.0'],
    ['1.2.0', '1.2.0-rc1'],
    ['1.2.0-rc10', '1.2.0-rc2'],
    ['1.2.0-rc1', '1.2.0-beta9'],
    ['1.2.0-rc1', '1.1.9'],
    ['1.2.0.1-rc1', '1.2.0'],
    ['0.0.1', 'latest'],
    ['0', 'zzz'],
    ['b', 'a'],
    ['a', ''],
    ['18446744073709551617.0', '18446744073709551616.9'],
    ['0.0', '9'.repeat(200)],
  ])('puts %s after %s', (later, earlier) => {
    expect([compareVersions(later, earlier), compareVersions(earlier, later)]).toEqual([1, -1])
  })

  it.each([
    ['1.2', '1.2.0'],
    ['1.02.0', '1.2.0'],
    ['v2.9.2', '2.9.2'],
    [' 2.9.2\n', '2.9.2'],
    ['1.2.0-RC1', '1.2.0-rc1'],
    ['1.2.0+build7', '1.2.0'],
    ['0.0.0', '0'],
    ['', null],
  ])('treats %s and %s as equal', (a, b) => {
    expect(compareVersions(a, b)).toBe(0)
  })

  it.each([
    ['1.16.0', true],
    ['4.2.0.21', true],
    ['1.2.0-rc1', true],
    ['', false],
    ['latest', false],
    ['-1', false],
  ])('decides whether %s is a version: %s', (text, expected) => {
    expect(isVersion(text)).toBe(expected)
  })

  it('compares dotted numbers number by number, in any length', () => {
    fc.assert(
      fc.property(dotted, dotted, (a, b) => compareVersions(a, b) === numberByNumber(a, b)),
      { numRuns: cases(2_000) },
    )
  })

  it('is total and transitive for any text', () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, anyVersion, (a, b, c) => {
        expect(compareVersions(a, a)).toBe(0)
        expect(compareVersions(a, b)).toBe(0 - compareVersions(b, a))
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: cases(3_000) },
    )
  })

  it('has keys of printable ASCII, so that SQLite and JavaScript sort alike', () => {
    fc.assert(
      fc.property(anyVersion, (text) => /^[ -~]+$/.test(versionKey(text))),
      { numRuns: cases(2_000) },
    )
  })
})

describe('the prefixes of a version', () => {
  const names = (text: string, version: string): boolean =>
    versionBeginnings(text).some((beginning) => versionKey(version).startsWith(beginning))

  it.each<[string, readonly string[], readonly string[]]>([
    ['2.0', ['2.0', '2.0.0', '2.0-rc1', '2.0.7', '2.0.0.1', 'v2.0'], ['2.1', '20.0', '1.2.0']],
    ['2.10', ['2.10', '2.10.4', '2.10-beta'], ['2.1', '2.100', '2.9']],
    ['2', ['2', '2.0', '2.9.9', '2-rc1'], ['20', '1.2']],
    ['2.0-rc1', ['2.0-rc1'], ['2.0', '2.0.1', '2.0-rc2']],
    ['latest', ['latest'], ['2.0']],
  ])('%s match the versions that begin with them, number by number', (text, named, others) => {
    expect([
      named.filter((version) => !names(text, version)),
      others.filter((version) => names(text, version)),
    ]).toEqual([[], []])
  })
})
