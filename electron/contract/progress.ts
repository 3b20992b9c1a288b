/** How far long work is. `total` null: nobody knows of how many. */
export interface Progress {
  readonly done: number
  readonly total: number | null
}

/** Whole per cent; null where they would be made up: of how many is not known, or there turned out to be more. */
export const percentOf = ({ done, total }: Progress): number | null =>
  total === null || total === 0 || done > total ? null : Math.floor((100 * done) / total)
