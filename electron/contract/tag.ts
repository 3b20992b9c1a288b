/** A local tag: a technician's own word on a device. It never leaves this machine. */
export interface Tag {
  readonly name: string
  /** Devices of the current organization that carry it, gone ones too. */
  readonly count: number
}

/** At most this many characters in a tag's or list's name; no control characters, commas or quotes. Chosen. */
export const tagAtMost = 60

export interface TagChange {
  /** Devices that differ now. */
  readonly changed: number
  /** Takes exactly this back, once, while the program runs (the last 20 changes); null: nothing changed. */
  readonly undo: string | null
}
