import { defineStore } from 'pinia'
import { computed, shallowRef, type ComputedRef, type WritableComputedRef } from 'vue'
import type { Density } from '../../electron/contract/api/app.ts'
import type { ListLayout } from '../../electron/contract/api/views.ts'
import type { GridName } from '../../electron/contract/view.ts'
import { api } from '../api.ts'
import { useLayoutStore } from '../layout/layout-store.ts'
import { throttle } from '../components/throttle.ts'
import { knownLayout, type GridLayout } from './grid-columns.ts'
import { SORTED_BY_AT_MOST, type TableSort } from './table-sort.ts'

/** Dragging a column edge causes many changes, so the file is written at most twice a second. */
const SAVED_EVERY_IN_MS = 500

/** Columns and order of every list as the technician left them, stored with the preferences; and the visible columns. */
export const useListLayouts = defineStore('list-layouts', () => {
  const appLayout = useLayoutStore()
  const visibleColumns = shallowRef<Partial<Record<GridName, readonly string[]>>>({})
  const save = throttle(
    () => void api.app.setPreferences({ layouts: appLayout.preferences.layouts }),
    SAVED_EVERY_IN_MS,
  )
  const of = (name: GridName): ListLayout => appLayout.preferences.layouts[name] ?? { columns: [], sort: [] }
  function keep(name: GridName, changed: Partial<ListLayout>): void {
    const layouts = { ...appLayout.preferences.layouts, [name]: { ...of(name), ...changed } }
    appLayout.preferences = { ...appLayout.preferences, layouts }
    save.call()
  }
  async function setDensity(density: Density): Promise<void> {
    appLayout.preferences = { ...appLayout.preferences, density }
    await api.app.setPreferences({ density })
  }
  return { of, keep, visibleColumns, setDensity }
})

/** The columns of one list; unknown ones (a file of another version) are left out. */
export interface ListColumns<Key extends string> {
  /** The chosen layout; empty: columns are hidden depending on the available width. */
  readonly layout: ComputedRef<GridLayout<Key>>
  readonly keepLayout: (layout: GridLayout<Key>) => void
  /** For the grid: its layout, and what it reports. */
  readonly ofGrid: ComputedRef<{
    readonly layout: GridLayout<Key>
    readonly onLayout: (layout: GridLayout<Key>) => void
    readonly onVisibleColumns: (keys: readonly Key[]) => void
  }>
  /** The visible columns, as reported by the grid. */
  readonly visibleColumns: ComputedRef<readonly Key[]>
  /** Applies a saved view: its order if it has one, and its columns with their widths. */
  readonly showView: (view: {
    readonly sort: ListLayout['sort']
    readonly columns: readonly string[] | null
  }) => void
}

export function useGridLayout<Key extends string>(
  name: GridName,
  columns: () => readonly { readonly key: Key }[],
): ListColumns<Key> {
  const layouts = useListLayouts()
  const isKnown = (key: string): key is Key => columns().some((one) => one.key === key)
  const layout = computed(() => knownLayout(layouts.of(name).columns, isKnown))
  const keepLayout = (changed: GridLayout<Key>): void => layouts.keep(name, { columns: changed })
  return {
    layout,
    keepLayout,
    ofGrid: computed(() => ({
      layout: layout.value,
      onLayout: keepLayout,
      onVisibleColumns: (keys) => (layouts.visibleColumns = { ...layouts.visibleColumns, [name]: keys }),
    })),
    visibleColumns: computed(() => (layouts.visibleColumns[name] ?? []).filter(isKnown)),
    showView: ({ sort, columns: wanted }) => {
      const previous = new Map(layouts.of(name).columns.map((one) => [one.column, one]))
      layouts.keep(name, {
        ...(sort.length > 0 ? { sort } : {}),
        ...(wanted === null
          ? {}
          : {
              columns: wanted.map((column) => previous.get(column) ?? { column, width: null, pinned: false }),
            }),
      })
    },
  }
}

/**
 * The order of one list, by its columns. `natural`: the default order; it is returned as the identical
 * object.
 */
export function useListSort<Key extends string>(
  name: GridName,
  columns: readonly Key[],
  natural: TableSort<Key>,
): WritableComputedRef<TableSort<Key>> {
  const layouts = useListLayouts()
  const same = (a: ListLayout['sort'], b: ListLayout['sort']): boolean =>
    JSON.stringify(a) === JSON.stringify(b)
  return computed({
    get(before?: TableSort<Key>) {
      const saved = layouts
        .of(name)
        .sort.filter((one): one is TableSort<Key>[number] => columns.some((key) => key === one.column))
        .slice(0, SORTED_BY_AT_MOST)
      if (saved.length === 0 || same(saved, natural)) return natural
      return before !== undefined && same(saved, before) ? before : saved
    },
    set: (sort) => {
      if (!same(sort, layouts.of(name).sort)) layouts.keep(name, { sort })
    },
  })
}
