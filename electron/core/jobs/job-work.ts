import type { Failure } from '../../contract/failure.ts'
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
export type ProductOfWork = Omit<PlannedProduct, 'first'>
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
   * shows after a crash whether there was a write, and prevents a second one), and the signal that cancels it
   * while nothing was sent (paused, cancelled).
   */
  readonly write: Required<Pick<PlannedWrite, 'authorization' | 'reference' | 'signal' | 'unlock' | 'wait'>>
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
