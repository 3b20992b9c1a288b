import type { DeviceColumn } from '../../electron/contract/api/devices.ts'
import {
  deviceFields,
  deviceSortColumns,
  type DeviceSortColumn,
} from '../../electron/contract/fields/device.ts'
import type { CellKind, Field } from '../../electron/contract/fields/field.ts'

export interface ColumnFact {
  readonly column: DeviceColumn
  /**
   * Width in pixels below which its text would be cut, at 12 px; chosen so that serials and versions are
   * never cut.
   */
  readonly least: number
  /**
   * Width in pixels for the longest known texts: remaining space is used for this first (measured at 12 px).
   */
  readonly full: number
  /** Share of the space that remains after that; 0: none. */
  readonly grow: number
  /** Priority if no layout was chosen: 1 is hidden last; null: shown only if selected. */
  readonly priority: number | null
  /** Shown only if it and the columns before it have their full width. */
  readonly extra: boolean
  /** Its key in the filter language, and the choices of its funnel. */
  readonly filter: {
    readonly key: string
    readonly by: 'words' | 'compliance' | 'choice' | 'text' | 'version' | 'age'
  }
  /** Text style: aligned figures, ages at the end, secondary text dimmed. */
  readonly look: string
}

/** At 1280 px these are shown; further ones only in a wider window. */
const USUAL_COLUMNS = 6

const fact = (
  column: DeviceColumn,
  [least, full]: readonly [number, number],
  grow: number,
  priority: number | null,
  key: string,
  by: ColumnFact['filter']['by'],
  look = '',
): ColumnFact => ({
  column,
  least,
  full,
  grow,
  priority,
  extra: (priority ?? 0) > USUAL_COLUMNS,
  filter: { key, by },
  look,
})

/**
 * Columns that need more than their field, in display order; those after the first ones are shown only if
 * selected.
 */
const ownFacts: readonly ColumnFact[] = [
  fact('userOrRoom', [176, 220], 3, 1, 'who', 'text', 'strong'),
  fact('productName', [176, 220], 2, 3, 'product', 'words', 'dim'),
  fact('computerName', [118, 170], 1, 7, 'computer', 'text'),
  fact('location', [140, 224], 1.5, 9, 'location', 'words'),
  fact('serialNumber', [124, 140], 0, 5, 'serial', 'text', 'mono dim'),
  fact('firmwareVersion', [184, 184], 0, 4, 'fw', 'version', 'tabular-nums'),
  fact('status', [124, 140], 0, 2, 'status', 'words'),
  fact('ipAddress', [112, 140], 1, 10, 'ip', 'text', 'tabular-nums'),
  fact('tags', [150, 150], 1, 8, 'tag', 'words'),
  fact('operatingSystem', [140, 286], 0, null, 'os', 'words', 'dim'),
  fact('lastSeenAt', [100, 100], 0, 6, 'age', 'age', 'end tabular-nums'),
  fact('name', [130, 268], 1, null, 'name', 'text'),
  fact('roomName', [130, 130], 1.7, null, 'room', 'words'),
  fact('firmware', [148, 148], 0, null, 'fw', 'compliance'),
  fact('userName', [112, 112], 1.2, null, 'user', 'words'),
  fact('approved', [112, 112], 0, null, 'approved', 'choice'),
  fact('macAddress', [142, 142], 0, null, 'mac', 'text', 'tabular-nums'),
  fact('clientVersion', [122, 122], 0, null, 'client-version', 'version', 'tabular-nums'),
  fact('groupId', [150, 150], 0, null, 'group', 'text', 'mono'),
  fact('productId', [112, 112], 0, null, 'pid', 'text', 'tabular-nums'),
  fact('variantType', [104, 104], 0, null, 'variant', 'words', 'tabular-nums'),
  fact('addedAt', [96, 96], 0, null, 'added', 'age', 'end tabular-nums'),
  fact('observedAt', [92, 92], 0, null, 'read', 'age', 'end tabular-nums'),
  fact('note', [150, 150], 1, null, 'note', 'text'),
  fact('id', [200, 200], 0, null, 'id', 'text', 'mono'),
]

const looks: Readonly<Partial<Record<CellKind, string>>> = {
  figures: 'tabular-nums',
  code: 'mono',
  age: 'end tabular-nums',
}

/** A column derived from its field: values are suggested if devices share them. */
function factOfField({ key, cell, filter }: Field): ColumnFact {
  if (cell === undefined || filter === undefined) throw new TypeError(key)
  const { kind } = filter
  const words = cell === 'text' || cell === 'tags' ? 'words' : 'text'
  const by = kind === 'version' || kind === 'age' || kind === 'choice' ? kind : words
  return fact(key as DeviceColumn, [118, 118], 0, null, filter.key, by, looks[cell])
}

export const columnFacts: readonly ColumnFact[] = [
  ...ownFacts,
  ...deviceFields
    .filter((field) => 'cell' in field && !ownFacts.some(({ column }) => column === field.key))
    .map(factOfField),
]

const byColumn = new Map(columnFacts.map((one) => [one.column, one]))
export const isSortColumn = (name: string): name is DeviceSortColumn =>
  (deviceSortColumns as readonly string[]).includes(name)

export function factOf(column: DeviceColumn): ColumnFact {
  const known = byColumn.get(column)
  if (!known) throw new TypeError(column)
  return known
}
