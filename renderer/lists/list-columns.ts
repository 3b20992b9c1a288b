import { text } from '../locales/i18n.ts'
import type { Cell } from './grid-cells.ts'
import type { GridColumn } from './grid-columns.ts'

type More<Row, Key extends string> = Partial<
  Omit<GridColumn<Row, Key>, 'key' | 'least' | 'priority' | 'cell'>
>

/**
 * Creates the columns of one list: `least` in CSS pixels, the header texts are in the locale under `words`
 * and the column's key.
 */
export const columnsOf =
  <Row, Key extends string>(words: string) =>
  (
    key: Key,
    least: number,
    priority: number | null,
    cell: Cell<Row>,
    more: More<Row, Key> = {},
  ): GridColumn<Row, Key> => ({ key, label: text(`${words}.${key}`), least, priority, cell, ...more })

/**
 * Width in pixels for a header and the texts below it in any language: 7 px for a letter at 12 px, and the
 * padding (measured).
 */
export const wideFor = (least: number, ...words: readonly string[]): number =>
  Math.max(least, ...words.map((word) => word.length * 7 + 36))
