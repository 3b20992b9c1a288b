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
 * What arguments of several features are made of. A client is the far side of a border, so its arguments are read as
 * strangers': shape and bounds only; whether an address or a key is a good one is the feature's own question. Unknown
 * members are refused. All bounds are chosen.
 */

export const text = (atMost: number) => z.string().max(atMost)
export const free = text(500)
// Many an id becomes a part of an address, which takes no half of a character.
export const id = z
  .string()
  .min(1)
  .max(512)
  .refine((given) => given.isWellFormed(), 'This holds half a character.')
export const version = z.string().min(1).max(100)
export const int32 = z.int().min(0).max(largestProductId)
export const start = z.int().min(0)
export const count = z.int().min(0).max(500)
/** Of methods that take nothing; as JSON carries it, also null. */
export const nothing = z.union([z.undefined(), z.null()]).transform(() => undefined)

/** null: none any more. */
export const note = text(noteAtMost).nullable()

export const byId = z.strictObject({ id })
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
/** What stands in a field of a list and begins with or holds `typed`. */
export const suggestion = z.strictObject({ key: text(40), typed: text(200) })
export const changeQuery = { where, since: z.union([start, z.literal('looked'), z.null()]) }
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
