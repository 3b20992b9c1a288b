import { computed, type ComputedRef } from 'vue'
import type { DriftedDevice, GoldenDevicesQuery } from '../../electron/contract/api/golden-profiles.ts'
import { deviceTitle } from '../../electron/contract/device-name.ts'
import { age, side, status, words, wordsBeside } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { useExports } from '../exports/exports-store.ts'
import { deviceCell } from '../lists/device-cell.ts'
import { useListLayouts } from '../lists/list-layout-store.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { useNow } from '../components/now.ts'
import { staleAfterInMs } from '../components/stale-limit.ts'
import { driftOf, moreDriftOf, namedDriftOf, identityOf, stateMarks, stateWord } from './drift-text.ts'

export type DriftColumn = 'name' | 'state' | 'drift' | 'readAt'

const driftColumn = columnsOf<DriftedDevice, DriftColumn>('goldenProfiles.devices')
const state = status<DriftedDevice>((row) => ({ kind: stateMarks[row.state], label: stateWord(row.state) }))

/** What differs between rows is shown: their states, their products. */
export function useDriftColumns(
  differ: () => {
    readonly states: boolean
    readonly products: boolean
    /** The setting of the rows; null: any. */
    readonly setting?: string | null | undefined
  },
): ComputedRef<readonly GridColumn<DriftedDevice, DriftColumn>[]> {
  const now = useNow()
  const device = differ().products
    ? deviceCell(identityOf)
    : wordsBeside<DriftedDevice>(
        (row) => deviceTitle(identityOf(row)),
        (row) => row.serialNumber,
      )
  const drift = side<DriftedDevice>(
    words((row) => driftOf(row, differ().setting ?? null), { title: namedDriftOf }),
    words(moreDriftOf, { title: namedDriftOf, none: '' }),
  )
  const read = age<DriftedDevice>(
    (row) => row.readAt,
    () => now.value,
    () => staleAfterInMs.value,
  )
  return computed(() =>
    [
      // In full: a user's address with a serial number, and one difference.
      driftColumn('name', 180, 1, device, { full: 252, grow: 3 }),
      ...(differ().states ? [driftColumn('state', 128, 3, state)] : []),
      driftColumn('drift', 150, 2, drift, { full: 300, grow: 4, look: 'differs' }),
      driftColumn('readAt', 84, 4, read, { look: 'end tabular-nums' }),
    ].map((one) => ({ ...one, fixed: true })),
  )
}

/** Exports all devices of a drift list with the visible columns. `name`: the name of the list. */
export function useDriftExport() {
  const exports = useExports()
  const layouts = useListLayouts()
  return (name: string, profile: GoldenDevicesQuery | null, total: number): void =>
    exports.ask({
      title: text('lists.export.title', { list: name }),
      choices: [
        {
          label: countedText('lists.export.rows', total, { n: formatCount(total) }),
          count: total,
          subject: { of: 'drift', name, profile },
        },
      ],
      columns: (layouts.visibleColumns.drift ?? []).flatMap((key) =>
        key === 'name' ? ['userOrRoom', 'productName', 'serialNumber'] : [key],
      ),
      viewName: null,
    })
}
