import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { settle } from '../fake-clock.ts'
import { propertySeed } from '../setup/seed.ts'

interface Result {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly skipped: readonly string[]
  readonly files?: readonly { readonly path: string; readonly failed: boolean; readonly seconds: number }[]
}
interface Step {
  args(report: string): readonly string[]
  count?(report: unknown): Result
  explain?(report: unknown): string
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
const { browser, checks, inOrder, lastLines, suite, testFolder, unit } = (await import(
  resolve(import.meta.dirname, '../../build/test-steps.mjs')
)) as {
  browser(project: string, shell: object, workers: number): Required<Step>
  checks: readonly { readonly name: string; readonly reads: RegExp }[]
  inOrder(work: readonly Work[]): Promise<readonly Result[]>
  lastLines(
    results: readonly Result[],
    seconds: number,
    processorSeconds: number | null,
    dearest?: number,
  ): string[]
  suite(node: string, step: Step): Promise<Result>
  testFolder(memory: string): string
  unit(): Step
}

/** What the steps print during `run`. */
async function printed(run: () => Promise<unknown>): Promise<string> {
  const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => said.mockRestore())
  await run()
  return said.mock.calls.map(([words]) => String(words)).join('')
}

test('ends a run with the dearest files, skipped tests, total times, and the count in the last line', () => {
  const results = [
    {
      name: 'unit',
      passed: 5,
      failed: 0,
      skipped: [],
      files: [{ path: 'tests/a.test.ts', failed: false, seconds: 2.04 }],
    },
    {
      name: 'no such part',
      passed: 4_986,
      failed: 1,
      skipped: ['the keychain (no D-Bus here)'],
      files: [
        { path: 'tests/b.test.ts', failed: true, seconds: 1 },
        { path: 'tests/c.test.ts', failed: false, seconds: 13.96 },
      ],
    },
  ]
  const last = ['skipped: the keychain (no D-Bus here)', 'total  512.3 s', '4991 passed, 1 failed']
  expect(lastLines(results, 512.34, null)).toEqual(last)
  expect(lastLines(results.slice(0, 1), 7, 12.34, 2)).toEqual([
    '    2.0 s  tests/a.test.ts',
    'total  7.0 s, 12.3 s of processor time',
    '5 passed, 0 failed',
  ])
  expect(lastLines(results, 7, 12.34, 2).slice(0, 2)).toEqual([
    '   14.0 s  tests/c.test.ts',
    '    2.0 s  tests/a.test.ts',
  ])
})

const took = String.raw`\d+\.\d s(?:, -?\d+\.\d s of processor time)?`
test.each([
  ['passes', 0, 0, `^passed  unit +3 of 3  ${took}  property seed \\d+\n$`],
  ['fails', 1, 1, `^\none line\nFAILED  unit +3 of 4  ${took}  property seed \\d+\n$`],
  ['ends with an error outside the tests', 1, 0, `^\none line\nFAILED  unit +3 of 4  ${took}  .*\n$`],
])('prints one line with times and property seed for a unit run that %s', async (_, code, failed, line) => {
  const words = await printed(() =>
    suite(process.execPath, {
      ...unit(),
      ...ending(code, { numPassedTests: 3, numFailedTests: failed, testResults: [] }),
    }),
  )
  expect([words, Number(/seed (\d+)/.exec(words)?.[1])]).toEqual([
    expect.stringMatching(new RegExp(line)),
    propertySeed,
  ])
})

test('counts a run without a test as failed', async () => {
  const nothing = { numPassedTests: 0, numFailedTests: 0, testResults: [] }
  let result: Result | null = null
  await printed(async () => {
    result = await suite(process.execPath, { ...unit(), ...ending(0, nothing) })
  })
  expect(result).toEqual({ name: 'unit', passed: 0, failed: 1, skipped: [], files: [] })
})

