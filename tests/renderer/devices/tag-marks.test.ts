import { describe, expect, it } from 'vitest'
import {
  changeOf,
  markAtFirst,
  nextMark,
  standingOf,
  type Mark,
  type Standing,
} from '../../../renderer/devices/tag-marks.ts'

const presses = (standing: Standing): readonly Mark[] => {
  let mark = markAtFirst(standing)
  return [mark, ...[1, 2, 3].map(() => (mark = nextMark({ standing, mark })))]
}

describe('the check boxes of bulk tagging', () => {
  it.each<[Standing, readonly Mark[]]>([
    ['some', ['leave', 'on', 'off', 'leave']],
    [null, ['leave', 'on', 'off', 'leave']],
    ['all', ['on', 'off', 'on', 'off']],
    ['none', ['off', 'on', 'off', 'on']],
  ])('cycle a tag on %s through %o', (standing, marks) => {
    expect(presses(standing)).toEqual(marks)
  })
  it.each<[number | undefined, number | null, Standing]>([
    [undefined, 4, null],
    [2, null, null],
    [0, 4, 'none'],
    [2, 4, 'some'],
    [4, 4, 'all'],
    [5, 4, 'all'],
  ])('describe %s of %s devices: %s', (carrying, of, standing) => {
    expect(standingOf(carrying, of)).toBe(standing)
  })
  it('request only the differences', () => {
    const line = (name: string, standing: Standing, mark: Mark) => ({ name, standing, mark })
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
