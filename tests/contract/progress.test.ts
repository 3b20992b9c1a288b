import { expect, test } from 'vitest'
import { percentOf } from '../../electron/contract/progress.ts'

test.each([
  ['a share', 1, 3, 33],
  ['all', 3, 3, 100],
  ['the total is not known', 3, null, null],
  ['the total was exceeded', 4, 3, null],
  ['nothing to do', 0, 0, null],
])('per cent: %s', (_, done, total, percent) => {
  expect(percentOf({ done, total })).toBe(percent)
})
