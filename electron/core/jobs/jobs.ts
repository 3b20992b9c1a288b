import { Failed } from '../../contract/failure.ts'
import type { Job, JobDraft, JobItemPage, JobItemQuery, JobPage, JobPlan, JobStart, PlannedItem } from '../../contract/job.ts'

/** Jobs of one organization. Reject with Failed. */
export interface Jobs {
  plan(draft: JobDraft): Promise<JobPlan>
  planned(query: { readonly plan: string; readonly start: number; readonly count: number }): Promise<{ items: readonly PlannedItem[]; total: number }>
  start(start: JobStart): Promise<Job>
  list(query: { readonly start: number; readonly count: number }): Promise<JobPage>
  get(id: string): Promise<Job>
  items(query: JobItemQuery): Promise<JobItemPage>
  pause(id: string): Promise<Job>
  resume(resume: { readonly id: string; readonly unlock: boolean }): Promise<Job>
  cancel(id: string): Promise<Job>
  retry(id: string): Promise<JobPlan>
  check(item: number): Promise<JobItemPage>
  /** Jobs changed. Returns the function that ends it. */
  onChange(listener: (ids: readonly string[]) => void): () => void
  close(): Promise<void>
}

export function openJobs(): Jobs {
  const not = (): never => {
    throw new Failed({ kind: 'invalid', field: 'job', message: 'Jobs cannot be asked for yet.' })
  }
  const later = async (): Promise<never> => not()
  return {
    plan: later,
    planned: later,
    start: later,
    list: async () => ({ jobs: [], total: 0, otherProgram: null }),
    get: later,
    items: later,
    pause: later,
    resume: later,
    cancel: later,
    retry: later,
    check: later,
    onChange: () => () => undefined,
    close: async () => undefined,
  }
}
