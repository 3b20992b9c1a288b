import type { DeviceSelection } from '../contract/api/devices.ts'
import type {
  Job,
  JobDraft,
  JobItem,
  JobItemQuery,
  JobPlan,
  PlannedItem,
  SkipReason,
} from '../contract/api/jobs.ts'
import { Failed, type Failure } from '../contract/failure.ts'
import { noSettingNames, type SettingNames } from '../contract/setting-name.ts'
import type { Jobs } from '../core/jobs/jobs.ts'
import type { RunningTask, Tasks } from '../core/tasks.ts'
import { flag, show, text, type ExitCode, type Terminal } from './command.ts'
import { UsageError, type ParsedCommand } from './grammar.ts'
import { countOf } from './job-terms.ts'
import {
  planText,
  progressText,
  resultText,
  rowsForPeople,
  skipReasons,
  skipLabels,
  targetOf,
} from './job-text.ts'
import { titled } from './setting-names.ts'
import { counted } from './table.ts'
import { writeDocuments } from './listing.ts'

const itemsAtOnce = 500
/**
 * A job emits an event for each change; remaining time and waits are also polled at this interval. Raise it
 * if polling costs time.
 */
const lookEveryMs = 1_000

/** What a command that works with jobs needs. */
export interface JobAccess {
  /** The name of the organization, for confirmations. */
  readonly organization: () => string
  readonly jobs: Jobs
  /** Whether writes are unlocked already. */
  readonly unlocked: () => boolean
  readonly tasks: Pick<Tasks, 'run'>
  readonly settingNames: (of: DeviceSelection, terminal: Pick<Terminal, 'say'>) => Promise<SettingNames>
}

/**
 * Plans; with `--dry-run` prints the plan, else starts the job and follows it to the end. Throws UsageError,
 * rejects with Failed.
 */
export async function planAndRun(
  session: JobAccess,
  draft: JobDraft,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  refuseUnready(
    session,
    given,
    draft.work.kind === 'change-settings'
      ? 'This changes devices and may restart them'
      : 'This restarts devices',
  )
  return runPlan(session, (task) => session.jobs.plan(draft, task), given, terminal)
}

/** Checked before anything is read, because these would be refused at the end. */
export function refuseUnready(session: JobAccess, given: ParsedCommand, what: string): void {
  countOf(given)
  if (flag(given, 'detach') && flag(given, 'no-watch'))
    throw new UsageError('--detach ends immediately and cannot be used with --no-watch.')
  if (flag(given, 'dry-run')) return
  if (!flag(given, 'yes'))
    throw new UsageError(
      `${what} (${session.organization()}): check with --dry-run, then add --yes --unlock.`,
    )
  if (!flag(given, 'unlock') && !session.unlocked()) throw new Failed({ kind: 'writes-locked' })
}

export async function runPlan(
  session: JobAccess,
  make: (task: RunningTask) => Promise<JobPlan>,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  const plan = await session.tasks.run('plan', make)
  terminal.progress(null)
  const nothing: ExitCode = isWhole(plan.skipped) ? 0 : 3
  const isFirmware = plan.draft.work.kind === 'update-firmware'
  if (isFirmware && plan.items === 0 && nothing === 3) throw new Failed(await refusedBy(session.jobs, plan))
  if (flag(given, 'dry-run')) {
    if (flag(given, 'json')) {
      const head = JSON.stringify({ ...plan, leftOut: await leftOutIn(session.jobs, plan) })
      const names = await namesFor(session, plan, terminal)
      await writeDocuments(
        terminal,
        false,
        `${head.slice(0, -1)},"planned":[`,
        allPlanned(session.jobs, plan.id),
        (item) => ({ ...item, changes: titled(names, item.changes) }),
      )
    } else terminal.print(await planLines(session, plan, terminal))
    return (plan.items > 0 && !isFirmware) || nothing === 0 ? 0 : 4
  }
  terminal.say(await planLines(session, plan, terminal))
  const isDetached = flag(given, 'detach')
  if (plan.items === 0) {
    const leftOut = await leftOutIn(session.jobs, plan)
    const none = isDetached ? { id: null, leftOut } : { job: null, leftOut, items: [] }
    show(given, terminal, none, () => 'Nothing was sent.')
    return nothing
  }
  // Read before the plan is started: then it is no longer stored.
  const leftOut = await leftOutIn(session.jobs, plan)
  const count = countOf(given)
  if (count !== plan.typeNumber && (plan.typeNumber !== null || (count !== null && count !== plan.items)))
    throw new UsageError(
      count === null
        ? `The plan has ${counted(plan.items, targetOf(plan))}: confirm with --count ${plan.items}. Nothing was sent.`
        : `The plan has ${counted(plan.items, targetOf(plan))}, not ${count}. Nothing was sent.`,
    )
  const job = await session.jobs.start(
    { plan: plan.id, unlock: flag(given, 'unlock'), typed: plan.typeNumber },
    { detached: isDetached },
  )
  if (isDetached) {
    terminal.say(`The job continues in the app. headroom jobs show ${job.id} shows its state.`)
    show(given, terminal, { id: job.id, leftOut }, () => job.id)
    return 0
  }
  terminal.say(`Job ${job.id} started. Ctrl+C pauses it.`)
  return follow(session.jobs, job.id, leftOut, given, terminal)
}

