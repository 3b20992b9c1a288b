/** Every key this run has seen, replaced and forgotten ones too, so that none of them is ever written anywhere. */
export class KnownKeys {
  readonly #forms = new Set<string>()
  #longestFirst: readonly string[] = []

  add(key: string): void {
    if (key === '' || this.#forms.has(key)) return
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) this.#forms.add(form)
    // The longest first: one key may be the beginning of another.
    this.#longestFirst = [...this.#forms].sort((one, other) => other.length - one.length)
  }

  /** The text without any known key, as it is, percent-encoded or inside JSON. */
  scrub(text: string): string {
    let clean = text
    for (const form of this.#longestFirst) clean = clean.replaceAll(form, '[subscription key]')
    return clean
  }
}
