/** What a kit lacks, and why, in words: it stands in the kit. */
export interface KitPart {
  readonly what: string
  readonly reason: string
}

/** A kit against its own manifest, which shows damage and not origin. Paths are those of the manifest. */
export interface VerifiedKit {
  /** Of the manifest. */
  readonly files: number
  readonly ok: number
  readonly changed: readonly string[]
  readonly missing: readonly string[]
  readonly extra: readonly string[]
}