/** An item that a plan leaves out; null: only its reason is known, because another process made the plan. */
export interface LeftOut extends Pick<PlannedItem['target'], 'name'> {
  readonly id: string | null
  readonly reason: SkipReason
}

async function leftOutIn(jobs: Jobs, { id, items, skipped }: JobPlan): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = []
  if (skipped.length === 0) return leftOut
  for await (const { target, skipped: reason } of allPlanned(jobs, id, items))
    if (reason !== null) leftOut.push({ id: target.id, name: target.name, reason })
  return leftOut
}

/** Nothing has to be done for the skipped items. */
const isWhole = (leftOut: readonly Pick<LeftOut, 'reason'>[]): boolean =>
  leftOut.every(({ reason }) => reason === 'as-wanted')

/** Why nothing of a plan can be done, by device. The typed arguments are valid, so it ends with 3. */
async function refusedBy(jobs: Jobs, plan: JobPlan): Promise<Failure> {
  const { items, total } = await jobs.planned({ plan: plan.id, start: 0, count: rowsForPeople })
  const words = items.flatMap(({ target, skipped }) =>
    skipped === null ? [] : [`${target.name ?? target.id}: ${skipLabels[skipped]}`],
  )
  const more = total > items.length ? [`and ${total - items.length} more`] : []
  return {
    kind: 'not-found',
    call: null,
    what: `No device can be updated: ${[...words, ...more].join('; ')}.`,
  }
}

const namesFor = async (
  { settingNames }: JobAccess,
  { draft: { work } }: JobPlan,
  terminal: Terminal,
): Promise<SettingNames> =>
  work.kind === 'change-settings' ? settingNames(work.selection, terminal) : noSettingNames

const planLines = async (access: JobAccess, plan: JobPlan, terminal: Terminal): Promise<string[]> => {
  const { jobs } = access
  const { items, total } = await jobs.planned({ plan: plan.id, start: 0, count: rowsForPeople })
  // Skipped items come last. A long plan reads them separately, because each one is printed.
  const leftOut =
    plan.items < rowsForPeople || plan.skipped.length === 0
      ? []
      : (await jobs.planned({ plan: plan.id, start: plan.items, count: rowsForPeople })).items
  const visible = plan.items < rowsForPeople ? items : [...items, ...leftOut]
  return planText(plan, visible, total, await namesFor(access, plan, terminal))
}

/**
 * How a command that continues in another process reports its job; `room`: as `reboot ROOM`, which
 * `room-at-once` starts without the minute's wait.
 */
export type ResumeAs = (typeof resumeKinds)[number]
export const resumeKinds = ['job', 'room', 'room-at-once'] as const

/**
 * The arguments with which this command continues in another process. The first three are what a person
 * types.
 */
export const resumeArguments = (
  as: ResumeAs,
  id: string,
  leavesWatching: boolean,
  given: ParsedCommand,
  leftOut: readonly LeftOut[] = [],
): readonly string[] => {
  const organization = text(given, 'organization')
  return [
    'jobs',
    'resume',
    id,
    '--unlock',
    `--goes-on=${as}`,
    ...(leftOut.length === 0
      ? []
      : [
          `--left-out=${[...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, { length }]) => `${reason}:${length}`).join(',')}`,
        ]),
    ...(organization === null ? [] : [`--organization=${organization}`]),
    ...(leavesWatching ? ['--no-watch'] : []),
    ...(flag(given, 'json') ? ['--json'] : []),
  ]
}

