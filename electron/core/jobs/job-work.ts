import { Failed, isKind, type Failure } from '../../contract/failure.ts'
import type {
  JobDetail,
  JobOutcome,
  JobWork,
  PlannedItem,
  PlannedProduct,
  WaitReason,
} from '../../contract/api/jobs.ts'
import type { Json } from '../../contract/json.ts'
import type { RunningTask } from '../tasks.ts'
import type { PlannedWrite } from '../writes/writes.ts'
import type { ServiceClient } from '../service-client/service-client.ts'
import type { DeviceSelection } from '../../contract/api/devices.ts'
import type { Devices, PlanDevice } from '../devices/devices.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { WriteReport } from '../../contract/api/writes.ts'

/**
 * Everything that is specific to one kind of job: which items it has, and how one is carried out. The runner
 * decides when this happens and what is stored.
 */
export interface JobWorker<W extends JobWork = JobWork> {
  /** Reads what the plan needs. Rejects with Failed. */
  plan(work: W, task: RunningTask): Promise<WorkPlan>
  /**
   * Carries out an item: its reads, its one write, and the check of the result. Rejects only because of a
   * bug.
   */
  run(item: ItemToRun, tools: ItemTools): Promise<ItemEnding>
  /** Resumes watching a write that was accepted before the program ended. Read-only. */
  resume(item: ItemToRun, tools: ItemTools): Promise<ItemEnding>
  /** Checks the result of an unconfirmed write. Read-only. Null: still unknown. */
  check(item: ItemToRun, tools: ItemTools): Promise<ItemEnding | null>
}

export type JobWorkers = { readonly [K in JobWork['kind']]: JobWorker }

export interface WorkPlan {
  readonly items: readonly WorkItem[]
  readonly skipped: readonly PlannedItem[]
  readonly savedCalls: number | null
  readonly products?: readonly ProductOfWork[]
}
/** Its first device follows from the order of the items. */
export type ProductOfWork = Omit<PlannedProduct, 'first' | 'firstStatus'>
export interface WorkItem {
  readonly planned: PlannedItem
  /** Calls for reads, the write and reading back, without watching. Exact if there are no faults. */
  readonly calls: number
  readonly watchingAtMost: number
  /** Stored with the item, for `run`: the worker's data and what the technician was shown. */
  readonly memory: Json
}

export interface ItemToRun {
  readonly id: number
  readonly jobId: string
  readonly work: JobWork
  readonly target: PlannedItem['target']
  readonly deviceIds: readonly string[]
  readonly memory: Json
  /** When its write was accepted, for `resume` and `check`; null: not known. */
  readonly sentAt: number | null
}

export interface ItemTools {
  /**
   * To be spread into the write unchanged: the job's authorization, the item's reference for the journal (it
   * shows after a crash whether there was a write, and prevents a second one), the signal that cancels it
   * while nothing was sent (paused, cancelled), and the item's window.
   */
  readonly write: Required<Pick<PlannedWrite, 'authorization' | 'reference' | 'signal' | 'unlock' | 'wait'>> &
    Pick<PlannedWrite, 'window'>
  /**
   * Monotonic time since which the job has been sending, without a pause, a closed window or a canary in
   * between. What was read before may no longer be so.
   */
  readonly since: number
  /** Cancelled, or the program ends: waiting and watching end at once; a write in flight is completed. */
  readonly signal: AbortSignal
  /** The write was accepted and is being watched: stored before the next request. */
  accepted(state: 'checking' | 'watching', journalId: number | null): Promise<void>
  /** Counts a call for this item. */
  called(): void
}

/**
 * `again`: nothing was done; the runner tries again at `at`, or when the cause has ended: `device-minute`,
 * `rate-limited` (429 on a read; on the write if the job retries), `offline`, `locked`, `paused` (the job
 * stops: a refused key), `releases` (the job pauses if `at` is null or outside the item's window). If the journal shows that a write was refused, the runner ends the item as failed
 * with `failure`, except for a 429 of a job that retries.
 */
