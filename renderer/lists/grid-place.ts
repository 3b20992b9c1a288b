/** The position of a list: pixels from the top, the active row, and the row at the top, which may have moved since. */
export interface GridPlace {
  readonly top: number
  readonly active: number
  readonly id?: string | null
}
