import type { DeviceColumn, DeviceSort } from '../../electron/contract/api/devices.ts'
import type { ListLayout, SortEntry } from '../../electron/contract/api/views.ts'
import { isDeviceColumn, isSortColumn } from './device-columns.ts'

export interface LaidColumn {
  readonly column: DeviceColumn
  /** CSS pixels; null: as it comes. */
  readonly width: number | null
  readonly pinned: boolean
}
/** Visible columns in their order, pinned ones first; none: nothing was chosen, columns give way by the width there is. */
export type Laid = readonly LaidColumn[]

/** More columns than these do not decide an order (contract). */
const DECIDING = 4

/** What was kept, as far as this program knows its columns: a file may come from another version. */
export function laidFrom(kept: ListLayout | undefined): Laid {
  const seen = new Set<string>()
  const known = (kept?.columns ?? []).flatMap(({ column, width, pinned }): Laid => {
    if (!isDeviceColumn(column) || seen.has(column)) return []
    seen.add(column)
    return [{ column, width, pinned }]
  })
  return pinnedFirst(known)
}
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

const pinnedFirst = (laid: Laid): Laid => [
  ...laid.filter((one) => one.pinned),
  ...laid.filter((one) => !one.pinned),
]
/** Nothing chosen becomes chosen with the first change: what was in sight then stays. */
const chosen = (laid: Laid, inSight: readonly DeviceColumn[]): Laid =>
  laid.length > 0 ? laid : inSight.map((column) => ({ column, width: null, pinned: false }))

/** Shows or hides one; a table keeps at least one column. */
export function withShown(
  laid: Laid,
  inSight: readonly DeviceColumn[],
  column: DeviceColumn,
  shown: boolean,
): Laid {
  const now = chosen(laid, inSight)
  if (shown)
    return now.some((one) => one.column === column) ? now : [...now, { column, width: null, pinned: false }]
  const left = now.filter((one) => one.column !== column)
  return left.length > 0 ? left : now
}
/** Moves one by so many places among its kind: pinned ones stay before the others. */
export function withMoved(
  laid: Laid,
  inSight: readonly DeviceColumn[],
  column: DeviceColumn,
  by: number,
): Laid {
  const now = [...chosen(laid, inSight)]
  const from = now.findIndex((one) => one.column === column)
  const moved = now[from]
  if (!moved) return now
  now.splice(from, 1)
  now.splice(Math.max(0, Math.min(now.length, from + by)), 0, moved)
  return pinnedFirst(now)
}
export function withPinned(
  laid: Laid,
  inSight: readonly DeviceColumn[],
  column: DeviceColumn,
  pinned: boolean,
): Laid {
  const now = chosen(laid, inSight)
  const shown = now.some((one) => one.column === column) ? now : [...now, { column, width: null, pinned }]
  return pinnedFirst(shown.map((one) => (one.column === column ? { ...one, pinned } : one)))
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
