/** Chosen: more is meant by a filter. */
export const namedAtMost = 10_000
