import type { DeviceColumn, DeviceSort } from '../../electron/contract/api/devices.ts'
import type { ListLayout, SortEntry } from '../../electron/contract/api/views.ts'
import { knownLayout, type GridLayout } from '../lists/grid-columns.ts'
import { isDeviceColumn, isSortColumn } from './device-columns.ts'

/** Visible columns of the list of devices. */
export type Laid = GridLayout<DeviceColumn>

/** More columns than these do not decide an order (contract). */
const DECIDING = 4

/** What was kept, as far as this program knows its columns: a file may come from another version. */
export const laidFrom = (kept: ListLayout | undefined): Laid =>
  knownLayout(kept?.columns ?? [], isDeviceColumn)
export function sortFrom(kept: readonly SortEntry[] | undefined): DeviceSort {
  const seen = new Set<string>()
  return (kept ?? [])
    .flatMap(({ column, descending }): DeviceSort => {
      if (!isSortColumn(column) || seen.has(column)) return []
      seen.add(column)
      return [{ column, descending }]
    })
    .slice(0, DECIDING)
}

/** The next step of one column: ascending, descending, not at all. `alone`: it decides, else it breaks the ties of those before. */
export function withSorted(sort: DeviceSort, column: DeviceColumn, alone: boolean): DeviceSort {
  if (!isSortColumn(column)) return sort
  const old = sort.find((one) => one.column === column)
  const next =
    old === undefined ? { column, descending: false } : old.descending ? null : { column, descending: true }
  if (alone) return next ? [next] : []
  if (old) return sort.flatMap((one) => (one.column === column ? (next ? [next] : []) : [one]))
  return next ? [...sort, next].slice(-DECIDING) : sort
}
