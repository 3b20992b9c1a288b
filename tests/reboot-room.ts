import type { JobDraft, JobItem } from '../electron/contract/api/jobs.ts'
import type { WriteReport } from '../electron/contract/api/writes.ts'
import type { Handlers } from '../electron/contract/rpc-client.ts'

/** The job of one room. `id`: its own, or a group id. */
export const rebootOf = (id: string): JobDraft => ({
  work: { kind: 'reboot-rooms', of: 'rooms', selection: { kind: 'picked', ids: [id] } },
  startAt: null,
  window: null,
  keepTrying: false,
  canary: false,
})

/**
 * Reboots one room as every client does, by a job of one item, and answers when the service has, or when it is known that the room waits
 * for its minute. The room is watched on. Rejects with Failed where nothing was begun.
 */
export async function rebootRoom(
  jobs: Pick<Handlers<'jobs'>, 'plan' | 'planned' | 'start' | 'items'>,
  id: string,
  unlock = true,
): Promise<WriteReport> {
  const plan = await jobs.plan(rebootOf(id))
  const job = await jobs.start({ plan: plan.id, unlock, typed: plan.typeNumber })
  for (;;) {
    const [item] = (await jobs.items({ id: job.id, show: null, start: 0, count: 1 })).items
    const report = item === undefined ? null : reportOf(item)
    if (report !== null) return report
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

function reportOf({ state, outcome, failure, earliestAt, journalId }: JobItem): WriteReport | null {
  const report = (told: WriteReport['outcome']): WriteReport => ({
    outcome: told,
    failure,
    earliestAt,
    journalId,
  })
  if (state === 'watching' || outcome === 'done') return report('accepted')
  if (state === 'ended') return report(outcome === 'unknown' ? 'unconfirmed' : 'refused')
  return state === 'queued' && earliestAt !== null ? report('waiting') : null
}