export type ItemEnding =
  | {
      readonly kind: 'ended'
      readonly outcome: JobOutcome
      readonly detail: JobDetail | null
      readonly failure: Failure | null
      readonly journalId: number | null
    }
  | {
      readonly kind: 'again'
      readonly at: number | null
      readonly waitsFor: WaitReason
      readonly failure: Failure | null
    }

/**
 * The client of one item: every attempt is reported immediately before it is sent. `once`: a read without
 * data is not retried automatically, for callers that poll anyway with their own limit.
 */
export const countedClient = (client: ServiceClient, called: () => void, once = false): ServiceClient => ({
  send: (request) =>
    client.send({
      ...request,
      ...(once ? { once } : {}),
      beforeDispatch: async () => {
        // May reject: then this attempt sends nothing.
        await request.beforeDispatch?.()
        called()
      },
    }),
  onReach: (listener) => client.onReach(listener),
  retrying: () => client.retrying(),
})

/** The devices of a new plan, by title. Rejects with Failed `cancelled`, `invalid` or `cache-unusable`. */
export async function selectedDevices(
  devices: Pick<Devices, 'forPlan'>,
  organizationId: string,
  selection: DeviceSelection,
  task: RunningTask,
): Promise<readonly PlanDevice[]> {
  const { total, batches } = await devices.forPlan(organizationId, selection, [])
  const found: PlanDevice[] = []
  for await (const batch of batches) {
    found.push(...batch)
    task.step('finding', found.length, total)
  }
  return found
}

export const ended = (
  outcome: JobOutcome,
  detail: JobDetail | null,
  failure: Failure | null = null,
  journalId: number | null = null,
): ItemEnding => ({
  kind: 'ended',
  outcome,
  detail,
  failure,
  journalId,
})

/** For a write that waits because of the one-minute rule of its devices. */
export const waiting = (at: number | null): ItemEnding => ({
  kind: 'again',
  at,
  waitsFor: 'device-minute',
  failure: null,
})

/**
 * Texts in a 400 response that mean that the service cannot do this at all. No list of codes is published;
 * extend it when other texts are observed.
 */
const saysUnsupported =
  /\b(?:not|un|isn['’]t|doesn['’]t|does not|is not)[ -]?(?:support(?:ed)?|applicable|available for|capable)\b/i

/**
 * How a failure ends an item. Some do not end it: nothing was done, and the cause is not the item itself (no
 * connection, the budget, the lock, a refused key, which stops the whole job). RFC 9110: 405 and 501 mean
 * that the service does not have the method.
 */
export function endingOf(failure: Failure, journalId: number | null = null): ItemEnding {
  const { waitsFor } = policyOf(failure)
  if (waitsFor !== null) {
    // A hold may be lifted long before its time: the item is tried again when its job resumes.
    const at = isKind(failure, 'rate-limited') && failure.held !== true ? failure.untilAt : null
    return { kind: 'again', at, waitsFor, failure }
  }
  if (isKind(failure, 'not-found')) return ended('not-found', null, failure, journalId)
  if (isKind(failure, 'unconfirmed'))
    return ended(failure.status === 501 ? 'not-supported' : 'unknown', null, failure, journalId)
  const unsupported =
    isKind(failure, 'refused') &&
    (failure.status === 405 || (failure.status === 400 && saysUnsupported.test(failure.message ?? '')))
  return ended(unsupported ? 'not-supported' : 'failed', null, failure, journalId)
}

/** How an executed write ends its item; null: accepted, result pending. */
export function endingOfWrite(report: WriteReport): ItemEnding | null {
  if (report.outcome === 'accepted') return null
  if (report.outcome === 'waiting') return waiting(report.earliestAt)
  if (report.failure !== null) return endingOf(report.failure, report.journalId)
  return ended(report.outcome === 'unconfirmed' ? 'unknown' : 'failed', null, null, report.journalId)
}

/** Runs a part of an item; a Failed becomes the item's ending. */
export async function endingWith(work: () => Promise<ItemEnding>): Promise<ItemEnding> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failed) return endingOf(error.failure)
    throw error
  }
}
