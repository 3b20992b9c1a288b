/** Where a list was left: pixels from the top, the row that keys act on, and what stood at the top, which may have another place now. */
export interface GridPlace {
  readonly top: number
  readonly active: number
  readonly id?: string | null
}
