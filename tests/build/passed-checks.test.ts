import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

interface Check {
  readonly name: string
  readonly reads: RegExp
  readonly args: readonly string[]
}
type Listed = readonly (readonly [path: string, hash: string])[]
const { passedBefore, passes } = (await import(
  resolve(import.meta.dirname, '../../build/passed-checks.mjs')
)) as {
  passedBefore(check: Check, listed: Listed, kept: string): boolean
  passes(check: Check, listed: Listed, kept: string): void
}

const check: Check = { name: 'dead code', reads: /\.ts$/, args: ['tool', '--strict'] }
const files: Listed = [
  ['README.md', 'a'],
  ['electron/a.ts', 'b'],
]
test.each<[string, Check, Listed, boolean]>([
  ['nothing changed', check, files, true],
  ['a file that it does not read changed', check, [['README.md', 'other'], files[1]!], true],
  ['a file that it reads changed', check, [files[0]!, ['electron/a.ts', 'other']], false],
  ['a file that it reads is new', check, [...files, ['electron/b.ts', 'c']], false],
  ['a file that it reads is gone', check, [files[0]!], false],
  ['its arguments changed', { ...check, args: ['tool'] }, files, false],
  ['another check has the same files', { ...check, name: 'lint' }, files, false],
  ['git lists no file', check, [], false],
])(
  'repeats a check that passed only if something that decides its result changed: %s',
  (_, asked, listed, expected) => {
    const kept = mkdtempSync(join(tmpdir(), 'headroom-passed-'))
    onTestFinished(() => rmSync(kept, { recursive: true }))
    passes(check, files, kept)
    expect(passedBefore(asked, listed, kept)).toBe(expected)
  },
)
