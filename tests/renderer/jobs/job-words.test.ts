import { describe, expect, it } from 'vitest'
import { minutesOf } from '../../../renderer/jobs/job-words.ts'

describe('a time of day as people type it', () => {
  it.each<[string, number | null]>([
    ['22:00', 1320],
    ['7', 420],
    ['7.30', 450],
    ['0730', 450],
    [' 00:00 ', 0],
    ['23:59', 1439],
    ['24:00', null],
    ['12:60', null],
    ['7:3', null],
    ['730 pm', null],
    ['-1', null],
    ['', null],
    ['soon', null],
  ])('"%s"', (typed, minutes) => {
    expect(minutesOf(typed)).toBe(minutes)
  })
})
