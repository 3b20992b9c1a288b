import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Part, Result } from './runner/part.ts'
import { plantedBugs, withBug, type PlantedBug } from './runner/planted-bugs.ts'
import { failuresIn, runVitest } from './runner/run-tests.ts'

const root = resolve(import.meta.dirname, '../..')
const areas = Map.groupBy(plantedBugs, ({ id }) => id.replace(/-\d+$/, ''))
const foundAtLeast = 0.9
/** A bug may be an endless loop. Raise it if tests of an area take longer on a slow machine. */
const endlessAfterInMs = 600_000
/** More would only wait for each other. */
const atOnce = 2

const testsOf = (bugs: readonly PlantedBug[]): readonly string[] => [
  ...new Set(bugs.flatMap(({ tests }) => tests)),
]
const trackedFiles = () =>
  spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })

/** A copy of the working tree, so that nothing else meets a planted bug. */
function copyTree(folder: string): void {
  for (const file of trackedFiles().stdout.split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(root, file), join(folder, file))
  }
  // With caches of its own: two runs would replace each other's bundled programs.
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => !one.startsWith('.')))
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction')
}

/** Runs the tests of an area without a bug, and then with each of its bugs. */
async function plant(area: string, stop: AbortSignal): Promise<Result> {
  const startedAt = performance.now()
  const bugs = areas.get(area)!
  const failed: { readonly test: string; readonly detail: string }[] = []
  const unnoticed = new Set<PlantedBug>()
  let planted = 0

  const runWithout = async (copy: string): Promise<void> => {
    const { report, code, output } = await runVitest(testsOf(bugs), { cwd: copy, stop })
    // What is skipped on this computer notices nothing.
    if (code !== 0) failed.push(...failuresIn(report, code, output))
  }
  const runWith = async (copy: string, bug: PlantedBug): Promise<void> => {
    try {
      writeFileSync(join(copy, bug.file), withBug(bug))
      const limit = AbortSignal.timeout(endlessAfterInMs)
      const { report, code, output } = await runVitest(bug.tests, {
        cwd: copy,
        stop: AbortSignal.any([stop, limit]),
        words: ['--bail=1'],
      })
      // Tests that do not end notice it too.
      if (limit.aborted && !stop.aborted) return void planted++
      // A test file that cannot even be loaded says nothing about its tests.
      if (
        report === null ||
        report.testResults.some(
          ({ assertionResults, message }) => assertionResults.length === 0 && message !== '',
        )
      )
        throw new Error(output)
      planted++
      if (code === 0) unnoticed.add(bug)
    } catch (error) {
      failed.push({ test: `${bug.id}: ${bug.says}`, detail: (error as Error).message })
    } finally {
      copyFileSync(join(root, bug.file), join(copy, bug.file))
    }
  }

  const folder = mkdtempSync(join(tmpdir(), 'headroom-planted-'))
  const tasks = [runWithout, ...bugs.map((bug) => (copy: string) => runWith(copy, bug))]
  const work = async (copy: string): Promise<void> => {
    copyTree(copy)
    for (let task = tasks.shift(); task !== undefined && !stop.aborted; task = tasks.shift()) await task(copy)
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, (_, at) => work(join(folder, String(at)))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return {
    counts: [{ test: area, of: 'cases', due: bugs.length, ran: planted }],
    failed,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    notes: bugs.filter((bug) => unnoticed.has(bug)).map(({ id, says }) => `${id} was not noticed. ${says}`),
  }
}

export const part: Part = {
  purpose:
    'Bugs are planted one at a time in a copy of the sources, and the closest tests run, which also pass without a bug. A case is a bug; each one that no test notices is listed below.',
  pieces: [...areas.keys()],
  oneByOne: true,
  targets: [],
  together(results) {
    const planted = results.flatMap(({ counts }) => counts).reduce((sum, { ran }) => sum + ran, 0)
    const found = planted - results.flatMap(({ notes }) => notes ?? []).length
    return [{ id: 'H6', figure: `${found} of ${planted} found`, isMet: found >= foundAtLeast * planted }]
  },
  cannotRun: async () =>
    trackedFiles().status === 0 ? null : 'it copies the files that git names, and git was not found',
  run: (area, _seed, stop) => plant(area, stop),
  again: (area) =>
    `npx vitest run ${testsOf(areas.get(area)!).join(' ')} (with a bug of tests/proof/planted-bugs.json)`,
}
