/** Functions that are called with each event. */
export class Listeners<Event extends readonly unknown[] = []> {
  readonly #all = new Set<(...event: Event) => void>()

  get size(): number {
    return this.#all.size
  }

  /** Returns the function that removes it. */
  readonly add = (listener: (...event: Event) => void): (() => void) => {
    this.#all.add(listener)
    return () => void this.#all.delete(listener)
  }

  readonly notify = (...event: Event): void => {
    for (const listener of this.#all) listener(...event)
  }

  readonly clear = (): void => this.#all.clear()
}