test('explains a failed end-to-end test by name, file and line, what was expected, the last lines of the program, and what it left', () => {
  const spec = (title: string, ok: boolean, results: readonly object[]): object => ({
    title,
    ok,
    file: 'tests/e2e/rooms.spec.ts',
    line: 12,
    tests: [{ status: ok ? 'expected' : 'unexpected', annotations: [], results }],
  })
  const report = {
    stats: { expected: 1, unexpected: 1, flaky: 0 },
    errors: [],
    suites: [
      {
        specs: [
          spec('a room restarts', true, [
            { duration: 4_000, errors: [], stdout: [], stderr: [], attachments: [] },
          ]),
        ],
        suites: [
          {
            specs: [
              spec('a room is found', false, [
                {
                  duration: 1_500,
                  errors: [{ message: '\u001b[31mExpected: 2\u001b[39m', snippet: '> 12 | expect(rooms)' }],
                  stdout: [],
                  stderr: [{ text: `${'older\n'.repeat(50)}the folder is locked\n` }],
                  attachments: [
                    { name: 'screenshot', path: resolve('test-results/e2e/a.png') },
                    { name: 'text' },
                  ],
                },
              ]),
            ],
          },
        ],
      },
    ],
  }
  const step = browser('e2e', {}, 3)
  expect([step.count(report), step.explain(report).split('\n')]).toEqual([
    {
      passed: 1,
      failed: 1,
      skipped: [],
      files: [{ path: 'tests/e2e/rooms.spec.ts', failed: true, seconds: 5.5 }],
    },
    [
      'tests/e2e/rooms.spec.ts:12 › a room is found',
      'Expected: 2',
      '> 12 | expect(rooms)',
      ...Array.from({ length: 39 }, () => 'older'),
      'the folder is locked',
      'test-results/e2e/a.png',
    ],
  ])
})

test('gives a step a folder of its own for temporary files, compiled code that is kept, and memory in large pieces', async () => {
  const script =
    'const { TMPDIR, NODE_COMPILE_CACHE, GLIBC_TUNABLES } = process.env; require("fs").writeFileSync(process.argv[1], JSON.stringify([TMPDIR, NODE_COMPILE_CACHE, GLIBC_TUNABLES]))'
  const given: unknown[] = []
  await printed(() =>
    suite(process.execPath, {
      ...unit(),
      args: (report) => ['-e', script, report],
      count: (report) => {
        given.push(report)
        return { name: 'unit', passed: 1, failed: 0, skipped: [] }
      },
    }),
  )
  expect(given).toEqual([
    [
      expect.stringContaining('headroom-tests-'),
      resolve(import.meta.dirname, '../../node_modules/.cache/headroom/compiled'),
      expect.stringMatching(/^glibc\.malloc\.hugetlb=1:/),
    ],
  ])
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
      return name === 'build' ? null : { name, passed: 1, failed: 0, skipped: [] }
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

test('a check that passed is repeated when something changes that it reads', () => {
  const files: Readonly<Record<string, readonly string[]>> = {
    types: [
      'electron/core/app.ts',
      'build/sbom.d.mts',
      'renderer/App.vue',
      'tests/tsconfig.json',
      'build/types.mjs',
      'package-lock.json',
    ],
    'lint-components': ['renderer/App.vue', 'electron/contract/failure.ts', 'build/eslint-local-rules.js'],
    format: ['README.md', '.oxfmtrc.json'],
    lint: ['build/sbom.mjs', 'build/sbom.d.mts', '.oxlintrc.json'],
    // Programs and packages may be used by a workflow, a style or a page alone.
    'dead code': ['knip.json', 'build/sbom.mjs', '.github/workflows/ci.yml', 'renderer/styles/tailwind.css'],
    directions: ['build/dependency-cruiser.config.cjs', 'electron/core/app.ts'],
  }
  expect(
    checks.map(({ name, reads }) => [name, (files[name] ?? ['']).filter((file) => !reads.test(file))]),
  ).toEqual(Object.keys(files).map((name) => [name, []]))
})

test('the program is built again when something changes that its build reads', async () => {
  const { sources } = (await import(resolve(import.meta.dirname, '../../build/build.mjs'))) as {
    sources: readonly string[]
  }
  const isSource = (file: string): boolean =>
    sources.some((path) => path === file || file.startsWith(`${path}/`))
  const read = ['electron/cli/cli.ts', 'renderer/index.html', 'build/licences/MIT.txt', 'package-lock.json']
  const configuration = readFileSync(
    resolve(import.meta.dirname, '../../electron.vite.config.ts'),
    'utf8',
  ).matchAll(/from '\.\/(build\/[^']+)'/g)
  expect([...read, ...[...configuration].map(([, file]) => file!)].filter((file) => !isSource(file))).toEqual(
    [],
  )
})
