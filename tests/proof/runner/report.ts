import type { Count } from '../../setup/cases.ts'
import type { Figure, Part, Result } from './part.ts'

/** What one run of a part found, as it is kept between runs. */
export interface Run {
  /** The hash of the sources that ran. */
  readonly sources: string
  readonly commit: string
  readonly begunAt: string
  readonly results: Readonly<Record<string, Result & { readonly seed: number }>>
}

export const number = (value: number): string => value.toLocaleString('en')
const sum = (counts: readonly Count[], of?: Count['of']): number =>
  counts.reduce((all, count) => all + (of === undefined || count.of === of ? count.ran : 0), 0)

/** One of a file's tests ran at most so often: several counts of one test are added. */
function most(counts: readonly Count[], of: Count['of']): number {
  const byTest = Map.groupBy(counts, ({ test }) => test)
  return Math.max(0, ...[...byTest.values()].map((own) => sum(own, of)))
}

/** What was missed, a sentence each: a piece, a count, a target. Failed tests are not among them. */
export function missedIn(part: Part, results: Run['results']): readonly string[] {
  const missed: string[] = []
  for (const piece of part.pieces) {
    const result = results[piece]
    if (result === undefined) missed.push(`${piece} did not run.`)
    else if (result.counts.length === 0) missed.push(`${piece} counted nothing.`)
    for (const { test, of, due, ran } of result?.counts ?? [])
      if (ran < due) missed.push(`${piece}: only ${number(ran)} of ${number(due)} ${of} ran: ${test}`)
  }
  for (const { target, piece, of, due } of part.targets) {
    const ran = most(results[piece]?.counts ?? [], of)
    if (ran < due)
      missed.push(
        `${target} asks for ${number(due)} ${of}, and ${piece} ran at most ${number(ran)} in a test.`,
      )
  }
  for (const { id, figure, isMet } of part.together?.(Object.values(results)) ?? [])
    if (!isMet) missed.push(`${id}: ${figure}.`)
  return missed
}

/** What the counts of a part's targets say, and what its pieces say themselves. */
export const figuresOf = (part: Part, results: Run['results']): readonly Figure[] => [
  ...part.targets.map(({ id, target, piece, of, due }) => {
    const result = results[piece]
    const ran = most(result?.counts ?? [], of)
    const failed = result?.failed.length ?? 0
    const figure = `${target}: ${number(ran)} ${of}, ${number(failed)} failed`
    return { id, figure, isMet: ran >= due && failed === 0 }
  }),
  ...Object.values(results).flatMap(({ figures }) => figures ?? []),
  ...(part.together?.(Object.values(results)) ?? []),
  ...(part.shows === undefined
    ? []
    : [
        {
          id: part.shows,
          figure: totals(Object.values(results)),
          isMet:
            missedIn(part, results).length === 0 &&
            Object.values(results).every(({ failed }) => failed.length === 0),
        },
      ]),
]

/** Tests that count cases. */
const properties = (results: readonly Result[]): number =>
  results.reduce(
    (all, { counts }) =>
      all + new Set(counts.filter(({ of }) => of === 'cases').map(({ test }) => test)).size,
    0,
  )

/** "properties: 3, cases: 6,000, kills: 50, failed: 0". */
export function totals(results: readonly Result[]): string {
  const counts = results.flatMap((result) => result.counts)
  const failed = results.flatMap((result) => result.failed).length
  const kills = sum(counts, 'kills')
  return [
    `properties: ${number(properties(results))}`,
    `cases: ${number(sum(counts, 'cases'))}`,
    ...(kills === 0 ? [] : [`kills: ${number(kills)}`]),
    `failed: ${number(failed)}`,
  ].join(', ')
}

/** The report as it lies in the tree. */
export function reportOf(name: string, part: Part, run: Run, machine: string): string {
  const rows = part.pieces.map((piece) => ({ piece, result: run.results[piece]! }))
  const results = rows.map(({ result }) => result)
  const cells = (some: readonly Result[], seed: string): string => {
    const counts = some.flatMap((result) => result.counts)
    return [
      number(properties(some)),
      number(sum(counts, 'cases')),
      number(sum(counts, 'kills')),
      number(some.flatMap(({ failed }) => failed).length),
      some.reduce((all, { seconds }) => all + seconds, 0).toFixed(1),
      seed,
    ].join(' | ')
  }
  const targets =
    part.targets.length === 0
      ? ''
      : `| Target | Asked | Ran in one test | File |
|---|---|---|---|
${part.targets
  .map(
    ({ target, piece, of, due }) =>
      `| ${target} | ${number(due)} ${of} | ${number(most(run.results[piece]!.counts, of))} | \`${piece}\` |`,
  )
  .join('\n')}

`
  const problems = [
    ...rows.flatMap(({ piece, result }) => result.failed.map(({ test }) => `Failed: ${piece}: ${test}`)),
    ...missedIn(part, run.results),
  ]
  return `# Proof: ${name}

${part.purpose} Written by \`npm run proof -- ${name}\`; do not edit.

- Begun: ${run.begunAt}
- Commit: ${run.commit}
- Machine: ${machine}
- Result: ${problems.length === 0 ? 'everything ran and passed' : 'NOT PROVEN'}: ${number(rows.length)} files, ${totals(results)}

${problems.map((problem) => `- ${problem.replaceAll('\n', ' ')}\n`).join('')}${problems.length === 0 ? '' : '\n'}${targets}| File | Properties | Cases | Kills | Failed | Seconds | Seed |
|---|---|---|---|---|---|---|
${rows.map(({ piece, result }) => `| \`${piece}\` | ${cells([result], String(result.seed))} |`).join('\n')}
| **All** | ${cells(results, '')} |
${rows.flatMap(({ piece, result }) => (result.notes ?? []).map((note) => `\n- \`${piece}\`: ${note}`)).join('')}`
    .trimEnd()
    .concat('\n')
}
