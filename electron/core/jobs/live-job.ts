import type { Job, JobPlan, JobTerms, JobWork, WaitReason } from '../../contract/api/jobs.ts'
import type { Clock } from '../platform.ts'
import type { Authorization } from '../write-gate/write-gate.ts'
import { ItemQueue } from './item-queue.ts'
import { Pace } from './pace.ts'
import type { WindowIn } from './start-window.ts'

/** An item that was let to its worker and did not come back yet. */
export interface UnderWay {
  state: 'sending' | 'checking' | 'watching'
  /** Calls that are not in the file yet. */
  calls: number
  /** Monotonic, when it was sent and is looked after; null: not yet. */
  lookedAfterSince: number | null
}

/** A job this program runs, or holds while it is paused. What must outlive the program stands in the file. */
export class LiveJob {
  readonly number: number
  readonly id: string
  readonly work: JobWork
  readonly terms: JobTerms
  readonly asked: number
  readonly target: Job['target']
  readonly windowIn: WindowIn
  readonly timeZones: JobPlan['timeZones']
  readonly queue = new ItemQueue()
  readonly underWay = new Map<number, UnderWay>()
  readonly pace: Pace
  state: 'running' | 'paused' | 'stopping' = 'running'
  /** Why it is paused. */
  pausedFor: WaitReason | null = null
  canary: 'due' | 'over' | null
  /** It has no start time, met it, or something of it was begun: late from here on, and never missed. */
  metStart: boolean
  authorization: Authorization | null = null
  /** Since when it has been waiting for the connection. */
  offlineSince: { readonly wall: number; readonly monotonic: number } | null = null
  /** Ends waiting and watching: the job is cancelled. */
  readonly stop = new AbortController()
  /** Ends what was not sent: the job is paused or cancelled. A new one with each going on. */
  unsent = new AbortController()

  constructor(
    job: {
      number: number
      id: string
      work: JobWork
      terms: JobTerms
      canary: 'due' | 'over' | null
      metStart: boolean
      asked: number
      target: Job['target']
      windowIn: WindowIn
      timeZones: JobPlan['timeZones']
    },
    clock: Clock,
  ) {
    this.number = job.number
    this.id = job.id
    this.work = job.work
    this.terms = job.terms
    this.asked = job.asked
    this.target = job.target
    this.canary = job.canary
    this.metStart = job.metStart || job.terms.startAt === null
    this.windowIn = job.windowIn
    this.timeZones = job.timeZones
    this.pace = new Pace(clock)
  }

  sending(): number {
    let sending = 0
    for (const { state } of this.underWay.values()) if (state === 'sending') sending++
    return sending
  }
}
