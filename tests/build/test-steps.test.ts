import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { settle } from '../fake-clock.ts'
import { propertySeed } from '../setup/seed.ts'

interface Result {
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
}
interface Step {
  args(report: string): readonly string[]
  count?(report: unknown): Result
}
interface Work {
  readonly processors: number
  run(): Promise<Result | null>
}
/** A program that reports, writes to standard error and exits with this code; counted like the unit tests. */
const ending = (code: number, report: object): Pick<Step, 'args'> => ({
  args: (file) => [
    '-e',
    'require("fs").writeFileSync(process.argv[1], process.argv[2]); console.error("one line"); process.exitCode = Number(process.argv[3])',
    file,
    JSON.stringify(report),
    String(code),
  ],
})
const { inOrder, lastLines, suite, testFolder, unit } = (await import(
  resolve(import.meta.dirname, '../../build/test-steps.mjs')
)) as {
  inOrder(work: readonly Work[]): Promise<readonly Result[]>
  lastLines(results: readonly Result[], seconds: number): string[]
  suite(node: string, step: Step): Promise<Result>
  testFolder(memory: string): string
  readonly unit: Step
}

test('ends a run with skipped tests, total time, and the count in the last line', () => {
  const results = [
    { passed: 5, failed: 0, skipped: [] },
    { passed: 4_986, failed: 1, skipped: ['the keychain (no D-Bus here)'] },
  ]
  expect(lastLines(results, 512.34)).toEqual([
    'skipped: the keychain (no D-Bus here)',
    'total  512.3 s',
    '4991 passed, 1 failed',
  ])
})

test.each([
  ['passes', 0, 0, /^passed {2}unit and integration +3 of 3 {2}\d+\.\d s {2}property seed \d+\n$/],
  ['fails', 1, 1, /^\none line\nFAILED {2}unit and integration +3 of 4 {2}\d+\.\d s {2}property seed \d+\n$/],
])('prints the property seed of a unit run that %s once', async (_, code, failed, line) => {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => said.mockRestore())
  await suite(process.execPath, {
    ...unit,
    ...ending(code, { numPassedTests: 3, numFailedTests: failed, testResults: [] }),
  })
  const words = said.mock.calls.map(([words]) => String(words)).join('')
  expect([words, Number(/seed (\d+)/.exec(words)?.[1])]).toEqual([expect.stringMatching(line), propertySeed])
})

test('gives a step a folder of its own for temporary files and compiled code', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
  const script =
    'const { TMPDIR, NODE_COMPILE_CACHE } = process.env; require("fs").writeFileSync(process.argv[1], JSON.stringify([TMPDIR, NODE_COMPILE_CACHE]))'
  const given: unknown[] = []
  await suite(process.execPath, {
    ...unit,
    args: (report) => ['-e', script, report],
    count: (report) => {
      given.push(report)
      return { passed: 1, failed: 0, skipped: [] }
    },
  })
  const folder = expect.stringContaining('headroom-tests-') as string
  expect(given).toEqual([[folder, expect.stringMatching(/headroom-tests-.*compiled$/)]])
})

test('uses the temporary folder of the system when no memory file system is available', () => {
  const folder = testFolder('/no such place')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(dirname(folder)).toBe(tmpdir())
})

test('starts each step in order once enough processors are free; a step that only waits needs none', async () => {
  const running: string[] = []
  const seen: string[][] = []
  const ends = new Map<string, () => void>()
  const work = (
    [
      ['build', 1],
      ['types', 1],
      ['lint', 1],
      ['unit', 2],
      ['waits', 0],
      ['e2e', 2],
    ] as const
  ).map(([name, processors]) => ({
    processors,
    run: async () => {
      running.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      running.splice(running.indexOf(name), 1)
      return name === 'build' ? null : { passed: 1, failed: 0, skipped: [] }
    },
  }))
  const done = inOrder(work)
  for (const name of ['types', 'build', 'lint', 'unit', 'waits', 'e2e']) {
    await settle()
    seen.push([...running])
    ends.get(name)!()
  }
  expect([seen, (await done).length]).toEqual([
    [['build', 'types'], ['build', 'lint'], ['lint'], ['unit', 'waits'], ['waits', 'e2e'], ['e2e']],
    5,
  ])
})
