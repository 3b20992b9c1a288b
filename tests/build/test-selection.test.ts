import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
interface Check {
  readonly name: string
  readonly args: readonly string[]
}
type Selection = Readonly<Record<string, readonly (string | Check)[]>>
interface Result {
  readonly name: string
  readonly failed: number
  readonly files?: readonly { readonly path: string; readonly failed: boolean }[]
}
const { failedLast, keepFailed, named, touchedBy } = (await import(
  join(root, 'build/test-selection.mjs')
)) as {
  named(
    words: readonly string[],
    exists: (path: string) => boolean,
  ): { selection: Selection; unknown: readonly string[] }
  touchedBy(
    changed: readonly string[],
    imports: ReadonlyMap<string, readonly string[]>,
  ): { selection: Selection & { readonly checks: readonly Check[] }; left: string }
  failedLast(file: string): Selection | null
  keepFailed(results: readonly Result[], complete: boolean, file: string): void
}

test.each<[readonly string[], Selection, readonly string[]]>([
  [['unit', 'e2e'], { unit: [], e2e: [] }, []],
  [
    ['tests/core/a.test.ts', 'tests/e2e/b.spec.ts', 'tests/waits/c.spec.ts'],
    { unit: ['tests/core/a.test.ts'], e2e: ['tests/e2e/b.spec.ts'], waits: ['tests/waits/c.spec.ts'] },
    [],
  ],
  [['unit', 'tests/core/a.test.ts'], { unit: [] }, []],
  [['tests/core/a.test.ts', 'unit'], { unit: [] }, []],
  [
    ['dance', 'tests/missing.test.ts', 'tests/fake-clock.ts', 'e2e'],
    { e2e: [] },
    ['dance', 'tests/missing.test.ts', 'tests/fake-clock.ts'],
  ],
])('runs the parts and test files named by %j', (words, selection, unknown) => {
  expect(named(words, (path) => !path.includes('missing'))).toEqual({ selection, unknown })
})

const imports = new Map([
  ['renderer/rooms/rooms-store.ts', ['renderer/api.ts']],
  ['renderer/rooms/RoomsPage.vue', ['renderer/rooms/rooms-store.ts']],
  ['renderer/overview/OverviewPage.vue', ['renderer/rooms/RoomsPage.vue']],
  ['tests/renderer/rooms/RoomsPage.test.ts', ['renderer/rooms/RoomsPage.vue']],
  ['tests/renderer/rooms/other.test.ts', []],
  ['tests/renderer/overview/overview.test.ts', ['renderer/overview/OverviewPage.vue']],
  ['tests/core/rooms/rooms.test.ts', ['electron/core/rooms/rooms.ts']],
  ['tests/e2e/rooms.spec.ts', ['tests/e2e/program.ts', 'renderer/rooms/rooms-store.ts']],
  ['tests/e2e/program.ts', []],
])
test('runs for a change the tests of its folder and those that import it over at most two steps, and says what is left out', () => {
  const { selection, left } = touchedBy(['renderer/rooms/rooms-store.ts'], imports)
  expect([selection.unit, selection.e2e, selection.checks.map(({ name }) => name), left]).toEqual([
    ['tests/renderer/rooms/RoomsPage.test.ts', 'tests/renderer/rooms/other.test.ts'],
    undefined,
    ['types', 'format', 'lint', 'dead code', 'directions'],
    '1 test files that reach the change over more imports; other components’ lint, end-to-end tests, real waits and packaging (npm test runs everything)',
  ])
})
test('lints only the components that changed, and runs the end-to-end tests whose helper changed', () => {
  const { selection } = touchedBy(['renderer/rooms/RoomsPage.vue', 'tests/e2e/program.ts'], imports)
  const [lint] = selection.checks.filter(({ name }) => name === 'lint-components')
  expect([lint?.args.slice(1), selection.e2e]).toEqual([
    ['renderer/rooms/RoomsPage.vue', '--max-warnings', '0'],
    ['tests/e2e/rooms.spec.ts'],
  ])
})

test('repeats what failed last until it passes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headroom-failed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'kept/failed.json')
  const own = 'tests/build/test-selection.test.ts'
  const again = (): unknown => {
    const selection = failedLast(file)
    return selection && { ...selection, checks: selection['checks']?.map((check) => (check as Check).name) }
  }
  const seen: unknown[] = [again()]
  const unit = {
    name: 'unit',
    failed: 1,
    files: [
      { path: own, failed: true },
      { path: 'tests/b.test.ts', failed: false },
    ],
  }
  keepFailed([{ name: 'lint', failed: 1 }, { name: 'waits', failed: 1, files: [] }, unit], true, file)
  seen.push(again())
  // A green run of something else leaves it.
  keepFailed([{ name: 'format', failed: 0 }], false, file)
  seen.push(again())
  keepFailed([{ ...unit, failed: 0 }], true, file)
  seen.push(again())
  const failed = { checks: ['lint'], waits: [], unit: [own] }
  expect([seen, readdirSync(folder)]).toEqual([[null, failed, failed, null], ['kept']])
})

test.each([
  [
    ['test.mjs', 'dance', 'tests/no.test.ts'],
    'no such part or test file: dance, tests/no.test.ts. There are checks, unit, waits, stand-in, e2e, packaging, changed, failed, and the files below tests/',
  ],
  [['test.mjs', 'changed', 'no-such-revision'], 'git knows no revision "no-such-revision" to compare with'],
  [
    ['check.mjs', 'dance'],
    'no such check: dance. There are: types, lint-components, format, lint, dead code, directions',
  ],
])('ends %j with one sentence and exit code 2, and runs nothing', ([script = '', ...words], sentence) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'build', script), ...words], {
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([2, '', `headroom: ${sentence}\n`])
})
