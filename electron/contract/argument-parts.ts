import { z } from 'zod'
import { namedAtMost } from './device.ts'
import { deviceSortColumns } from './fields/device.ts'
import { noteAtMost } from './note.ts'
import { largestProductId, prereleaseStages } from './firmware.ts'
import { changeSortColumns } from './fields/change.ts'
import { jobSortColumns } from './fields/job.ts'
import { jobItemSortColumns } from './fields/job-item.ts'
import { journalSortColumns } from './fields/journal.ts'
import { roomSortColumns } from './fields/room.ts'

/**
 * Common parts of the arguments of several features. Arguments of a client are untrusted: only their shape
 * and bounds are checked here. Each feature decides itself whether an address or a key is valid. Unknown
 * members are refused. The bounds have no outside source: raise one if it refuses a real value.
 */

export const text = (atMost: number) => z.string().max(atMost)
export const free = text(500)
// Ids become part of an address, which cannot contain half of a surrogate pair.
export const id = z
  .string()
  .min(1)
  .max(512)
  .refine((given) => given.isWellFormed(), 'This contains an incomplete character.')
export const version = z.string().min(1).max(100)
export const int32 = z.int().min(0).max(largestProductId)
export const start = z.int().min(0)
export const count = z.int().min(0).max(500)
/** For methods without an argument; JSON transports it as null too. */
export const nothing = z.union([z.undefined(), z.null()]).transform(() => undefined)
/**
 * A name that a client chooses for one call of a method that may write, and with which it finds out whether
 * the write was begun; null: it does not. A second call with the same one is refused.
 */
export const reference = z
  .string()
  .regex(/^client-[0-9a-f]{32}$/, 'This is not the reference of a client.')
  .nullable()

/** null: removes the note. */
export const note = text(noteAtMost).nullable()

export const byId = z.strictObject({ id })
/** A name or id as a person types it. */
export const typed = z.strictObject({ text: free })
export const product = z.strictObject({ vendorId: int32, productId: int32 })
export const refresh = z.strictObject({ refresh: z.boolean() })
export const stages = z.array(z.enum(prereleaseStages)).max(prereleaseStages.length).readonly()

/** A filter as typed (filter.ts). */
export const where = text(2_000)
const sortBy = <C extends string>(columns: readonly C[]) =>
  z
    .array(z.strictObject({ column: z.enum(columns), descending: z.boolean() }))
    .max(4)
    .readonly()
export const deviceSort = sortBy(deviceSortColumns)
export const roomSort = sortBy(roomSortColumns)
export const changeSort = sortBy(changeSortColumns)
export const journalSort = sortBy(journalSortColumns)
export const jobSort = sortBy(jobSortColumns)
export const jobItemSort = sortBy(jobItemSortColumns)
export const column = text(40)
export const anySort = z
  .array(z.strictObject({ column, descending: z.boolean() }))
  .max(4)
  .readonly()
const ids = z.array(id).max(namedAtMost).readonly()
export const selection = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('matching'), where, except: ids }),
  z.strictObject({ kind: z.literal('picked'), ids }),
])
/** Values of a list's field that start with or contain `typed`. */
export const suggestion = z.strictObject({ key: text(40), typed: text(200) })
export const changeQuery = {
  where,
  since: z.union([start, z.literal('looked'), z.null()]),
  folded: z.boolean().exactOptional(),
}
export const settingChanges = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(200),
      value: z.union([text(10_000), z.number(), z.boolean()]),
      locked: z.boolean().exactOptional(),
    }),
  )
  .min(1)
  .max(100)
  .readonly()