/** The items that the plan of a job skipped, parsed from the text that the function above makes. */
export function leftOutOf(words: string | null): readonly LeftOut[] {
  return (words ?? '').split(',').flatMap((word): readonly LeftOut[] => {
    const [, name = '', count = ''] = /^([a-z-]+):([1-9]\d{0,5})$/.exec(word) ?? []
    const reason = skipReasons.find((one) => one === name)
    if (reason !== undefined)
      return Array.from({ length: Number(count) }, () => ({ id: null, name: null, reason }))
    if (words === null) return []
    throw new UsageError(`--left-out: REASON:COUNT, with commas between them, not "${word}".`)
  })
}

/** Until it has ended, is paused, or the user presses Ctrl+C; then its result. */
export async function follow(
  jobs: Jobs,
  id: string,
  leftOut: readonly LeftOut[],
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  terminal.resumeWith(resumeArguments('job', id, flag(given, 'no-watch'), given, leftOut))
  const job = await ended(jobs, id, flag(given, 'no-watch'), terminal)
  terminal.progress(null)
  return tell(jobs, job, leftOut, given, terminal)
}

/** The job as it ended, or its state when following stopped. */
export async function ended(
  jobs: Jobs,
  id: string,
  leaveWatching: boolean,
  terminal: Terminal,
): Promise<Job> {
  let interrupts = 0
  let wake = (): void => undefined
  const disposers = [
    jobs.onChange((ids) => {
      if (ids.includes(id)) wake()
    }),
    terminal.onInterrupt(() => {
      interrupts += 1
      wake()
    }),
  ]
  const look = setInterval(() => wake(), lookEveryMs)
  try {
    for (let pausedBy = 0, left = false; ;) {
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const job = await jobs.get(id)
      terminal.progress(progressText(job))
      if (job.state === 'ended' || interrupts > 1 || (interrupts > 0 && job.state === 'stopping')) return job
      if (interrupts > pausedBy) {
        pausedBy = interrupts
        if (job.state !== 'paused') await jobs.pause(id)
        terminal.say(
          `Paused. Waiting for items in progress; Ctrl+C again ends immediately. Resume it with headroom jobs resume ${id} --unlock`,
        )
        continue
      }
      if ((job.state === 'paused' || job.state === 'unarmed') && job.underWay === 0) return job
      if (leaveWatching && !left && (await onlyWatching(jobs, job))) {
        left = true
        // Everything was sent: cancelling only ends the watch.
        await jobs.cancel(id)
        continue
      }
      await changed
    }
  } finally {
    clearInterval(look)
    for (const stop of disposers) stop()
  }
}

async function onlyWatching(jobs: Jobs, job: Job): Promise<boolean> {
  const over = Object.values(job.counts).reduce((sum, count) => sum + count, 0)
  if (job.state !== 'running' || over + job.underWay < job.asked) return false
  for await (const item of allItems(jobs, { id: job.id, show: 'open' }))
    if (item.state !== 'watching') return false
  return true
}

/**
 * The document, or a table and the totals; the exit code: 0 everything is done, 4 a part of it, 3 nothing.
 */
export async function tell(
  jobs: Jobs,
  job: Job,
  leftOut: readonly LeftOut[],
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  if (flag(given, 'json')) {
    await writeDocuments(
      terminal,
      false,
      `{"job":${JSON.stringify(job)},"leftOut":${JSON.stringify(leftOut)},"items":[`,
      allItems(jobs, { id: job.id, show: null }),
      (item) => item,
    )
  } else {
    const { items, total } = await jobs.items({ id: job.id, show: null, start: 0, count: rowsForPeople })
    terminal.print(resultText(job, items, total))
  }
  // Items that were sent and are still watched are a part too, as are updates that may still come.
  const isOpen = job.underWay > 0 || (job.kind === 'update-firmware' && job.counts.unknown > 0)
  if (job.counts.done === 0 && !isOpen) return 3
  if (job.counts.done < job.asked || !isWhole(leftOut)) return 4
  for await (const item of allItems(jobs, { id: job.id, show: 'done' }))
    if (item.detail === 'did-not-come-back') return 4
  return 0
}

export async function* allItems(
  jobs: Jobs,
  query: Pick<JobItemQuery, 'id' | 'show'>,
): AsyncGenerator<JobItem> {
  for (let start = 0; ; start += itemsAtOnce) {
    const { items } = await jobs.items({ ...query, start, count: itemsAtOnce })
    yield* items
    if (items.length < itemsAtOnce) return
  }
}

async function* allPlanned(jobs: Jobs, plan: string, from = 0): AsyncGenerator<PlannedItem> {
  for (let start = from; ; start += itemsAtOnce) {
    const { items } = await jobs.planned({ plan, start, count: itemsAtOnce })
    yield* items
    if (items.length < itemsAtOnce) return
  }
}
