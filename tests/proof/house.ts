import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './runner/made-on.ts'
import type { Figure, Part } from './runner/part.ts'
import { number } from './runner/report.ts'
import { runScript, type Ended } from './runner/run-command.ts'

interface Step {
  run(stop: AbortSignal): Promise<{ readonly ended: readonly Ended[]; readonly figures: readonly Figure[] }>
}

const tracked = (...paths: readonly string[]): readonly string[] =>
  spawnSync('git', ['ls-files', '-z', '--', ...paths], { cwd: root, encoding: 'utf8' })
    .stdout.split('\0')
    .filter((file) => file !== '')
/** What the aim was counted of: no texts, documents or data. */
const codeIn = (files: readonly string[]): readonly string[] =>
  files.filter((file) => /\.(?:ts|vue|css|[cm]?js)$/.test(file))
const counted = (files: readonly string[], by: RegExp): number =>
  files.reduce((all, file) => all + (readFileSync(join(root, file), 'utf8').match(by)?.length ?? 0), 0)
/** Seconds of a run, and of processor time by its last lines, whose own seconds are those since the proof began. */
const timesOf = ({ output, seconds }: Ended): readonly [number, number] => {
  const [, processor = NaN] = /^total {2}[\d.]+ s, ([\d.]+) s of processor time$/m.exec(output) ?? []
  return [seconds, Number(processor)]
}

const steps: Readonly<Record<string, Step>> = {
  'lines and words': {
    run: async () => {
      const product = counted(codeIn(tracked('electron', 'renderer')), /\n/g)
      const tests = counted(codeIn(tracked('tests')), /\n/g)
      const words = counted(tracked('README.md', '*/README.md'), /\S+/g)
      const figure = `product ${number(product)} lines, tests ${number(tests)}, READMEs ${number(words)} words`
      const isMet = product < 105_500 && tests < 84_000 && words < 23_500
      return { ended: [], figures: [{ id: 'H5', figure, isMet }] }
    },
  },
  'npm run check, twice': {
    run: async (stop) => {
      const ended = []
      // The first fills the caches.
      for (const script of ['check.mjs', 'types.mjs', 'check.mjs', 'types.mjs'])
        ended.push(await runScript([`build/${script}`, ...(script === 'types.mjs' ? ['--quick'] : [])], stop))
      const [, , check, types] = ended.map(({ seconds }) => seconds)
      const figure = `${check} s, types ${types} s`
      return { ended, figures: [{ id: 'H2', figure, isMet: check! < 35 && types! < 10 }] }
    },
  },
  'coverage of the core': {
    run: async (stop) => {
      const folder = mkdtempSync(join(tmpdir(), 'headroom-coverage-'))
      const options = ['include=electron/core/**/*.ts', 'reporter=json-summary', `reportsDirectory=${folder}`]
      const words = ['node_modules/vitest/vitest.mjs', 'run', '--coverage.enabled', '--testTimeout=600000']
      const ended = await runScript([...words, ...options.map((one) => `--coverage.${one}`)], stop)
      const file = join(folder, 'coverage-summary.json')
      const { total } = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as {
        readonly total?: Readonly<Record<'lines' | 'branches', { readonly pct: number }>>
      }
      rmSync(folder, { recursive: true, force: true })
      const [lines, branches] = [total?.lines.pct ?? 0, total?.branches.pct ?? 0]
      const figure = `${lines} % of lines, ${branches} % of branches`
      return { ended: [ended], figures: [{ id: 'H4', figure, isMet: lines > 90 && branches > 90 }] }
    },
  },
  'npm test in a fresh clone, twice': {
    run: async (stop) => {
      const clone = mkdtempSync(join(tmpdir(), 'headroom-clone-'))
      spawnSync('git', ['clone', '--quiet', root, clone])
      const setUp = await runScript(['build/types.mjs', '--quick'], stop, {}, clone)
      const tests = [
        await runScript(['build/test.mjs'], stop, {}, clone),
        await runScript(['build/test.mjs'], stop, {}, clone),
      ]
      rmSync(clone, { recursive: true, force: true })
      const [[first, processor], [second]] = tests.map(timesOf) as [
        readonly [number, number],
        readonly [number],
      ]
      return {
        ended: tests,
        figures: [
          { id: 'H1', figure: `${setUp.seconds} s, types included`, isMet: setUp.seconds < 180 },
          {
            id: 'H3',
            figure: `${first} s, ${processor} s of processor time; again ${second} s`,
            isMet: first < 450 && processor < 850 && second < 390,
          },
        ],
      }
    },
  },
}

export const part: Part = {
  purpose: 'What it costs to work on Headroom: set-up, checks, tests, coverage and size. A case is a figure.',
  pieces: Object.keys(steps),
  oneByOne: true,
  targets: [],
  cannotRun: async () => (existsSync(join(root, '.git')) ? null : 'it needs a clone of the repository'),
  run: async (step, _seed, stop) => {
    const startedAt = performance.now()
    const { ended, figures } = await steps[step]!.run(stop)
    return {
      counts: [{ test: step, of: 'cases', due: 1, ran: figures.length }],
      failed: ended
        .filter(({ code }) => code !== 0)
        .map(({ output, errors }) => ({ test: step, detail: `${output}\n${errors}` })),
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
      figures,
    }
  },
  again: () => 'npm run proof -- house --again',
}
