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
  type ColumnState,
  type GridApi,
  type GridOptions,
  type IGetRowsParams,
} from 'ag-grid-community'
import type {
  DeviceColumn,
  DeviceRow,
  DeviceSort,
  DeviceWindow,
} from '../../electron/contract/api/devices.ts'
import { columnFacts, columnsFor, factOf, isDeviceColumn, isSortColumn } from './device-columns.ts'
import { cellOf, drawnBy, type Present } from './device-cells.ts'
import { sortFrom, type Laid } from './device-layout.ts'
import { BLOCK } from './devices-store.ts'
import { BoxHead, boxCell, FunnelHead, type HeadDeeds } from './grid-heads.ts'
import { openScrollPace } from './scroll-pace.ts'
import { idBeside, nameOfDevice } from '../parts/device-name.ts'

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

/** The grid in our tokens: it follows the theme by itself, for every value is a custom property. */
const theme = themeQuartz.withParams({
  accentColor: 'var(--accent)',
  backgroundColor: 'var(--surface)',
  // The browser's own check boxes and bars are drawn as the page's theme is.
  browserColorScheme: 'inherit',
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
  rowBorder: { color: 'var(--line)' },
  rowHoverColor: 'var(--sunken)',
  selectedRowBackgroundColor: 'var(--accent-soft)',
  pinnedColumnBorder: false,
  headerColumnBorder: false,
  cellHorizontalPadding: 8,
  iconSize: 12,
  spacing: 4,
})

/** The column of check boxes: always first, always in sight. */
export const BOX = 'box'
const BOX_WIDTH = 40
/** A bar that is always there, set in base.css; measured by the grid it would be found too late for the first layout. */
const SCROLLBAR = 10

/** Rows fetched before they come into sight. */
const AHEAD = 2 * BLOCK

export interface GridDeeds extends HeadDeeds, Present {
  readonly t: (key: string, named?: Record<string, unknown>) => string
  readonly label: string
  readonly sort: DeviceSort
  /** Rows that were known when the page was left, so that it opens at its old place. */
  readonly expected: number
  readonly rowHeight: number
  readonly windowAt: (start: number, sort: DeviceSort) => DeviceWindow | null | Promise<DeviceWindow | null>
  readonly isChosen: (id: string) => boolean | null
  readonly isOpen: (id: string) => boolean
  readonly onSort: (sort: DeviceSort) => void
  readonly onLaid: (laid: Laid) => void
  /** `box`: on the check box; keys as they were held. */
  readonly onClick: (
    row: DeviceRow,
    index: number,
    how: { readonly box: boolean; readonly shift: boolean; readonly control: boolean },
  ) => void
  /** The focus moved to another row by key. */
  readonly onMove: (id: string) => void
  readonly onRows: () => void
}

const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? ''

function columns(deeds: GridDeeds): ColDef<DeviceRow>[] {
  const box: ColDef<DeviceRow> = {
    colId: BOX,
    headerName: deeds.t('devices.selection.column'),
    headerComponent: BoxHead,
    headerComponentParams: { deeds },
    ...drawnBy((row) =>
      boxCell([nameOfDevice(row), idBeside(row)].filter(Boolean).join(' '), deeds.isChosen(row.id)),
    ),
    width: BOX_WIDTH,
    minWidth: BOX_WIDTH,
    pinned: 'left',
    lockPinned: true,
    lockPosition: 'left',
    lockVisible: true,
    suppressMovable: true,
    resizable: false,
    sortable: false,
    cellClass: 'box',
    headerClass: 'box',
  }
  return [
    box,
    ...columnFacts.map(({ column, least, look }): ColDef<DeviceRow> => {
      const place = deeds.sort.findIndex((one) => one.column === column)
      return {
        ...cellOf(column, deeds),
        colId: column,
        headerName: deeds.t(`devices.columns.${column}`),
        headerComponentParams: { innerHeaderComponent: FunnelHead, innerHeaderComponentParams: { deeds } },
        minWidth: least,
        sortable: isSortColumn(column),
        cellClass: look,
        headerClass: look.split(' ').includes('end') ? 'end' : '',
        hide: true,
        ...(place < 0
          ? {}
          : {
              initialSort: deeds.sort[place]?.descending ? ('desc' as const) : ('asc' as const),
              initialSortIndex: place,
            }),
      }
    }),
  ]
}

/** The order as the grid has it, at most as long as the core takes. */
const sortOf = (
  entries: readonly {
    readonly colId: string
    readonly sort?: unknown
    readonly sortIndex?: number | null | undefined
  }[],
): DeviceSort =>
  sortFrom(
    entries
      .filter((one) => one.sort === 'asc' || one.sort === 'desc')
      .toSorted((a, b) => (a.sortIndex ?? 0) - (b.sortIndex ?? 0))
      .map((one) => ({ column: one.colId, descending: one.sort === 'desc' })),
  )

