import { Failed } from '../../contract/failure.ts'
import type { JobItem, JobItemQuery, JobSort } from '../../contract/api/jobs.ts'
import type { Clock } from '../platform.ts'
import type { Workbook } from '../storage/workbook.ts'
import { jobCondition } from './job-query.ts'
import { queryJob, queryJobs, queryListedItems, type StoredJob } from './job-rows.ts'

/** A job as stored, without what only its session knows, such as its waits. */
export type ListedJob = StoredJob['listed'] & Pick<StoredJob, 'state'>

/** All jobs and the results of their items, as stored. Rejects with Failed `not-found` or `cache-unusable`. */
export interface ListedJobs {
  /** Those that match a filter; `sort` empty: newest first. */
  jobs(organizationId: string, where: string, sort: JobSort): Promise<readonly ListedJob[]>
  items(
    organizationId: string,
    query: Pick<JobItemQuery, 'id' | 'show' | 'sort'>,
  ): Promise<{ readonly total: number; readonly batches: AsyncIterable<readonly JobItem[]> }>
}

export const openListedJobs = (workbook: Pick<Workbook, 'query'>, clock: Pick<Clock, 'now'>): ListedJobs => ({
  jobs: async (organizationId, where, sort) => {
    const matching = jobCondition(organizationId, where, clock.now())
    const { jobs } = await queryJobs(workbook, matching, { sort, start: 0, count: -1 })
    return jobs.map(({ listed, state }) => ({ ...listed, state }))
  },
  items: async (organizationId, query) =>
    queryListedItems(workbook, await storedJob(workbook, organizationId, query.id), query),
})

/** Rejects with Failed `not-found`. */
export async function storedJob(
  workbook: Pick<Workbook, 'query'>,
  organizationId: string,
  id: string,
): Promise<StoredJob> {
  const job = await queryJob(workbook, organizationId, id)
  if (job === null) throw Failed.notFound(id)
  return job
}
