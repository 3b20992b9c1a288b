import {
  CellStyleModule,
  ColumnApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  ModuleRegistry,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
  themeQuartz,
  type ColDef,
  type GridOptions,
  type IRowNode,
} from 'ag-grid-community'
import type { DeviceColumn, DeviceWindow } from '../../electron/contract/device.ts'
import { formatAge, formatMoment } from '../parts/format.ts'
import { leastWidth } from './device-columns.ts'
import { BLOCK, type DeviceSort } from './devices-store.ts'
import { statusCell } from './status-cell.ts'

// Only what the table uses: the Devices page is the only one that loads the grid.
ModuleRegistry.registerModules([
  CellStyleModule,
  ColumnApiModule,
  InfiniteRowModelModule,
  LocaleModule,
  RenderApiModule,
  RowApiModule,
  RowSelectionModule,
  RowStyleModule,
  ScrollApiModule,
])

export type TableRow = DeviceWindow['rows'][number]
export const columnNames: readonly DeviceColumn[] = ['name', 'productName', 'serialNumber', 'firmwareVersion', 'status', 'roomName', 'userName', 'lastSeenAt']

/** The grid in our tokens: it follows the theme by itself, for every value is a custom property. */
const theme = themeQuartz.withParams({
  accentColor: 'var(--accent)',
  backgroundColor: 'var(--surface)',
  foregroundColor: 'var(--ink)',
  textColor: 'var(--ink)',
  borderColor: 'var(--line)',
  borderRadius: 0,
  wrapperBorder: false,
  wrapperBorderRadius: 0,
  fontFamily: 'inherit',
  fontSize: 12,
  headerFontSize: 12,
  headerFontWeight: 600,
  headerTextColor: 'var(--ink-2)',
  headerBackgroundColor: 'var(--surface)',
  headerRowBorder: { color: 'var(--line-strong)' },
  headerHeight: 31,
  headerColumnResizeHandleColor: 'transparent',
  rowHeight: 32,
  rowBorder: { color: 'var(--line)' },
  rowHoverColor: 'var(--sunken)',
  selectedRowBackgroundColor: 'var(--accent-soft)',
  cellHorizontalPadding: 8,
  iconSize: 12,
  spacing: 4,
})

/** Older than this a last-seen time is a question of its own (chosen). */
const STALE_AFTER_IN_MS = 7 * 86_400_000

export interface GridDeeds {
  readonly t: (key: string, named?: Record<string, unknown>) => string
  readonly label: string
  readonly sort: DeviceSort
  readonly windowAt: (start: number, sort: DeviceSort) => DeviceWindow | null | Promise<DeviceWindow | null>
  readonly onSort: (sort: DeviceSort) => void
  readonly onOpen: (id: string, byKey: boolean) => void
  /** The focus moved to another row by key. */
  readonly onMove: (id: string) => void
  readonly onRows: () => void
  readonly present: () => number
}

const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''

function columns(deeds: GridDeeds): ColDef<TableRow>[] {
  const flex: Readonly<Partial<Record<DeviceColumn, number>>> = { name: 4, productName: 2, roomName: 1.7, userName: 1.2 }
  const own: Readonly<Partial<Record<DeviceColumn, ColDef<TableRow>>>> = {
    name: { headerClass: 'first', cellClass: 'first', cellRenderer: ({ data }: { data?: TableRow }) => data?.name ?? waiting() },
    productName: { cellClass: 'dim' },
    serialNumber: { cellClass: 'tabular' },
    firmwareVersion: { cellClass: 'tabular' },
    status: { cellRenderer: ({ data }: { data?: TableRow }) => (data ? statusCell(data.gone ? 'gone' : data.status) : '') },
    roomName: { valueGetter: ({ data }) => (data?.room ? (data.room.name ?? data.room.id) : data && '—') },
    lastSeenAt: {
      headerClass: 'end',
      cellClass: 'end tabular last',
      cellClassRules: { stale: ({ data }) => data?.lastSeenAt != null && deeds.present() - data.lastSeenAt > STALE_AFTER_IN_MS },
      valueFormatter: ({ data }) => (data?.lastSeenAt == null ? (data ? '—' : '') : formatAge(data.lastSeenAt, deeds.present())),
    },
  }
  return columnNames.map((column) => ({
    colId: column,
    headerName: deeds.t(`devices.columns.${column}`),
    minWidth: leastWidth(column),
    ...(flex[column] === undefined ? { width: leastWidth(column) } : { flex: flex[column] }),
    ...(column === 'roomName' ? {} : { field: column }),
    valueFormatter: ({ data, value }) => (data ? ((value as string | null) ?? '—') : ''),
    ...own[column],
    ...(column === deeds.sort.column ? { sort: deeds.sort.descending ? 'desc' : 'asc' } : {}),
  }))
}
function waiting(): HTMLElement {
  const bar = document.createElement('span')
  bar.className = 'waiting-bar'
  return bar
}
const idOf = (node: IRowNode<TableRow> | undefined): string | null => node?.data?.id ?? null

