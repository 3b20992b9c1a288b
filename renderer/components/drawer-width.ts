import { shallowRef } from 'vue'

/** CSS pixels a drawer may be wide. */
export const drawerWidths = { least: 360, most: 640 } as const
/** As the technician left it, for every drawer; null: by the width of the window. */
export const drawerWidth = shallowRef<number | null>(null)

let keep: (width: number | null) => unknown = () => undefined
/** Whoever keeps the width is called when the technician changes it, and by nothing else. */
export function keepDrawerWidth(keeper: typeof keep): void {
  keep = keeper
}
export function changeDrawerWidth(width: number | null): void {
  drawerWidth.value = width
  keep(width)
}
