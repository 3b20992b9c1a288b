/** A larger selection is made with a filter. Raise it if people need to name more. */
export const namedAtMost = 10_000
