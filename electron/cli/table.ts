import { withUnseenEscaped } from '../contract/unseen.ts'

/** `1 call`, `2 calls`: for nouns whose plural ends in s. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/**
 * Characters of a cell: enough for a device with user, product and serial number. Raise it if names are cut.
 */
const widest = 64

/** Plain columns for a terminal, one line for each row; the last column has no limit. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string[] {
  const text = [head, ...rows].map((row) =>
    row.map((cell) => (cell === null ? '–' : withUnseenEscaped(String(cell)))),
  )
  const widths = head.map((_, column) =>
    Math.min(
      widest,
      text.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
    ),
  )
  return text.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

const cut = (text: string, width: number): string =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** `21 Nov 2026 13:58` in the machine's own time zone. */
export const moment = (at: number | null): string | null =>
  at === null ? null : format.format(at).replace(',', '')
