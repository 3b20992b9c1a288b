import { shallowRef } from 'vue'

/** CSS pixels a drawer may be wide. */
export const drawerWidths = { least: 360, most: 640 } as const
/** As the technician left it, for every drawer; null: by the width of the window. */
export const drawerWidth = shallowRef<number | null>(null)
