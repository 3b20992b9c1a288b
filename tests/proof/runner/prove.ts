import { createHash, randomInt } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { commit, machine, root, sources } from './made-on.ts'
import type { Part } from './part.ts'
import { figuresOf, missedIn, reportOf, totals, type Run } from './report.ts'
import { joined, tableWith } from './table.ts'

export const exitCodes = { proven: 0, notProven: 1, badInput: 2, cannotRun: 3, interrupted: 130 }

export interface Surroundings {
  readonly say: (line: string) => void
  readonly stop: AbortSignal
  /** Where the results of an unfinished run are kept. */
  readonly cache: string
  /** Where the report is written. */
  readonly reports: string
  readonly hash: () => string
  readonly atOnce: number
  /** The seed of every file, if a person gave one. */
  readonly seed: string | undefined
}

/** A hash over every source. */
function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    const path = join(root, source)
    const files = source.includes('.')
      ? [path]
      : readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
    for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Runs what is missing of a part, and writes its report when nothing is. Returns the exit code. */
export async function provePart(
  name: string,
  part: Part,
  anew: boolean,
  { say, stop, cache, reports, hash, atOnce, seed: given }: Surroundings,
): Promise<number> {
  const reason = await part.cannotRun()
  if (reason !== null) {
    say(`proof ${name}: it cannot run here: ${reason}.`)
    return exitCodes.cannotRun
  }
  if (given !== undefined && !/^\d{1,10}$/.test(given)) {
    say(`HEADROOM_PROPERTY_SEED must be a whole number, not ${given}.`)
    return exitCodes.badInput
  }
  const file = join(cache, `${name}.json`)
  if (anew) rmSync(file, { force: true })
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Run) : null
  const current = hash()
  let run: Run =
    earlier?.sources === current
      ? earlier
      : {
          sources: current,
          commit: commit(),
          begunAt: `${new Date().toISOString().slice(0, 16)}Z`,
          results: {},
        }
  const missing = part.pieces.filter((piece) => run.results[piece] === undefined)
  const done = part.pieces.length - missing.length
  say(
    done === 0
      ? `proof ${name}: ${part.pieces.length} files.`
      : `proof ${name}: goes on with ${missing.length} of ${part.pieces.length} files; ${done} ran since ${run.begunAt}. \`npm run proof -- ${name} --again\` begins anew.`,
  )
  let changed = false
  const work = async (): Promise<void> => {
    for (let piece = missing.shift(); piece !== undefined; piece = missing.shift()) {
      const seed = Number(given ?? randomInt(2 ** 31))
      say(`begins  ${piece}  HEADROOM_PROPERTY_SEED=${seed}`)
      const result = await part.run(piece, seed, stop)
      changed ||= hash() !== current
      if (stop.aborted || changed) return
      run = { ...run, results: { ...run.results, [piece]: { ...result, seed } } }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(run))
      const mark = result.failed.length === 0 ? 'passed' : 'FAILED'
      say(`${mark}  ${piece}  ${totals([result])}  ${result.seconds.toFixed(1)} s`)
    }
  }
  await Promise.all(Array.from({ length: part.oneByOne ? 1 : atOnce }, work))
  if (changed) {
    say(`proof ${name}: a source changed during the run, so nothing is proven. Start it again.`)
    return exitCodes.notProven
  }
  if (stop.aborted) {
    const ran = Object.keys(run.results).length
    say(`proof ${name}: interrupted; ${ran} of ${part.pieces.length} files ran. The same command goes on.`)
    return exitCodes.interrupted
  }
  const report = join(reports, `${name}.md`)
  writeFileSync(report, reportOf(name, part, run, machine()))
  const table = join(reports, 'table.md')
  const found = {
    part: name,
    day: run.begunAt.slice(0, 10),
    commit: run.commit.slice(0, 8),
    machine: machine(),
  }
  const rows = joined(figuresOf(part, run.results)).map((figure) => ({ ...figure, ...found }))
  writeFileSync(table, tableWith(existsSync(table) ? readFileSync(table, 'utf8') : '', name, rows))
  // At the end, where a reader of a long log looks first.
  for (const [piece, { failed, seed }] of Object.entries(run.results))
    if (failed.length > 0) {
      for (const { test, detail } of failed) say(`\nFAILED  ${piece} > ${test}\n${detail}`)
      say(`Repeat it: ${part.again(piece, seed)}`)
    }
  const missed = missedIn(part, run.results)
  for (const one of missed) say(`MISSED  ${one}`)
  say(
    `proof ${name}: ${part.pieces.length} files, ${totals(Object.values(run.results))}, missed: ${missed.length}`,
  )
  const isProven =
    missed.length === 0 && Object.values(run.results).every(({ failed }) => failed.length === 0)
  return isProven ? exitCodes.proven : exitCodes.notProven
}

/** Runs parts one after another. Returns the exit code: a part that is not proven counts most. `json`: prints one document. */
export async function prove(names: readonly string[], anew: boolean, json: boolean): Promise<number> {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted.abort())
  const codes: number[] = []
  const runs: unknown[] = []
  const cache = join(root, 'node_modules/.cache/headroom/proof')
  const output = json ? process.stderr : process.stdout
  for (const name of names) {
    const { part } = (await import(`../${name}.ts`)) as { readonly part: Part }
    codes.push(
      await provePart(name, part, anew, {
        say: (line) => void output.write(`${line}\n`),
        stop: interrupted.signal,
        cache,
        reports: join(root, 'tests/proof'),
        hash: hashOfSources,
        atOnce: availableParallelism(),
        seed: process.env['HEADROOM_PROPERTY_SEED'],
      }),
    )
    const file = join(cache, `${name}.json`)
    const run = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Run) : null
    runs.push({ part: name, code: codes.at(-1), ...run })
    if (interrupted.signal.aborted) break
  }
  if (json) process.stdout.write(`${JSON.stringify(runs)}\n`)
  if (interrupted.signal.aborted) return exitCodes.interrupted
  return codes.includes(exitCodes.notProven) ? exitCodes.notProven : Math.max(...codes)
}
