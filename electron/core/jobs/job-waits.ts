import type { Job, JobWait } from '../../contract/api/jobs.ts'
import type { UnendedItem } from './job-rows.ts'

/** Contract: targets listed of a group. */
const targetsAtMost = 100

type Wait = Pick<JobWait, 'reason' | 'until' | 'after'>

/** Groups the items of a job that were not sent yet by what they wait for, the largest group first. */
export function waitsOf(
  unended: readonly UnendedItem[],
  job: Pick<Job, 'state' | 'canary' | 'waitsFor' | 'waitsUntil'>,
  now: number,
): readonly JobWait[] {
  const tried = new Map(
    unended.flatMap(({ item, family }) => (item.state === 'queued' ? [] : [[family, item.target] as const])),
  )
  const ofJob: Wait = {
    reason: job.waitsFor === 'call-budget' ? null : job.waitsFor,
    until: job.waitsUntil,
  }
  const isGoing = job.state === 'running' || job.state === 'waiting'
  const waitOf = ({ item, family }: UnendedItem): Wait => {
    if (!isGoing) return ofJob
    if (item.waitsFor !== null) return { reason: item.waitsFor, until: item.earliestAt }
    const after = job.canary ? tried.get(family) : undefined
    if (after !== undefined) return { reason: 'canary', until: null, after }
    if (item.earliestAt !== null && item.earliestAt > now)
      return { reason: 'device-minute', until: item.earliestAt }
    return ofJob.reason === 'canary' ? { reason: null, until: null } : ofJob
  }
  const groups = new Map<string, JobWait>()
  for (const one of unended) {
    if (one.item.state !== 'queued') continue
    const wait = waitOf(one)
    // Zones reach their time at different moments; other waits end one after the other.
    const isTimed = wait.reason === 'start-time' || wait.reason === 'window'
    const key = JSON.stringify([wait.reason, isTimed ? wait.until : null, wait.after?.id])
    const group = groups.get(key) ?? { ...wait, count: 0, targets: [] }
    groups.set(key, {
      ...group,
      until: group.until === null || wait.until === null ? null : Math.min(group.until, wait.until),
      count: group.count + 1,
      targets: group.count < targetsAtMost ? [...group.targets, one.item.target] : group.targets,
    })
  }
  return [...groups.values()].sort((a, b) => b.count - a.count)
}
