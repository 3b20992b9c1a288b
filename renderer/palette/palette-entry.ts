import type { Component } from 'vue'

export const paletteGroups = [
  'recent',
  'pages',
  'actions',
  'preferences',
  'devices',
  'rooms',
  'products',
] as const
export type PaletteGroup = (typeof paletteGroups)[number]

export interface PaletteEntry {
  /** Tells entries apart: `device 4711`. */
  readonly id: string
  readonly group: Exclude<PaletteGroup, 'recent'>
  readonly title: string
  readonly detail: string | null
  /** What stands at the end of its row, such as a status. */
  readonly aside?: string | null
  /** Other words it is found by. */
  readonly alsoFoundBy?: string
  /** Its shortcut, as in the table of shortcuts. */
  readonly chord?: string
  readonly icon: Component
  /** Classes of a picture in its place. */
  readonly picture?: string
  /** It opens another page: the focus goes there, not back. */
  readonly leaves: boolean
  /** It belongs to what is typed: it is not offered again later. */
  readonly ofWords?: true
  readonly run: () => unknown
  /** Opens it on a page of its own. */
  readonly page?: () => unknown
}
