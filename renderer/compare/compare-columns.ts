import { pill, words, wordsBeside } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { documentLabel, type DifferenceLine } from '../settings/difference-lines.ts'

export type CompareColumn = 'label' | 'kind' | 'what' | 'from' | 'to' | 'source'

const marks = { added: 'ok', changed: 'busy', removed: 'bad', equal: 'plain' } as const
const wordOf = ({ kind }: DifferenceLine): string => text(`compare.kinds.${kind}`)
const column = columnsOf<DifferenceLine, CompareColumn>('compare.columns')
const titled = (of: (row: DifferenceLine) => string | null) => words<DifferenceLine>(of, { title: of })

export const compareColumns = (): readonly GridColumn<DifferenceLine, CompareColumn>[] => [
  column(
    'label',
    220,
    1,
    wordsBeside(
      (row) => row.label,
      (row) => (row.name === row.label ? null : row.name),
      (row) => row.name,
    ),
    {
      grow: 3,
      look: 'strong',
    },
  ),
  column(
    'kind',
    96,
    2,
    pill((row) => ({ kind: marks[row.kind], label: wordOf(row) })),
  ),
  column(
    'what',
    130,
    5,
    words((row) => row.what),
    { look: 'dim' },
  ),
  column(
    'from',
    150,
    3,
    titled((row) => row.from),
    { grow: 2 },
  ),
  column(
    'to',
    150,
    4,
    titled((row) => row.to),
    { grow: 2 },
  ),
  column(
    'source',
    140,
    6,
    words((row) => documentLabel(row.source)),
    { look: 'dim' },
  ),
]
export const compareValues = {
  label: (row: DifferenceLine) => row.label,
  kind: wordOf,
  what: (row: DifferenceLine) => row.what,
  source: (row: DifferenceLine) => documentLabel(row.source),
}
