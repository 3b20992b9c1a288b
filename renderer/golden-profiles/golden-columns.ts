import { computed, type ComputedRef } from 'vue'
import type {
  DriftedDevice,
  GoldenDevicesQuery,
  GoldenProfileSummary,
} from '../../electron/contract/api/golden-profiles.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import type { DriftState } from '../../electron/contract/golden-profile.ts'
import { age, picture, side, status, words, type Cell } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import type { RowValues } from '../lists/use-rows.ts'
import { useExports } from '../exports/exports-store.ts'
import { deviceCell } from '../lists/device-cell.ts'
import { useListLayouts } from '../lists/list-layout-store.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { useNow } from '../components/now.ts'
import { staleAfterInMs } from '../components/stale-limit.ts'
import { driftOf, namedDriftOf, identityOf, productOf, stateMarks, stateWord } from './drift-text.ts'

export type GoldenColumn = 'name' | 'product' | 'settings' | DriftState | 'readAt'
export type DriftColumn = 'name' | 'state' | 'drift'

const column = columnsOf<GoldenProfileSummary, GoldenColumn>('goldenProfiles.columns')
const count = (state: DriftState): Cell<GoldenProfileSummary> =>
  status(({ counts }) => ({
    kind: counts[state] > 0 ? stateMarks[state] : null,
    label: formatCount(counts[state]),
  }))
const nameCell = side(
  picture<GoldenProfileSummary>(({ profile }) => formFactorOf(profile.productName)),
  words(({ profile }) => profile.name, { title: ({ profile }) => profile.name }),
)
const product = words<GoldenProfileSummary>(({ profile }) => productOf(profile), {
  title: ({ profile }) => productOf(profile),
})
/** The width and priority of the columns. */
const states: Readonly<Record<DriftState, readonly [least: number, priority: number]>> = {
  drifted: [104, 2],
  'not-available': [124, 7],
  'not-read': [108, 5],
  'as-wanted': [124, 3],
}

export function useGoldenColumns(): ComputedRef<readonly GridColumn<GoldenProfileSummary, GoldenColumn>[]> {
  const now = useNow()
  const read = age<GoldenProfileSummary>(
    (row) => row.oldestReadAt,
    () => now.value,
    () => staleAfterInMs.value,
  )
  const settings = words<GoldenProfileSummary>((row) => formatCount(row.profile.settings.length))
  return computed(() => [
    column('name', 150, 1, nameCell, { grow: 3, look: 'strong' }),
    column('product', 160, 4, product, { grow: 3 }),
    column('settings', 84, 6, settings, { look: 'end dim tabular-nums' }),
    ...(['drifted', 'not-available', 'not-read', 'as-wanted'] as const).map((state) =>
      column(state, ...states[state], count(state), { label: stateWord(state) }),
    ),
    column('readAt', 110, 8, read, { look: 'end', time: true }),
  ])
}

export const goldenValues: RowValues<GoldenProfileSummary, GoldenColumn> = {
  name: ({ profile }) => profile.name,
  product: ({ profile }) => productOf(profile),
  settings: ({ profile }) => profile.settings.length,
  drifted: ({ counts }) => counts.drifted,
  'not-available': ({ counts }) => counts['not-available'],
  'not-read': ({ counts }) => counts['not-read'],
  'as-wanted': ({ counts }) => counts['as-wanted'],
  readAt: (row) => row.oldestReadAt,
}

const driftColumn = columnsOf<DriftedDevice, DriftColumn>('goldenProfiles.devices')
const device = deviceCell(identityOf)
const state = status<DriftedDevice>((row) => ({ kind: stateMarks[row.state], label: stateWord(row.state) }))
const drift = words<DriftedDevice>(driftOf, { title: namedDriftOf })

/** `withState`: the states differ between rows, so their column is shown. */
export const useDriftColumns = (
  withState: () => boolean,
): ComputedRef<readonly GridColumn<DriftedDevice, DriftColumn>[]> =>
  computed(() =>
    [
      driftColumn('name', 180, 1, device, { grow: 3 }),
      ...(withState() ? [driftColumn('state', 128, 3, state)] : []),
      driftColumn('drift', 150, 2, drift, { grow: 4 }),
    ].map((one) => ({ ...one, fixed: true })),
  )

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
