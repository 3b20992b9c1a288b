import { expect, test } from 'vitest'
import { isInside } from '../../../electron/core/kits/kit-manifest.ts'

test.each([
  ['a', true],
  ['rooms/Ærø 1.html', true],
  ['a.b/c', true],
  ['a./b', false],
  ['a /b', false],
  ['a/b.', false],
  ['a/b ', false],
  ['../a', false],
  ['a//b', false],
  ['C:/a', false],
  ['', false],
])('the path %j is inside a kit on every system: %s', (path, expected) => {
  expect(isInside(path)).toBe(expected)
})
