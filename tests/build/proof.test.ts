import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { compared, kept, part as benches } from '../proof/bench.ts'
import { part as property } from '../proof/property.ts'
import type { Part, Result } from '../proof/runner/part.ts'
import { provePart, type Surroundings } from '../proof/runner/prove.ts'
import { figuresOf, missedIn, totals } from '../proof/runner/report.ts'
import { failuresIn } from '../proof/runner/run-tests.ts'
import { aims } from '../proof/runner/aims.ts'
import { tableWith, type TableRow } from '../proof/runner/table.ts'

const root = resolve(import.meta.dirname, '../..')
// With a static import this file would be a property test of the proof.
const fc = await import('fast-check')
const ran = (cases: number, due = 1_000): Result => ({
  counts: [{ test: 'holds', of: 'cases', due, ran: cases }],
  failed: [],
  seconds: 1,
})

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-proof-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** A part of three files, and what it did. */
class World {
  readonly ran: [piece: string, seed: number][] = []
  readonly said: string[] = []
  results: Record<string, Result> = { a: ran(1_000), b: ran(1_000), c: ran(1_000) }
  hash = 'sources'
  reason: string | null = null
  seed: string | undefined
  during: (piece: string) => void = () => undefined
  stop = new AbortController()
  readonly part: Part = {
    purpose: 'A purpose.',
    pieces: ['a', 'b', 'c'],
    oneByOne: false,
    targets: [{ id: 'R4', target: 'T1', piece: 'b', of: 'cases', due: 1_000 }],
    cannotRun: async () => this.reason,
    run: async (piece, seed) => {
      this.ran.push([piece, seed])
      this.during(piece)
      return this.results[piece]!
    },
    again: (piece, seed) => `repeat ${piece} with ${seed}`,
  }
  prove(anew = false): Promise<number> {
    const surroundings: Surroundings = {
      say: (line) => void this.said.push(line),
      stop: this.stop.signal,
      cache: join(folder, 'cache'),
      reports: folder,
      hash: () => this.hash,
      atOnce: 1,
      seed: this.seed,
    }
    this.ran.length = 0
    this.said.length = 0
    return provePart('some', this.part, anew, surroundings)
  }
  get report(): string | null {
    const file = join(folder, 'some.md')
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  get pieces(): string {
    return this.ran.map(([piece]) => piece).join('')
  }
}

describe('a proof', () => {
  it('runs every file with a seed of its own, printed before it runs, and writes a report', async () => {
    const world = new World()
    const before: string[] = []
    world.during = () => void before.push(world.said.at(-1) ?? '')
    expect(await world.prove()).toBe(0)
    expect(before).toEqual(
      world.ran.map(([piece, seed]) => `begins  ${piece}  HEADROOM_PROPERTY_SEED=${seed}`),
    )
    expect(new Set(world.ran.map(([, seed]) => seed)).size).toBe(3)
    expect(world.report).toContain(`| \`a\` | 1 | 1,000 | 0 | 0 | 1.0 | ${world.ran[0]?.[1]} |\n`)
    expect(world.report).toContain(
      'everything ran and passed: 3 files, properties: 3, cases: 3,000, failed: 0',
    )
    expect(world.report).toContain('| T1 | 1,000 cases | 1,000 | `b` |')
    for (const name of [hostname(), root]) expect(world.report).not.toContain(name)
  })

  it('uses a seed that a person gives, and rejects one that is no number', async () => {
    const world = new World()
    world.seed = '7'
    await world.prove()
    expect(world.ran.map(([, seed]) => seed)).toEqual([7, 7, 7])
    world.seed = '7a'
    expect([await world.prove(true), world.ran, world.said]).toEqual([
      2,
      [],
      ['HEADROOM_PROPERTY_SEED must be a whole number, not 7a.'],
    ])
  })

  it('goes on after an interruption with what is missing, and begins anew on request or with other sources', async () => {
    const world = new World()
    world.during = (piece) => piece === 'b' && world.stop.abort()
    expect([await world.prove(), world.pieces, world.report]).toEqual([130, 'ab', null])
    expect(world.said.at(-1)).toBe('proof some: interrupted; 1 of 3 files ran. The same command goes on.')

    world.during = () => undefined
    world.stop = new AbortController()
    expect([await world.prove(), world.pieces]).toEqual([0, 'bc'])
    expect(world.said[0]).toMatch(
      /^proof some: goes on with 2 of 3 files; 1 ran since .*Z\. `npm run proof -- some --again` begins anew\.$/,
    )
    expect([await world.prove(), world.pieces]).toEqual([0, ''])
    expect([await world.prove(true), world.pieces]).toEqual([0, 'abc'])
    world.hash = 'other sources'
    expect([await world.prove(), world.pieces]).toEqual([0, 'abc'])
  })

  it('proves nothing if a source changes while it runs', async () => {
    const world = new World()
    world.during = () => (world.hash = 'changed')
    expect([await world.prove(), world.pieces, world.report]).toEqual([1, 'a', null])
    expect(world.said.at(-1)).toContain('a source changed during the run')
  })

  it('ends with 1 if a test fails, and says test, reason and how to repeat it, again without running it', async () => {
    const world = new World()
    world.results['b'] = { ...ran(1_000), failed: [{ test: 'holds', detail: 'Counterexample: 4' }] }
    expect(await world.prove()).toBe(1)
    const seed = world.ran[1]?.[1]
    for (const line of [
      '\nFAILED  b > holds\nCounterexample: 4',
      `Repeat it: repeat b with ${seed}`,
      'proof some: 3 files, properties: 3, cases: 3,000, failed: 1, missed: 0',
    ])
      expect(world.said).toContain(line)
    expect(world.report).toContain('NOT PROVEN')
    expect(world.report).toContain('- Failed: b: holds\n')
    expect([await world.prove(), world.pieces]).toEqual([1, ''])
  })

  it('ends with 1 if a count is missed', async () => {
    const world = new World()
    world.results['b'] = ran(900)
    expect(await world.prove()).toBe(1)
    expect(world.said).toContain('MISSED  b: only 900 of 1,000 cases ran: holds')
    expect(world.report).toContain('- b: only 900 of 1,000 cases ran: holds\n')
  })

  it('ends with 1 if its pieces together are below an aim', async () => {
    const world = new World()
    Object.assign(world.part, { together: () => [{ id: 'H6', figure: '7 of 10 found', isMet: false }] })
    expect(await world.prove()).toBe(1)
    expect(world.said).toContain('MISSED  H6: 7 of 10 found.')
    expect(world.report).toContain('- H6: 7 of 10 found.\n')
  })

  it('ends with 3 and a sentence, and without a report, where it cannot run', async () => {
    const world = new World()
    world.reason = 'this Node has no SQLite'
    expect([await world.prove(), world.ran, world.said, world.report]).toEqual([
      3,
      [],
      ['proof some: it cannot run here: this Node has no SQLite.'],
      null,
    ])
  })
})

test.each<[string, Record<string, Result>, readonly string[]]>([
  ['nothing', {}, ['a did not run.', 'b did not run.', 'c did not run.', 'T1 asks']],
  ['everything', { a: ran(1_000), b: ran(1_000), c: ran(10, 10) }, []],
  [
    'a file without a property',
    { a: { ...ran(1), counts: [] }, b: ran(1_000), c: ran(1_000) },
    ['a counted'],
  ],
  ['less than a target asks', { a: ran(1_000), b: ran(100, 100), c: ran(1_000) }, ['T1 asks']],
  [
    'two counts of one test that make up a target',
    {
      a: ran(1_000),
      b: { ...ran(1), counts: [...ran(400, 400).counts, ...ran(600, 600).counts] },
      c: ran(1_000),
    },
    [],
  ],
])('a run of %s misses %#', (_, results, expected) => {
  const seeded = Object.fromEntries(
    Object.entries(results).map(([piece, one]) => [piece, { ...one, seed: 1 }]),
  )
  const missed = missedIn(new World().part, seeded)
  expect(missed).toEqual(expected.map((start) => expect.stringMatching(`^${start}`) as string))
})

test('counts stand beside failures', () => {
  const kills: Result = { ...ran(0), counts: [{ test: 'dies', of: 'kills', due: 50, ran: 50 }] }
  expect(totals([ran(1_000), kills])).toBe('properties: 1, cases: 1,000, kills: 50, failed: 0')
})

test.each<[string, Parameters<typeof failuresIn>, readonly string[]]>([
  ['a passed test', [reportOf('passed'), 0, ''], []],
  ['a failed one', [reportOf('failed', ['the reason']), 1, ''], ['holds: the reason']],
  ['a skipped one', [reportOf('skipped'), 0, ''], ['holds: This test was not run (skipped).']],
  ['an error outside the tests', [reportOf('passed'), 1, 'an error'], ['Vitest: It ended with 1.\nan error']],
  ['no report', [null, null, 'Killed'], ['Vitest: It ended with a signal.\nKilled']],
  [
    'a file that cannot be imported',
    [{ testResults: [{ name: 'a.test.ts', message: 'no such module', assertionResults: [] }] }, 1, ''],
    ['a.test.ts: no such module'],
  ],
])('of %s it reports the failures', (_, given, expected) => {
  expect(failuresIn(...given).map(({ test: failed, detail }) => `${failed}: ${detail}`)).toEqual(expected)
})
function reportOf(status: string, failureMessages: readonly string[] = []) {
  return {
    testResults: [
      { name: 'a.test.ts', message: '', assertionResults: [{ fullName: 'holds', status, failureMessages }] },
    ],
  }
}

describe('in a proof', () => {
  const before = fc.readConfigureGlobal()
  const inAProof = async (cases: string) => {
    vi.resetModules()
    vi.stubEnv('HEADROOM_CASES', cases)
    vi.stubEnv('HEADROOM_COUNTED_IN', join(folder, 'counts'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
      vi.resetModules()
      fc.configureGlobal(before)
    })
    await import('../setup/property-seed.ts')
    return import('../setup/cases.ts')
  }
  const counted = (): readonly { readonly ran: number }[] =>
    readFileSync(join(folder, 'counts'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { ran: number })

  it('every case runs; in npm test a thirtieth, but 30 if there are as many', async () => {
    const full = await inAProof('all')
    expect([full.cases(10_000), full.cases(8), full.kills(3)]).toEqual([10_000, 8, 50])
    const short = await inAProof('')
    expect([short.cases(10_000), short.cases(300), short.cases(8), short.kills(3)]).toEqual([334, 30, 8, 3])
  })

  it('each property reports the cases that ran, and a failure still names seed, path and reason', async () => {
    await inAProof('all')
    fc.assert(
      fc.property(fc.nat(), () => undefined),
      { numRuns: 30 },
    )
    await fc.assert(fc.asyncProperty(fc.nat(), async () => undefined))
    const failing = fc.property(fc.nat(), () => {
      throw new Error('the reason')
    })
    expect(() => fc.assert(failing, { seed: 5 })).toThrow(/seed: 5, path: "0.*[^]*the reason/)
    const name = expect.getState().currentTestName
    expect(counted()).toEqual([
      { test: name, of: 'cases', due: 30, ran: 30 },
      { test: name, of: 'cases', due: 100, ran: 100 },
      { test: name, of: 'cases', due: 100, ran: 1 },
    ])
  })
})

test('no property test has 200 cases or more in npm test without a short form', () => {
  const fixed = globSync('tests/**/*.ts', { cwd: root }).filter((file) =>
    /numRuns: (?:[2-9]\d\d|\d[\d_]{3,})/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(fixed).toEqual([])
})

test('every target of the property proof is one of its files', () => {
  expect(
    property.targets.map(({ piece }) => piece).filter((piece) => !property.pieces.includes(piece)),
  ).toEqual([])
})

test.each([
  [['nonsense'], 'no such part: nonsense'],
  [['--jsno'], 'no such part: --jsno'],
  [['all', '--agian'], 'no such part: --agian'],
])('npm run proof -- %j ends with 2 and names the parts', (words, sentence) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'build/proof.mjs'), ...words], {
    encoding: 'utf8',
  })
  expect([status, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(`^headroom: ${sentence}\\. There are: .*property.*, all\n$`) as string,
  ])
})

