/** At most this many characters in a tag's or list's name; no control characters, commas or quotes. Chosen. */
export const tagAtMost = 60
