import { computed, type ComputedRef } from 'vue'
import type { DeviceColumn, DeviceRow } from '../../electron/contract/api/devices.ts'
import { freeWordsOf, matchedBy } from '../filter/matched-by.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { text } from '../locales/i18n.ts'
import { useTags } from '../tags/tags-store.ts'
import { useNow } from '../components/now.ts'
import { staleAfterInMs } from '../components/stale-limit.ts'
import { columnsIn } from './column-filter.ts'
import { cellOf } from './device-cells.ts'
import { columnFacts, isSortColumn } from './device-columns.ts'
import { cellText } from './device-text.ts'

/** The columns of the device list; a match of the filter `applied` in a hidden column is shown with the name. */
export function useDeviceColumns(list: {
  readonly where: () => string
  readonly applied: () => string
  readonly visible: () => readonly DeviceColumn[]
}): {
  readonly columns: ComputedRef<readonly GridColumn<DeviceRow, DeviceColumn>[]>
  readonly repaintOn: ComputedRef<unknown>
} {
  const now = useNow()
  const appLayout = useLayoutStore()
  const tags = useTags()
  const freeWords = computed(() => freeWordsOf(list.applied()))
  const filtered = computed(() => columnsIn(list.where()))
  const present = {
    now: () => now.value,
    staleAfterInMs: () => staleAfterInMs.value,
    vendorId: () => appLayout.current?.vendorId,
    matched: (row: DeviceRow) =>
      freeWords.value.length === 0
        ? null
        : matchedBy(
            row,
            freeWords.value,
            list.visible().map((column) => cellText(row, column)),
          ),
  }
  const cells = columnFacts.map(({ column, ...fact }) => ({
    ...fact,
    column,
    cell: cellOf(column, present),
  }))
  return {
    columns: computed(() =>
      cells.map(({ column, ...drawn }) => ({
        ...drawn,
        key: column,
        // Without tags its room is for others.
        priority: column === 'tags' && !tags.known?.length ? null : drawn.priority,
        label: text(`devices.columns.${column}`),
        fixed: !isSortColumn(column),
        funnel: filtered.value.has(column) ? 'on' : 'off',
      })),
    ),
    repaintOn: computed(() => [freeWords.value, list.visible()]),
  }
}
