import type { Component } from 'vue'
import type { StatusKind } from '../components/status-kind.ts'

/** In the order in which equally good results are listed: people before rooms before pages. */
export const paletteGroups = [
  'do',
  'lists',
  'people',
  'sites',
  'rooms',
  'also',
  'verbs',
  'pages',
  'actions',
  'preferences',
  'products',
  'devices',
  'help',
] as const
export type PaletteGroup = (typeof paletteGroups)[number]

export interface PaletteEntry {
  /** Identifies an entry: `device 4711`. */
  readonly id: string
  readonly group: PaletteGroup
  readonly title: string
  readonly detail: string | null
  /** The text at the end of the row, such as a status, and the mark before it. */
  readonly aside?: string | null
  readonly mark?: StatusKind
  /** Further words by which it is found. */
  readonly alsoFoundBy?: string
  /** Its shortcut, as in the table of shortcuts. */
  readonly chord?: string
  readonly icon: Component
  /** Classes of a picture instead of its icon. */
  readonly picture?: string
  /** It opens another page, so the focus moves there and not back. */
  readonly leaves: boolean
  /** It depends on the typed text, so it is not suggested again later. */
  readonly ofWords?: true
  /** It only continues the typed text with this one, which is shown beside it. */
  readonly begins?: string
  /** What Enter does, if it does not open a page. */
  readonly enter?: 'plan' | 'copy' | 'print'
  readonly run: () => unknown
  /** Opens the item on a page of its own. */
  readonly page?: () => unknown
}