test('a proof whose packages cannot be installed ends with 3', () => {
  mkdirSync(join(folder, 'build'))
  copyFileSync(join(root, 'build/prepare.mjs'), join(folder, 'build/prepare.mjs'))
  writeFileSync(join(folder, 'package-lock.json'), '{"packages":{}}')
  writeFileSync(join(folder, 'npm.cjs'), 'process.exit(1)')
  const script = `const { onNode24 } = await import(${JSON.stringify(join(folder, 'build/prepare.mjs'))}); await onNode24(import.meta.url, 3)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, npm_execpath: join(folder, 'npm.cjs') },
  })
  expect([status, stderr]).toEqual([3, expect.stringContaining('packages could not be installed') as string])
})

describe('the table of targets', () => {
  const row = (part: string, id: string, isMet: boolean): TableRow => ({
    ...{ part, id, isMet, figure: `${id} by ${part}` },
    ...{ day: '2026-11-28', commit: '01234567', machine: 'a machine' },
  })
  /** Target, what was found, and the part, of the rows that these parts can fill. */
  const shown = (table: string, ...parts: string[]): readonly string[] =>
    table
      .split('\n')
      .filter((line) => parts.some((part) => line.includes(`-- ${part}\``)))
      .map((line) => line.split(' | '))
      .map(([id, , found, command]) => `${id?.slice(2)} ${found} (${/-- (\w+)/.exec(command!)?.[1]})`)

  it('puts first what is below its aim or has no figure', () => {
    expect(shown(tableWith('', 'installed', []), 'installed', 'packages')).toEqual([
      'I1 **No figure** (installed)',
      'I2 **No figure** (packages)',
    ])
    expect(
      shown(
        tableWith('', 'property', [row('property', 'R4', true), row('property', 'R10', false)]),
        'property',
      ),
    ).toEqual([
      'R1 **No figure** (property)',
      'R10 **Below:** R10 by property (property)',
      ...['D1', 'D3', 'S4', 'S8', 'F1', 'F5', 'I7'].map((id) => `${id} **No figure** (property)`),
      'R4 R4 by property (property)',
    ])
  })

  it('replaces the rows of one part and keeps those of the others, with their day, commit and machine', () => {
    const first = tableWith('', 'installed', [row('installed', 'I1', true)])
    const second = tableWith(first, 'packages', [row('packages', 'I2', false)])
    const third = tableWith(second, 'installed', [{ ...row('installed', 'I1', false), day: '2026-11-29' }])
    expect(third).toBe(
      tableWith(
        tableWith('', 'installed', [{ ...row('installed', 'I1', false), day: '2026-11-29' }]),
        'packages',
        [row('packages', 'I2', false)],
      ),
    )
    expect(third).toContain(
      'I1 by installed | `npm run proof -- installed` | 2026-11-29 | 01234567 | a machine |',
    )
    expect(shown(tableWith(third, 'installed', []), 'installed')).toEqual(['I1 **No figure** (installed)'])
  })

  it('takes the counts of a target, the figures of a piece, and all counts of a part that shows one target', () => {
    const { part } = new World()
    const seeded = { ...ran(900), seed: 1 }
    const results = {
      a: { ...ran(1_000), seed: 1, figures: [{ id: 'V1', figure: '1.3', isMet: false }] },
      b: { ...seeded, failed: [{ test: 'holds', detail: '' }] },
    }
    expect(figuresOf({ ...part, pieces: ['a', 'b'], shows: 'D1' }, results)).toEqual([
      { id: 'R4', figure: 'T1: 900 cases, 1 failed', isMet: false },
      { id: 'V1', figure: '1.3', isMet: false },
      { id: 'D1', figure: 'properties: 2, cases: 1,900, failed: 1', isMet: false },
    ])
  })

  it('has a part for every target, and a target for every part', () => {
    const files = globSync('*.ts', { cwd: join(root, 'tests/proof') }).map((file) => file.slice(0, -3))
    const named = new Set(Object.values(aims).flatMap(({ parts }) => parts))
    expect([...named].sort()).toEqual(files.filter((file) => file !== 'computer').sort())
  })

  it('README names every target that is below its aim or has no figure', () => {
    const table = readFileSync(join(root, 'tests/proof/table.md'), 'utf8')
    const below = table.split('\n').flatMap((line) => /^\| (\w+) \| .* \| \*\*/.exec(line)?.[1] ?? [])
    const line = readFileSync(join(root, 'README.md'), 'utf8')
      .split('\n')
      .find((one) => one.includes('proof/table.md'))
    expect(line?.match(/\b[A-Z]\d+\b/g) ?? []).toEqual([...new Set(below)])
  })
})

