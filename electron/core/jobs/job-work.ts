import type { Failure } from '../../contract/failure.ts'
import type {
  JobDetail,
  JobOutcome,
  JobPlan,
  JobWork,
  PlannedItem,
  WaitReason,
} from '../../contract/api/jobs.ts'
import type { Json } from '../../contract/json.ts'
import type { RunningTask } from '../tasks.ts'
import type { PlannedWrite } from '../write-gate/write-gate.ts'

/** What one kind of job knows: which items there are, and how one of them is done. The runner knows when, and what is remembered. */
export interface JobWorker<W extends JobWork = JobWork> {
  /** Reads what is known and what must be known. Rejects with Failed. */
  plan(work: W, task: RunningTask): Promise<WorkPlan>
  /** Does an item: its reads, the one write through the gate, and looking what became of it. Rejects with nothing but our own mistakes. */
  run(item: ItemToRun, tools: ItemTools): Promise<ItemEnding>
  /** Goes on looking what became of a write that was accepted before the program ended. Never writes. */
  goOn(item: ItemToRun, tools: ItemTools): Promise<ItemEnding>
  /** Looks what became of a write nobody saw end. Never writes; null: still nobody can say. */
  check(item: ItemToRun, tools: ItemTools): Promise<ItemEnding | null>
}

export type JobWorkers = { readonly [K in JobWork['kind']]: JobWorker }

export interface WorkPlan {
  readonly items: readonly WorkItem[]
  readonly skipped: readonly PlannedItem[]
  /** Calls made once for the whole job, such as pages of devices with settings. */
  readonly callsOnce: number
  readonly savedCalls: number | null
  readonly products?: Required<JobPlan>['products']
}
export interface WorkItem {
  readonly planned: PlannedItem
  /** Exact without faults: reads, the write, reading back. Watching is not among them. */
  readonly calls: number
  readonly watchingAtMost: number
  /** Kept with the item, for `run`: whatever the worker needs and what the technician was shown. */
  readonly memory: Json
}

export interface ItemToRun {
  readonly id: number
  readonly jobId: string
  readonly work: JobWork
  readonly target: PlannedItem['target']
  readonly deviceIds: readonly string[]
  readonly memory: Json
  /** When its write was accepted, for `goOn` and `check`; null: not known. */
  readonly sentAt: number | null
}

export interface ItemTools {
  /**
   * To be spread into the write as it is: the job's leave to pass the gate, the item's reference for the journal (so that after a crash it
   * is known whether there was a write, and there is never a second), and what ends it as long as nothing was sent (paused, cancelled).
   */
  readonly write: Required<Pick<PlannedWrite, 'authorization' | 'reference' | 'signal' | 'unlock' | 'wait'>>
  /** Cancelled, or the program ends: waiting and watching end at once, a write under way is the gate's. */
  readonly signal: AbortSignal
  /** The write was accepted and is looked after now: written down before anything else is asked. */
  accepted(state: 'checking' | 'watching', journalId: number | null): Promise<void>
  /** A call is made for this item. */
  called(): void
}

/**
 * `again`: nothing was done; the runner asks again at `at`, or when what it waits for is over: `device-minute`, `rate-limited` (429 on a
 * read; on the write where the job keeps trying), `offline`, `locked`, `paused` (the job stops asking: a refused key). Where the journal
 * says that a write was refused on its way, the runner ends the item as failed with `failure`, but for a 429 of a job that keeps trying.
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
