import { computed } from 'vue'
import { byNameOrder } from '../../electron/contract/name-order.ts'
import type { GridName } from '../../electron/contract/view.ts'
import { useExports } from '../exports/exports-store.ts'
import { countedText, text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import type { GridColumn } from './grid-columns.ts'
import { useGridLayout, useListSort } from './list-layout-store.ts'

/** The value of a cell, for sorting and for files; null: unknown, sorted last. */
export type RowValues<Row, Column extends string> = Partial<
  Readonly<Record<Column, (row: Row) => string | number | null>>
>

export interface RowsOfGrid<Row, Column extends string> {
  readonly name: GridName
  readonly columns: readonly GridColumn<Row, Column>[]
  readonly rows: readonly Row[]
  /** A column without a value here can be neither sorted nor exported. */
  readonly by: RowValues<Row, Column>
  /** The name of the list. */
  readonly label: string
  /** The kind of list, for its exported file. */
  readonly about?: string | undefined
}

/** A list with all rows loaded: in their original order until a header is clicked, and exported in the visible order and columns. */
export function useRows<Row, Column extends string>(given: () => RowsOfGrid<Row, Column>) {
  const { name, columns: first } = given()
  const exports = useExports()
  const keys = first.map(({ key }) => key)
  const sort = useListSort(name, keys, [])
  const columns = computed(() =>
    given().columns.map((one) => ({ ...one, fixed: given().by[one.key] === undefined })),
  )
  const { ofGrid, visibleColumns } = useGridLayout(name, () => columns.value)
  const sorted = computed(() => {
    const { rows, by } = given()
    return sort.value.length === 0
      ? rows
      : rows.toSorted((a, b) => {
          for (const { column, descending } of sort.value) {
            const valueOf = by[column]
            const order = valueOf ? compared(valueOf(a), valueOf(b), descending) : 0
            if (order !== 0) return order
          }
          return 0
        })
  })

  function askExport(): void {
    const { by, label, about = '' } = given()
    const ofRows = columns.value.flatMap(({ key, label: head, time }) => {
      const value = by[key]
      return value === undefined ? [] : [{ key, head, time: time ?? false, value }]
    })
    const visible = visibleColumns.value.filter((key) => ofRows.some((one) => one.key === key))
    const rows = sorted.value.map((row) => ofRows.map(({ value }) => value(row)))
    exports.ask({
      title: text('lists.export.title', { list: label }),
      choices: [
        {
          label: countedText('lists.export.rows', rows.length, { n: formatCount(rows.length) }),
          count: rows.length,
          subject: {
            of: 'rows',
            // The contract's limit.
            name: [label, about].filter(Boolean).join(' ').slice(0, 200),
            columns: ofRows.map(({ key, head, time }) => ({ key, label: head, time })),
            rows,
          },
        },
      ],
      columns: visible,
      viewName: null,
    })
  }
  return { sort, columns, ofGrid, sorted, askExport }
}

function compared(a: string | number | null, b: string | number | null, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : byNameOrder(String(a), String(b))
  return descending ? -order : order
}
