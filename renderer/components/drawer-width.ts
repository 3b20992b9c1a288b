import { shallowRef } from 'vue'

/** Allowed width of a drawer in CSS pixels. */
export const drawerWidths = { least: 360, most: 640 } as const
/** The width set by the technician, for every drawer; null: by the width of the window. */
export const drawerWidth = shallowRef<number | null>(null)

let keep: (width: number | null) => unknown = () => undefined
/** The listener is called only when the technician changes the width. */
export function keepDrawerWidth(keeper: typeof keep): void {
  keep = keeper
}
export function changeDrawerWidth(width: number | null): void {
  drawerWidth.value = width
  keep(width)
}
