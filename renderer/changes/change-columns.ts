import { computed, type ComputedRef } from 'vue'
import type { ChangeRow } from '../../electron/contract/api/changes.ts'
import { subjectOf } from '../../electron/contract/device-name.ts'
import { picture, side, status, words } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { deviceCell } from '../lists/device-cell.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { text } from '../locales/i18n.ts'
import { pictureClass } from '../pictures/pictures-store.ts'
import { formatMoment } from '../components/format.ts'
import { fromTo, markOfKind, wordOfKind } from '../lists/change-text.ts'

export type ChangeListColumn = 'observedAt' | 'kind' | 'subjectName' | 'after' | 'productName' | 'roomName'
const column = columnsOf<ChangeRow, ChangeListColumn>('changes.columns')
const kind = side<ChangeRow>(
  status((row) => ({ kind: markOfKind(row.kind), label: wordOfKind(row.kind) })),
  words((row) => (row.own ? text('changes.own') : null), { isQuiet: () => true, none: '' }),
)
const room = words<ChangeRow>((row) => (row.room ? (row.room.name ?? text('rooms.unnamed')) : null))

export function useChangeColumns(): ComputedRef<readonly GridColumn<ChangeRow, ChangeListColumn>[]> {
  const appLayout = useLayoutStore()
  const name = side<ChangeRow>(
    picture(({ of, productId, productName }) =>
      of === 'room' ? '' : pictureClass(appLayout.current?.vendorId, productId, productName),
    ),
    deviceCell(subjectOf),
  )
  return computed(() => [
    column(
      'observedAt',
      140,
      3,
      words((row) => formatMoment(row.observedAt)),
      { look: 'tabular-nums', descendingFirst: true },
    ),
    column('kind', 178, 2, kind),
    column('subjectName', 180, 1, name, { grow: 3 }),
    column('after', 180, 4, words(fromTo), { grow: 2 }),
    column(
      'productName',
      160,
      6,
      words((row) => row.productName),
      { grow: 1, look: 'dim' },
    ),
    column('roomName', 130, 5, room, { grow: 1 }),
  ])
}