describe('the ratios of a benchmark', () => {
  const day = '2026-12-01'
  it.each<[string, Record<string, number | null>, Record<string, number>, string[], string[]]>([
    ['a tenth worse than the kept one', { a: 1.1, b: 2 }, { a: 1, b: 2 }, [], []],
    ['more than a tenth worse', { a: 1.2, b: 2 }, { a: 1, b: 2 }, ['a'], []],
    ['not measured', { a: null, b: 2 }, { a: 1, b: 2 }, ['a'], ['a']],
    ['without a kept one', { a: 1, b: 2 }, { b: 2 }, ['a'], []],
    ['that is gone', { b: 2 }, { a: 1, b: 2 }, ['a'], []],
  ])('fail if one is %s, unless they are kept', (_, now, before, failed, failedKept) => {
    const known = new Map(Object.entries(before).map(([figure, ratio]) => [figure, { ratio, day }]))
    const faults = (isKept: boolean): string[] =>
      compared(new Map(Object.entries(now)), known, isKept).map((fault) => fault.test)
    expect([faults(false), faults(true)]).toEqual([failed, failedKept])
  })

  it('are all kept', () => {
    const names = [...new Set(kept().map(([name]) => name))]
    // It has a target and no ratio.
    expect([...names, 'two-programs'].toSorted()).toEqual(benches.pieces.toSorted())
  })
})
