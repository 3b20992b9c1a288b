import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commit, machine } from './runner/made-on.ts'
import type { Figure, Part, Result } from './runner/part.ts'
import { runScript } from './runner/run-command.ts'

type Found = Readonly<Record<string, unknown>>
/** A figure that a benchmark returns: `ratios` are compared with those that are kept, the lower the better. */
interface Bench {
  readonly ratios: (found: Found) => Readonly<Record<string, number | null>>
  readonly figures: (found: Found) => readonly Figure[]
}

const at = (found: Found, path: string): number | null => {
  let value: unknown = found
  for (const name of path.split('.')) value = (value as Found | undefined)?.[name]
  return typeof value === 'number' ? value : null
}
const picked = (found: Found, paths: readonly string[]): Readonly<Record<string, number | null>> =>
  Object.fromEntries(paths.map((path) => [path, at(found, path)]))
/** Each figure with its limit; one that is missing is not met. */
const limits = (id: string, found: Found, atMost: Readonly<Record<string, number>>): Figure => ({
  id,
  figure: Object.keys(atMost)
    .map((path) => `${path} ${at(found, path) ?? 'missing'}`)
    .join(', '),
  isMet: Object.entries(atMost).every(([path, limit]) => (at(found, path) ?? Infinity) <= limit),
})

/** Also how long a letter takes: the next aim is 50 ms at 10,000 devices and 80 ms at 100,000. */
const withLetters = (found: Found, { figure, ...rest }: Figure): Figure => ({
  ...rest,
  figure: `${figure}; a letter, p95: ${at(found, 'V2_p95_10k')} and ${at(found, 'V2_p95_100k')} ms`,
})

interface Load {
  readonly load: string
  readonly by: string
  readonly ratio: number
  readonly peakPerSecond: number
  readonly peakPerFiveMinutes: number
}
const own = ({ loads }: Found): readonly Load[] =>
  (loads as readonly Load[]).filter(({ by }) => by.startsWith('Headroom'))
const each = (rows: readonly Found[], path: string): string => rows.map((row) => at(row, path)).join(' and ')

const benches: Readonly<Record<string, Bench>> = {
  'call-budget': {
    ratios: (found) => ({
      ...Object.fromEntries(own(found).map(({ by, load, ratio }) => [`${by}: ${load}`, ratio])),
      ...picked(found, ['decision.ratio']),
    }),
    figures: (found) => {
      const [seconds, windows] = [
        Math.max(...own(found).map(({ peakPerSecond }) => peakPerSecond)),
        Math.max(...own(found).map(({ peakPerFiveMinutes }) => peakPerFiveMinutes)),
      ]
      const ratio = Math.max(...own(found).map((row) => row.ratio))
      return [
        {
          id: 'R1',
          figure: `three loads: at most ${seconds} in a second, ${windows} in five minutes`,
          isMet: seconds <= 100 && windows <= 10_000,
        },
        { id: 'R2', figure: `at most ${ratio}`, isMet: ratio <= 1.1 },
        limits('R11', found, { 'decision.ratio': 3 }),
      ]
    },
  },
  download: { ratios: (found) => picked(found, ['oursToBare', 'oursToHashed']), figures: () => [] },
  explorer: { ratios: (found) => picked(found, ['ratio']), figures: () => [] },
  fleet: { ratios: ({ sync }) => picked((sync as Found[])[0]!, ['ratio']), figures: () => [] },
  sync: {
    ratios: (found) =>
      Object.fromEntries(
        (Object.values(found) as { devices: number; syncs: { name: string; ratio: number }[] }[]).flatMap(
          ({ devices, syncs }) => syncs.map(({ name, ratio }) => [`${devices}: ${name}`, ratio]),
        ),
      ),
    figures: () => [],
  },
  'two-programs': {
    ratios: () => ({}),
    figures: (found) => {
      const runs = found['figures'] as readonly Found[]
      return [
        {
          id: 'R3',
          figure: `${each(runs, 'answered429')} answered 429 of ${each(runs, 'answered200')}`,
          isMet: runs.every((run) => at(run, 'answered429') === 0 && (at(run, 'answered200') ?? 0) >= 1_000),
        },
      ]
    },
  },
  view: {
    ratios: (found) =>
      picked(found, [
        'V1_ratio',
        'V2_vs_before_10k',
        'V2_vs_before_100k',
        'V3_drag_ratio',
        'D2_ratio',
        'D4_ratio',
      ]),
    figures: (found) => [
      limits('V1', found, { V1_ratio: 1.2 }),
      withLetters(found, limits('V2', found, { V2_vs_before_100k: 0.7, V2_vs_before_10k: 0.85 })),
      limits('V3', found, { V3_wheel_steps: 1, V3_drag_ratio: 1, V3_flyby_max: 100, V3_rest_to_text: 150 }),
      limits('V4', found, { rendererMb_100k: 60, mainMb_100k: 300 }),
      limits('V5', found, { V5_p95: 100, write_begin_p99: 100 }),
      limits('D2', found, { D2_ratio: 1.25, D2_delay_p99: 50, D2_first_rows: 2 }),
      limits('D4', found, { D4_ratio: 2 }),
    ],
  },
}

