import { resolve } from 'node:path'
import { expect, test } from 'vitest'

interface Result {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
}
const { lastLines } = (await import(resolve(import.meta.dirname, '../../build/steps.mjs'))) as {
  lastLines(results: readonly Result[], seconds: number): string[]
}

test('a run ends with what it skipped, its total time, and the count in the last line', () => {
  const results = [
    { passed: 5, failed: 0, skipped: [] },
    { passed: 4_986, failed: 1, skipped: ['the keychain (no D-Bus here)'] },
  ]
  expect(lastLines(results, 512.34)).toEqual(['skipped: the keychain (no D-Bus here)', 'total  512.3 s', '4991 passed, 1 failed'])
})
