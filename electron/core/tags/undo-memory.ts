import { Failed } from '../../contract/failure.ts'
import type { TagStep } from './tag-rows.ts'

/** The effect of one change, so that exactly this can be undone. */
export interface Done {
  readonly organizationId: string
  /** One entry for each transaction, as changed: without devices that had the tag before. */
  readonly chunks: readonly (readonly TagStep[])[]
  /** Tags whose spelling was changed. */
  readonly spelt: readonly { readonly word: string; readonly before: string; readonly after: string }[]
}

/** Contract: the last 20 changes. A change of 100,000 devices takes 4.5 MB. */
const undoableAtMost = 20

/** Changes that can be undone, once each, during this run. */
export class UndoMemory {
  readonly #saved = new Map<string, Done>()

  keep(id: string, done: Done): void {
    this.#saved.set(id, done)
    for (const oldest of this.#saved.keys()) {
      if (this.#saved.size <= undoableAtMost) break
      this.#saved.delete(oldest)
    }
  }

  /**
   * Throws Failed `not-found` for a change that was undone already, is too old, or belongs to another
   * organization.
   */
  take(organizationId: string, id: string): Done {
    const done = this.#saved.get(id)
    if (done?.organizationId !== organizationId) throw Failed.notFound('the step to undo')
    this.#saved.delete(id)
    return done
  }
}
