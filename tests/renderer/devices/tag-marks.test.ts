import { describe, expect, it } from 'vitest'
import {
  changeOf,
  markAtFirst,
  nextMark,
  coverageOf,
  type Mark,
  type TagCoverage,
} from '../../../renderer/devices/tag-marks.ts'

const presses = (coverage: TagCoverage): readonly Mark[] => {
  let mark = markAtFirst(coverage)
  return [mark, ...[1, 2, 3].map(() => (mark = nextMark({ coverage, mark })))]
}

describe('the check boxes of bulk tagging', () => {
  it.each<[TagCoverage, readonly Mark[]]>([
    ['some', ['leave', 'on', 'off', 'leave']],
    [null, ['leave', 'on', 'off', 'leave']],
    ['all', ['on', 'off', 'on', 'off']],
    ['none', ['off', 'on', 'off', 'on']],
  ])('cycle a tag on %s through %o', (coverage, marks) => {
    expect(presses(coverage)).toEqual(marks)
  })
  it.each<[number | undefined, number | null, TagCoverage]>([
    [undefined, 4, null],
    [2, null, null],
    [0, 4, 'none'],
    [2, 4, 'some'],
    [4, 4, 'all'],
    [5, 4, 'all'],
  ])('describe %s of %s devices: %s', (carrying, of, coverage) => {
    expect(coverageOf(carrying, of)).toBe(coverage)
  })
  it('request only the differences', () => {
    const line = (name: string, coverage: TagCoverage, mark: Mark) => ({ name, coverage, mark })
    expect(
      changeOf([
        line('a', 'all', 'on'),
        line('b', 'some', 'on'),
        line('c', 'none', 'off'),
        line('d', null, 'off'),
        line('e', 'some', 'leave'),
      ]),
    ).toEqual({
      add: ['b'],
      remove: ['d'],
    })
  })
})
