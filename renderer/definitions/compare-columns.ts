import type { LineAtRisk, SelectionComparison } from '../../electron/contract/api/definitions.ts'
import { pill, words } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { documentLabel, type SettingLine } from '../settings/difference-lines.ts'

export type CompareColumn = 'label' | 'name' | 'kind' | 'what' | 'from' | 'to' | 'yours' | 'source'

const marks = { added: 'ok', changed: 'busy', removed: 'bad', equal: 'plain' } as const
const wordOf = ({ kind }: SettingLine): string => text(`definitions.compare.kinds.${kind}`)
const column = columnsOf<SettingLine, CompareColumn>('definitions.compare.columns')
const titled = (of: (row: SettingLine) => string | null) => words<SettingLine>(of, { title: of })

type Yours = SelectionComparison['yours']

/** How many devices hold a value that the second side does not allow; null: the line has no such value. */
function yoursOn(yours: Yours, { kind, inDocuments }: SettingLine): number | null {
  if (yours === null || kind === 'added' || kind === 'equal') return null
  const isIn = (one: LineAtRisk): boolean =>
    inDocuments.some(
      ({ source, name }) => one.source === source && one.name.toLowerCase() === name.toLowerCase(),
    )
  return Math.max(0, ...yours.lines.filter(isIn).map(({ devices }) => devices))
}
const sourcesOf = ({ inDocuments }: SettingLine): string =>
  inDocuments.map(({ source }) => documentLabel(source)).join(', ')
/** Of an added or removed setting the difference says everything. */
const whatOf = ({ kind, what }: SettingLine): string | null => (kind === 'changed' ? what : null)

/** `versions`: the firmware of both sides, if it tells them apart; null: it does not. */
export const compareColumns = (
  yours: Yours,
  versions: readonly [string, string] | null,
): readonly GridColumn<SettingLine, CompareColumn>[] => [
  column(
    'label',
    200,
    1,
    titled((row) => row.label),
    { grow: 4, look: 'strong', full: 236 },
  ),
  column(
    'name',
    190,
    4,
    titled((row) => row.name),
    { grow: 3, look: 'mono dim', full: 262 },
  ),
  column(
    'kind',
    96,
    2,
    pill((row) => ({ kind: marks[row.kind], label: wordOf(row) })),
  ),
  column('what', 110, 6, words(whatOf), { look: 'dim' }),
  column(
    'from',
    120,
    3,
    titled((row) => row.from),
    { grow: 2, ...(versions && { label: versions[0] }) },
  ),
  column(
    'to',
    120,
    3,
    titled((row) => row.to),
    { grow: 2, ...(versions && { label: versions[1] }) },
  ),
  ...(yours === null
    ? []
    : [
        column(
          'yours',
          120,
          4,
          pill((row) => {
            const devices = yoursOn(yours, row)
            const [n, total] = [formatCount(devices ?? 0), formatCount(yours.total)]
            return devices === null
              ? null
              : {
                  kind: devices === 0 ? 'word' : 'warn',
                  label: text('definitions.compare.yoursOf', { n, total }),
                }
          }),
          { descendingFirst: true },
        ),
      ]),
  column('source', 140, 7, titled(sourcesOf), { look: 'dim', full: 230 }),
]
export const compareValues = (yours: Yours) => ({
  yours: (row: SettingLine) => yoursOn(yours, row),
  label: (row: SettingLine) => row.label,
  name: (row: SettingLine) => row.name,
  kind: wordOf,
  what: whatOf,
  from: (row: SettingLine) => row.from,
  to: (row: SettingLine) => row.to,
  source: sourcesOf,
})
