import { Failed } from '../../contract/failure.ts'
import type { TagStep } from './tag-rows.ts'

/** What one change did, so that exactly this can be taken back. */
export interface Done {
  readonly organizationId: string
  /** One entry for each transaction, as changed: devices that had the tag before are not in it. */
  readonly chunks: readonly (readonly TagStep[])[]
  /** Tags written another way than before. */
  readonly spelt: readonly { readonly word: string; readonly before: string; readonly after: string }[]
}

/** Contract: the last 20 changes. 100,000 devices are 4.5 MB of one. */
const keptAtMost = 20

/** What can be taken back, once each, while the program runs. */
export class UndoMemory {
  readonly #kept = new Map<string, Done>()

  keep(id: string, done: Done): void {
    this.#kept.set(id, done)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= keptAtMost) break
      this.#kept.delete(oldest)
    }
  }

  /** Throws Failed `not-found` for one taken back already, too old, or another organization's. */
  take(organizationId: string, id: string): Done {
    const done = this.#kept.get(id)
    if (done?.organizationId !== organizationId)
      throw new Failed({ kind: 'not-found', call: null, what: 'the change to undo' })
    this.#kept.delete(id)
    return done
  }
}
