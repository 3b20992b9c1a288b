import { z } from 'zod'
import { id, nothing, start, text } from '../argument-parts.ts'
import type { ExplorerAnswer, ExplorerCall, ExplorerOperation } from '../explorer.ts'
import { method } from '../method.ts'

/** As typed; a body of settings may be long. */
const parameters = z
  .record(id, text(100_000))
  .refine((given) => Object.keys(given).length <= 50, 'There are more than 50 members here.')

export const explorer = {
  operations: method(nothing).returns<readonly ExplorerOperation[]>(),
  run: method(z.strictObject({ operation: id, parameters, unlock: z.boolean() })).returns<ExplorerAnswer>(),
  examples: method(nothing).returns<readonly ExplorerCall[]>(),
  saveExample: method(z.strictObject({ name: text(80).min(1), operation: id, parameters })).returns<
    readonly ExplorerCall[]
  >(),
  removeExample: method(z.strictObject({ id: start })).returns<readonly ExplorerCall[]>(),
  history: method(nothing).returns<readonly ExplorerCall[]>(),
}
