import { z } from 'zod'
import { changeQuery, count, start, text } from '../argument-parts.ts'
import type { ChangeGroups, ChangeWindow } from '../change.ts'
import { event, method } from '../method.ts'

export const changes = {
  groups: method(z.strictObject(changeQuery)).returns<ChangeGroups>(),
  /** Newest first; `group`: a key of `groups` under the same query, null: every change. */
  window: method(
    z.strictObject({ ...changeQuery, group: text(1_000).nullable(), start, count }),
  ).returns<ChangeWindow>(),
  /** Everything up to `at` is seen; null: nothing is (an undo). Answers what stands now. */
  look: method(z.strictObject({ at: start.nullable() })).returns<{ readonly lookedAt: number | null }>(),
  changed: event<{ readonly count: number }>(),
}
