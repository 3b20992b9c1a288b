import { momentText } from '../contract/date-text.ts'
import { withUnseenEscaped } from '../contract/unseen.ts'

/** `1 call`, `2 calls`: for nouns whose plural ends in s. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** One line of a table. Where it is written decides how wide it may be. */
export interface TableLine {
  readonly cells: readonly string[]
  readonly table: {
    readonly head: readonly string[]
    /** The longest cell of each column, in characters. */
    readonly widths: readonly number[]
    /** Columns with a cell of several words. They are cut first: half a serial number or version is of no use. */
    readonly wordy: readonly boolean[]
  }
}

/** Text for people, or a line of a table. */
export type Line = string | TableLine

/** A terminal in front of a person. `width` in characters. */
export interface Screen {
  readonly width: number
  readonly coloured: boolean
}

/** Plain columns, one line for each row and one for the head. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): TableLine[] {
  const lines = [head, ...rows].map((row) =>
    row.map((cell) => (cell === null ? '–' : withUnseenEscaped(String(cell)))),
  )
  const widths = head.map((_, column) =>
    lines.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  )
  const wordy = head.map((_, column) => lines.some((row, at) => at > 0 && row[column]?.includes(' ')))
  return lines.map((cells) => ({ cells, table: { head, widths, wordy } }))
}

/**
 * A line as it is written, with control characters as text. On a screen a table fits the width and is coloured
 * where something is to be done; null, for a pipe: nothing is cut.
 */
export function laidOut(line: Line, screen: Screen | null): string {
  if (typeof line === 'string') return withUnseenEscaped(line)
  const { cells, table: of } = line
  const widths = screen === null ? of.widths : fitted(of, screen.width)
  const isHead = cells.every((cell, column) => cell === of.head[column])
  const shown = widths.map((width, column) => {
    const cell = cells[column] ?? ''
    const text = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell
    const tone = screen?.coloured !== true ? null : isHead ? bold : toneOf(of.head[column] ?? '', cell)
    const end = column === widths.length - 1 ? '' : ' '.repeat(width - text.length)
    return (tone === null ? text : `\x1b[${tone}m${text}\x1b[0m`) + end
  })
  return (isHead && widths.length < cells.length ? [...shown, '…'] : shown).join(between).trimEnd()
}

const between = '  '
/** Characters of a cell of words that still tell rows apart. Lower it if too few columns fit small windows. */
const fewest = 16

/**
 * Columns of words, the widest first, give way until all fit; if they cannot, the last columns are left out,
 * which the head shows.
 */
function fitted({ widths, wordy }: TableLine['table'], screen: number): readonly number[] {
  const least = widths.map((width, column) => (wordy[column] === true ? Math.min(width, fewest) : width))
  const room = (columns: number): number => screen - between.length * columns
  let columns = widths.length
  const all = sum(least) <= room(columns - 1)
  // The sign for further columns is one character wide.
  while (!all && columns > 1 && sum(least.slice(0, columns)) + 1 > room(columns)) columns--
  const shown = widths.slice(0, columns)
  const free = all ? room(columns - 1) : room(columns) - 1
  const cut = (most: number): readonly number[] =>
    shown.map((width, column) => (wordy[column] === true ? Math.min(width, most) : width))
  for (let most = Math.max(...shown); most > fewest; most--) if (sum(cut(most)) <= free) return cut(most)
  return cut(fewest).map((width) => Math.min(width, Math.max(free, 1)))
}

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0)

const [bold, red, yellow, grey] = [1, 31, 33, 90]
/** Columns whose words are ours or a documented status. */
const toned = new Set(['Status', 'Health', 'Firmware', 'State', 'Outcome', 'Result'])
const toneOf = (head: string, cell: string): number | null =>
  !toned.has(head)
    ? null
    : /\b(down|failed|revoked|error)\b/i.test(cell)
      ? red
      : /\b(behind|trouble|unconfirmed|paused|not sent)\b/i.test(cell)
        ? yellow
        : /\b(offline|unknown|gone)\b/i.test(cell)
          ? grey
          : null

/** `21 Nov 2026 13:58` in the machine's own time zone. */
export const moment = (at: number | null): string | null => (at === null ? null : momentText(at))
