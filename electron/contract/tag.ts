/**
 * Maximum characters of the name of a tag or list; no control characters, commas or quotes. Raise it if real
 * names are longer.
 */
export const tagAtMost = 60
