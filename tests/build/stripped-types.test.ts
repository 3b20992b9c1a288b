import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** Why Node cannot run this code without a build; null: it can. */
function whyNot(code: string): string | null {
  try {
    stripTypeScriptTypes(code)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

// Benchmarks, the gallery and tests start sources in plain Node, which takes less than the compiler does.
test('Node runs every source without a build', () => {
  const sources = globSync('{electron,renderer,tests}/**/*.ts', { cwd: root })
  const refused = sources.flatMap((file) => {
    const why = whyNot(readFileSync(join(root, file), 'utf8'))
    return why === null ? [] : [`${file}: ${why}`]
  })
  expect([refused, sources.length > 1_000]).toEqual([[], true])
})

test.each([
  ['type Row = readonly [string, number?, advice?: string]', 'A required element'],
  ['enum Colour { red }', 'TypeScript enum is not supported'],
])('would refuse "%s"', (code, why) => {
  expect(whyNot(code)).toContain(why)
})