/** The grid's options: windows of 100 rows, at most eight kept, one selected row that the page decides on. */
export function gridOptions(deeds: GridDeeds): GridOptions<TableRow> {
  const title = (at: number | null): string => (at === null ? '' : formatMoment(at))
  return {
    theme,
    styleNonce: nonce(),
    rowModelType: 'infinite',
    cacheBlockSize: BLOCK,
    maxBlocksInCache: 8,
    cacheOverflowSize: 1,
    infiniteInitialRowCount: 30,
    maxConcurrentDatasourceRequests: 2,
    blockLoadDebounceMillis: 0,
    datasource: {
      getRows: (request) => {
        const [by] = request.sortModel
        const sort: DeviceSort = by ? { column: by.colId as DeviceColumn, descending: by.sort === 'desc' } : deeds.sort
        const take = (window: DeviceWindow | null): void => {
          if (window) request.successCallback([...window.rows], window.total)
          else request.failCallback()
        }
        const answer = deeds.windowAt(request.startRow, sort)
        if (answer instanceof Promise) void answer.then(take)
        else take(answer)
      },
    },
    columnDefs: columns(deeds),
    defaultColDef: { sortable: true, resizable: true, suppressMovable: true, sortingOrder: ['asc', 'desc'], suppressHeaderMenuButton: true },
    suppressMultiSort: true,
    suppressCellFocus: false,
    suppressNoRowsOverlay: true,
    suppressDragLeaveHidesColumns: true,
    animateRows: false,
    alwaysShowVerticalScroll: true,
    // base.css sets it; measured by the grid it would be found too late for the first layout.
    scrollbarWidth: 10,
    rowSelection: { mode: 'singleRow', checkboxes: false, enableClickSelection: false },
    getRowId: ({ data }) => data.id,
    rowClassRules: { gone: ({ data }) => data?.gone ?? false },
    ensureDomOrder: true,
    localeText: { ariaLabelGrid: deeds.label },
    onGridReady: ({ api }) => {
      api.setGridAriaProperty('label', deeds.label)
    },
    onModelUpdated: deeds.onRows,
    onSortChanged: ({ api }) => {
      const by = api.getColumnState().find((state) => state.sort)
      if (by) deeds.onSort({ column: by.colId as DeviceColumn, descending: by.sort === 'desc' })
    },
    onCellClicked: ({ node }) => {
      const id = idOf(node)
      if (id) deeds.onOpen(id, false)
    },
    onCellKeyDown: ({ node, event }) => {
      const id = idOf(node)
      if (id && event instanceof KeyboardEvent && event.key === 'Enter') deeds.onOpen(id, true)
    },
    onCellFocused: ({ api, rowIndex }) => {
      if (rowIndex === null) return
      const id = idOf(api.getDisplayedRowAtIndex(rowIndex))
      if (id) deeds.onMove(id)
    },
    onCellMouseOver: ({ column, data, event }) => {
      const cell = event?.target
      if (column.getColId() === 'lastSeenAt' && cell instanceof HTMLElement) cell.title = title(data?.lastSeenAt ?? null)
    },
  }
}
