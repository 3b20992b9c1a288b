import type { Job, JobDetail, JobItem } from './api/jobs.ts'
import { jobOutcomes } from './job.ts'

/** Details of accepted items without an observed success. */
export const unseenDetails = [
  'did-not-come-back',
  'not-watched',
  'applies-later',
] as const satisfies readonly JobDetail[]
/** Details of items that their job ended before anything was sent. */
export const notSentDetails = ['cancelled', 'missed'] as const satisfies readonly JobDetail[]

/** How items ended, as people are told: an accepted one without an observed success is not done, one that was not sent did not fail. */
export const jobResults = [...jobOutcomes, 'not-confirmed', 'not-sent'] as const
export type JobResult = (typeof jobResults)[number]

export const itemResult = ({ outcome, detail }: Pick<JobItem, 'outcome' | 'detail'>): JobResult | null =>
  unseenDetails.some((one) => one === detail)
    ? 'not-confirmed'
    : notSentDetails.some((one) => one === detail)
      ? 'not-sent'
      : outcome

export const jobResultCounts = ({
  counts,
  unseen,
  notSent,
}: Pick<Job, 'counts' | 'unseen' | 'notSent'>): Readonly<Record<JobResult, number>> => ({
  ...counts,
  done: counts.done - unseen,
  failed: counts.failed - notSent,
  'not-confirmed': unseen,
  'not-sent': notSent,
})

/** Whether reading the device may still find the result of its write. A room that was not seen coming back says nothing later. */
export const mayBeChecked = ({ outcome, detail, target }: JobItem): boolean =>
  outcome === 'unknown' || (detail === 'not-watched' && target.of === 'device')
