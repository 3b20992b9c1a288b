/** Progress of long work. `total` null: not known. */
export interface Progress {
  readonly done: number
  readonly total: number | null
}

/** Whole per cent; null if the total is not known or was exceeded. */
export const percentOf = ({ done, total }: Progress): number | null =>
  total === null || total === 0 || done > total ? null : Math.floor((100 * done) / total)
