import { defineStore } from 'pinia'
import { computed, type ComputedRef } from 'vue'
import type { ListLayout } from '../../electron/contract/api/views.ts'
import type { GridName } from '../../electron/contract/view.ts'
import { api } from '../api.ts'
import { knownLayout, type GridLayout } from '../lists/grid-columns.ts'
import { paced } from '../parts/paced.ts'
import { useFrameStore } from './frame-store.ts'

/** Dragging a column edge changes much at once; the file is written at most twice a second (chosen). */
const SAVED_EVERY_IN_MS = 500

/** Columns of every grid as the technician left them, kept with the preferences. */
export const useListLayouts = defineStore('list-layouts', () => {
  const frame = useFrameStore()
  const save = paced(
    () => void api.app.setPreferences({ layouts: frame.preferences.layouts }),
    SAVED_EVERY_IN_MS,
  )
  function keep(name: GridName, layout: ListLayout): void {
    frame.preferences = {
      ...frame.preferences,
      layouts: { ...frame.preferences.layouts, [name]: layout },
    }
    save.call()
  }
  return { keep }
})

/** The columns of one grid; those it does not have (a file of another version) are left out. */
export function useGridLayout<Key extends string>(
  name: GridName,
  columns: () => readonly { readonly key: Key }[],
): {
  readonly layout: ComputedRef<GridLayout<Key>>
  readonly keepLayout: (layout: GridLayout<Key>) => void
} {
  const frame = useFrameStore()
  const layouts = useListLayouts()
  const isKnown = (key: string): key is Key => columns().some((one) => one.key === key)
  return {
    layout: computed(() => knownLayout(frame.preferences.layouts[name]?.columns ?? [], isKnown)),
    keepLayout: (columns) =>
      layouts.keep(name, { columns, sort: frame.preferences.layouts[name]?.sort ?? [] }),
  }
}
