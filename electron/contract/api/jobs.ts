import { z } from 'zod'
import { byId, count, id, selection, settingChanges, start } from '../argument-parts.ts'
import {
  jobOutcomes,
  type Job,
  type JobItemPage,
  type JobPage,
  type JobPlan,
  type PlannedItem,
} from '../job.ts'
import { event, method } from '../method.ts'

const terms = {
  startAt: start.nullable(),
  window: z.strictObject({ from: z.int().min(0).max(1_439), to: z.int().min(0).max(1_439) }).nullable(),
  keepTrying: z.boolean(),
  canary: z.boolean(),
}
const draft = z.strictObject({
  work: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('reboot-rooms'), of: z.enum(['rooms', 'devices']), selection }),
    z.strictObject({ kind: z.literal('change-settings'), selection, changes: settingChanges }),
  ]),
  ...terms,
})
/** Which items of a job. */
export const jobItems = { id, show: z.enum([...jobOutcomes, 'open']).nullable() }

export const jobs = {
  /** Reads what the draft needs and nothing else; the plan is kept for 30 minutes, at most 20 of them. */
  plan: method(draft).returns<JobPlan>(),
  /** Items of a plan, and after them those that would be skipped. */
  planned: method(z.strictObject({ plan: id, start, count })).returns<{
    readonly items: readonly PlannedItem[]
    readonly total: number
  }>(),
  start: method(
    z.strictObject({
      plan: id,
      unlock: z.boolean(),
      typed: z.int().min(0).max(1_000_000).nullable(),
      terms: z.strictObject(terms).exactOptional(),
    }),
  ).returns<Job>(),
  /** Newest first. */
  list: method(z.strictObject({ start, count })).returns<JobPage>(),
  get: method(byId).returns<Job>(),
  items: method(z.strictObject({ ...jobItems, start, count })).returns<JobItemPage>(),
  pause: method(byId).returns<Job>(),
  resume: method(z.strictObject({ id, unlock: z.boolean() })).returns<Job>(),
  /** What was not sent is not sent any more; what is in flight ends. */
  cancel: method(byId).returns<Job>(),
  /** A plan of what failed, to be started as any other. */
  retry: method(byId).returns<JobPlan>(),
  /** Looks at what became of an item that ended unknown: a read, never the write again. */
  check: method(z.strictObject({ item: start })).returns<JobItemPage>(),
  changed: event<{ readonly ids: readonly string[] }>(),
}
