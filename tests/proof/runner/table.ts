import { aims } from './aims.ts'
import type { Figure } from './part.ts'

/** A target's figure by one part, with what it was found on. */
export interface TableRow extends Figure {
  readonly part: string
  readonly day: string
  readonly commit: string
  readonly machine: string
}

const head = `| Target | Asked | Found | Command | Day | Commit | Machine |
|---|---|---|---|---|---|---|`
const below = '**Below:** '
const none = '**No figure**'

/** One line of the table, or null. Cells contain no vertical bar. */
function rowOf(line: string): TableRow | null {
  const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''))
  const [id, , figure, command, day, commit, machine] = cells
  const part = /npm run proof -- (\w+)/.exec(command ?? '')?.[1]
  if (machine === undefined || part === undefined || figure === none) return null
  const isMet = !figure!.startsWith(below)
  return {
    id: id!,
    figure: isMet ? figure! : figure!.slice(below.length),
    isMet,
    part,
    day: day!,
    commit: commit!,
    machine,
  }
}

/** The table with the rows of one part replaced. First what is below its aim or has no figure; an order by target within both. */
export function tableWith(earlier: string, part: string, rows: readonly TableRow[]): string {
  const kept = earlier.split('\n').flatMap((line) => rowOf(line) ?? [])
  const all = [...kept.filter((row) => row.part !== part), ...rows]
  const lines = Object.entries(aims).flatMap(([id, { aim, parts }]) =>
    (parts.length === 0 ? [''] : parts).map((shownBy) => {
      const row = all.find((one) => one.id === id && one.part === shownBy)
      const command = shownBy === '' ? '' : `\`npm run proof -- ${shownBy}\``
      const found = row === undefined ? none : row.isMet ? row.figure : `${below}${row.figure}`
      const cells = [id, aim, found, command, row?.day ?? '', row?.commit ?? '', row?.machine ?? '']
      return { isMet: row?.isMet === true, line: `| ${cells.join(' | ')} |` }
    }),
  )
  const [met, others] = [lines.filter(({ isMet }) => isMet), lines.filter(({ isMet }) => !isMet)]
  return `# Every target

What is asked of Headroom, and what was found. Written by \`npm run proof -- PART\`; \`-- all\` runs every part. Do not edit. A row keeps the day, commit and machine that it was found on. First what is below its aim or has no figure: ${others.length} of ${lines.length}.

${head}
${[...others, ...met].map(({ line }) => line).join('\n')}
`
}

/** One figure for each target: those of several pieces are joined. */
export const joined = (figures: readonly Figure[]): readonly Figure[] =>
  [...Map.groupBy(figures, ({ id }) => id)].map(([id, own]) => ({
    id,
    figure: own.map(({ figure }) => figure).join('; '),
    isMet: own.every(({ isMet }) => isMet),
  }))