/** What is shown for a layout in so much width; without one the columns give way. */
export function shownColumns(laid: Laid, width: number): readonly DeviceColumn[] {
  return laid.length > 0 ? laid.map((one) => one.column) : columnsFor(width - BOX_WIDTH - SCROLLBAR)
}
/** Brings the grid's columns to a layout. */
export function layOut(api: GridApi<DeviceRow>, laid: Laid, width: number): void {
  const shown = shownColumns(laid, width)
  const stateOf = (column: DeviceColumn): ColumnState => {
    const own = laid.find((one) => one.column === column)
    const { least, grow } = factOf(column)
    const fixed = own?.width ?? null
    const flexible = fixed === null && grow > 0 && own?.pinned !== true
    return {
      colId: column,
      hide: false,
      pinned: own?.pinned ? 'left' : null,
      flex: flexible ? grow : null,
      ...(flexible ? {} : { width: fixed ?? least }),
    }
  }
  api.applyColumnState({
    state: [{ colId: BOX, pinned: 'left', hide: false }, ...shown.map(stateOf)],
    applyOrder: true,
    defaultState: { hide: true },
  })
}
export function sortLike(api: GridApi<DeviceRow>, sort: DeviceSort): void {
  if (JSON.stringify(sortOf(api.getColumnState())) === JSON.stringify(sort)) return
  api.applyColumnState({
    state: sort.map((one, sortIndex) => ({
      colId: one.column,
      sort: one.descending ? 'desc' : 'asc',
      sortIndex,
    })),
    defaultState: { sort: null },
  })
}
/** Columns as they stand after a hand moved, pinned or, named here, widened one. */
function laidNow(api: GridApi<DeviceRow>, before: Laid, widened: string | null): Laid {
  return api.getAllDisplayedColumns().flatMap((shown): Laid => {
    const column = shown.getColId()
    if (!isDeviceColumn(column)) return []
    const width =
      column === widened
        ? Math.round(shown.getActualWidth())
        : (before.find((one) => one.column === column)?.width ?? null)
    return [{ column, width, pinned: shown.isPinned() }]
  })
}

/** Whether the grid still wants these rows: it drops blocks that are far from sight, and all of them when the page is left. */
const isKept = ({ api, startRow }: IGetRowsParams): boolean =>
  !api.isDestroyed() && `${startRow / BLOCK}` in ((api.getCacheBlockState() ?? {}) as object)

export function gridOptions(deeds: GridDeeds, laid: () => Laid): GridOptions<DeviceRow> {
  const pace = openScrollPace()
  return {
    theme: theme.withParams({ rowHeight: deeds.rowHeight }),
    styleNonce: nonce(),
    rowHeight: deeds.rowHeight,
    rowModelType: 'infinite',
    cacheBlockSize: BLOCK,
    maxBlocksInCache: 4,
    cacheOverflowSize: 1,
    infiniteInitialRowCount: Math.max(30, deeds.expected),
    maxConcurrentDatasourceRequests: 4,
    blockLoadDebounceMillis: 0,
    datasource: {
      getRows: (request) => {
        const take = (window: DeviceWindow | null): void => {
          if (window) request.successCallback([...window.rows], window.total)
          else request.failCallback()
        }
        const ask = (): ReturnType<GridDeeds['windowAt']> =>
          deeds.windowAt(
            request.startRow,
            sortOf(request.sortModel.map((one, sortIndex) => ({ ...one, sortIndex }))),
          )
        // A block that flew by is no longer kept when the hand rests: nothing is asked for it.
        const answer = pace.isFleeting()
          ? pace.readable().then(() => (isKept(request) ? ask() : null))
          : ask()
        if (answer instanceof Promise) void answer.then(take)
        else take(answer)
      },
    },
    columnDefs: columns(deeds),
    defaultColDef: { resizable: true, sortingOrder: ['asc', 'desc', null], suppressHeaderMenuButton: true },
    suppressNoRowsOverlay: true,
    suppressDragLeaveHidesColumns: true,
    animateRows: false,
    rowBuffer: 4,
    suppressColumnMoveAnimation: true,
    alwaysShowVerticalScroll: true,
    scrollbarWidth: SCROLLBAR,
    // The grid only shows which rows are chosen: what that means is kept by selection-store.ts.
    rowSelection: { mode: 'multiRow', checkboxes: false, headerCheckbox: false, enableClickSelection: false },
    getRowId: ({ data }) => data.id,
    rowClassRules: {
      gone: ({ data }) => data?.gone ?? false,
      open: ({ data }) => data !== undefined && deeds.isOpen(data.id),
    },
    ensureDomOrder: true,
    localeText: { ariaLabelGrid: deeds.label },
    onGridReady: ({ api }) => {
      api.setGridAriaProperty('label', deeds.label)
    },
    onModelUpdated: deeds.onRows,
    onBodyScroll: ({ api, direction, top }) => {
      if (direction !== 'vertical') return
      const row = Math.floor(top / deeds.rowHeight)
      const down = pace.moved(row)
      if (pace.isFleeting()) return
      const edge = row + (down < 0 ? -AHEAD : AHEAD)
      // Asking for a row makes the grid fetch its block.
      if (edge >= 0 && edge < api.getDisplayedRowCount()) api.getDisplayedRowAtIndex(edge)
    },
    onSortChanged: ({ api }) => deeds.onSort(sortOf(api.getColumnState())),
    onColumnMoved: ({ api, finished, source }) => {
      if (finished && source.startsWith('ui')) deeds.onLaid(laidNow(api, laid(), null))
    },
    onColumnPinned: ({ api, source }) => {
      if (source.startsWith('ui')) deeds.onLaid(laidNow(api, laid(), null))
    },
    onColumnResized: ({ api, finished, source, column }) => {
      if (finished && column && source.startsWith('ui')) deeds.onLaid(laidNow(api, laid(), column.getColId()))
    },
    onCellClicked: ({ data, rowIndex, column, event }) => {
      if (!data || rowIndex === null) return
      const keys = event as MouseEvent | null | undefined
      deeds.onClick(data, rowIndex, {
        box: column.getColId() === BOX,
        shift: keys?.shiftKey ?? false,
        control: (keys?.ctrlKey || keys?.metaKey) ?? false,
      })
    },
    onCellFocused: ({ api, rowIndex, sourceEvent }) => {
      // A click says by itself what it is for: on a box it chooses, and the device that is open stays.
      if (sourceEvent instanceof MouseEvent) return
      const data = rowIndex === null ? undefined : api.getDisplayedRowAtIndex(rowIndex)?.data
      if (data) deeds.onMove(data.id)
    },
  }
}