const keptFile = join(import.meta.dirname, 'kept-ratios.md')
const keptHead = `# Kept ratios

What the proof of the benchmarks compares with. Written by \`HEADROOM_KEEP=1 npm run proof -- bench\`, when a change is meant to stay.

| Benchmark | Figure | Ratio | Day | Commit | Machine |
|---|---|---|---|---|---|`
type Kept = readonly [bench: string, figure: string, ratio: string, ...measuredOn: string[]]
export const kept = (): readonly Kept[] =>
  (existsSync(keptFile) ? readFileSync(keptFile, 'utf8').split('\n') : [])
    .filter((line) => /^\| [a-z]/.test(line))
    .map((line) => line.slice(2, -2).split(' | ') as unknown as Kept)
/** A ratio that was kept, and its day. */
interface Before {
  readonly ratio: number
  readonly day: string
}
const keptOf = (name: string): ReadonlyMap<string, Before> =>
  new Map(
    kept().flatMap(([bench, figure, ratio, day = '']) =>
      bench === name ? [[figure, { ratio: Number(ratio), day }]] : [],
    ),
  )
/** Why a ratio does not pass. */
function fault(ratio: number | null | undefined, before: Before | undefined): string | null {
  if (ratio === undefined) return 'It is kept, and the benchmark has no such figure.'
  if (ratio === null) return 'It was not measured.'
  if (before === undefined) return `It is ${ratio}, and no ratio of it is kept to compare with.`
  if (ratio <= before.ratio * 1.1) return null
  return `It is ${ratio}, more than a tenth above ${before.ratio} of ${before.day}.`
}
/** Each ratio that does not pass, with the reason. `isKept`: these ratios take the place of those before. */
export function compared(
  now: ReadonlyMap<string, number | null>,
  before: ReadonlyMap<string, Before>,
  isKept: boolean,
): Result['failed'] {
  const due = isKept ? [...now.keys()] : new Set([...now.keys(), ...before.keys()])
  return [...due].flatMap((figure) => {
    const ratio = now.get(figure)
    const detail = fault(ratio, isKept ? { ratio: Infinity, day: '' } : before.get(figure))
    return detail === null ? [] : [{ test: figure, detail }]
  })
}
function keep(name: string, ratios: readonly (readonly [string, number | null])[]): void {
  const day = new Date().toISOString().slice(0, 10)
  const taken = ratios.map(([figure, ratio]) => [name, figure, String(ratio), day, commit(), machine()])
  const rows = [...kept().filter(([bench]) => bench !== name), ...taken]
  writeFileSync(
    keptFile,
    `${keptHead}\n${rows
      .map((row) => `| ${row.join(' | ')} |\n`)
      .sort()
      .join('')}`,
  )
}

export const part: Part = {
  purpose:
    'Every benchmark that compares with a floor or a peer of the same run. A ratio that is more than a tenth worse than the kept one fails, as does one that is missing or has none. A case is a ratio or a figure of a target.',
  pieces: Object.keys(benches),
  oneByOne: true,
  targets: [],
  cannotRun: async () => null,
  run: async (name, _seed, stop) => {
    const { code, output, errors, seconds } = await runScript(['build/bench.mjs', name, '--json'], stop)
    if (code !== 0) return { counts: [], failed: [{ test: name, detail: errors }], seconds }
    const found = JSON.parse(output.trim().split('\n').at(-1)!) as Found
    const { ratios, figures } = benches[name]!
    const now = new Map(Object.entries(ratios(found)))
    const before = keptOf(name)
    const isKept = process.env['HEADROOM_KEEP'] === '1'
    if (isKept)
      keep(
        name,
        [...now].filter(([, ratio]) => ratio !== null),
      )
    const targets = figures(found)
    return {
      counts: [{ test: name, of: 'cases', due: 1, ran: now.size + targets.length }],
      failed: compared(now, before, isKept),
      seconds,
      figures: targets,
      notes: [...now].map(([figure, ratio]) => {
        const known = before.get(figure)
        return `${figure}: ${ratio ?? 'not measured'}${known === undefined ? '' : ` (kept: ${known.ratio} of ${known.day})`}`
      }),
    }
  },
  again: (name) => `npm run bench -- ${name} --json`,
}
