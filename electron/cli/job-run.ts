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
import type { AllHandlers } from '../contract/rpc-client.ts'
import { flag, show, text, type ExitCode, type Terminal } from './command.ts'
import type { CoreClient } from './core-client.ts'
import { UsageError, type ParsedCommand } from './grammar.ts'
import { countOf } from './job-terms.ts'
import { planText, progressText, resultText, rowsForPeople, skipText, targetOf } from './job-tables.ts'
import { watchRecord } from './record-watch.ts'
import { loadSettingNamesOf, titled } from './setting-names.ts'
import { counted, type Line } from './table.ts'
import { writeDocuments } from './listing.ts'

const itemsAtOnce = 500
type Jobs = AllHandlers['jobs']

/**
 * Plans; with `--dry-run` prints the plan, else starts the job and follows it to the end. Throws UsageError,
 * rejects with Failed.
 */
export async function planAndRun(
  core: CoreClient,
  draft: JobDraft,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  await refuseUnready(
    core,
    given,
    draft.work.kind === 'change-settings'
      ? 'This changes devices and may restart them'
      : 'This restarts devices',
  )
  const planned = async (): Promise<JobPlan> => {
    const plan = await core.handlers.jobs.plan(draft)
    await mustGoFirst(core.handlers.jobs, plan, text(given, 'first') ?? '')
    return plan
  }
  return runPlan(core, planned, given, terminal)
}

/** A plan puts what it does not contain nowhere. Throws UsageError. */
async function mustGoFirst(jobs: Jobs, { id, draft: { first = [] } }: JobPlan, typed: string): Promise<void> {
  if (first.length === 0) return
  const { items } = await jobs.planned({ plan: id, start: 0, count: first.length })
  if (!first.every((one) => items.some(({ target, skipped }) => target.id === one && skipped === null)))
    throw new UsageError(`--first: "${typed}" is not part of this job. --dry-run lists what is.`)
}

/** Checked before anything is read, because these would be refused at the end. */
export async function refuseUnready(
  { handlers }: CoreClient,
  given: ParsedCommand,
  what: string,
): Promise<void> {
  countOf(given)
  if (flag(given, 'detach') && flag(given, 'no-watch'))
    throw new UsageError('--detach ends immediately and cannot be used with --no-watch.')
  if (flag(given, 'dry-run')) return
  if (!flag(given, 'yes')) {
    const { name } = await handlers.organizations.current()
    throw new UsageError(`${what} (${name}): check with --dry-run, then add --yes --unlock.`)
  }
  if (!flag(given, 'unlock')) throw new Failed({ kind: 'writes-locked' })
}

export async function runPlan(
  core: CoreClient,
  make: () => Promise<JobPlan>,
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  const { jobs } = core.handlers
  const plan = await make()
  terminal.progress(null)
  const nothing: ExitCode = isWhole(plan.skipped) ? 0 : 3
  const isFirmware = plan.draft.work.kind === 'update-firmware'
  if (isFirmware && plan.items === 0 && nothing === 3) throw new Failed(await refusedBy(jobs, plan))
  if (flag(given, 'dry-run')) {
    if (flag(given, 'json')) {
      const head = JSON.stringify({ ...plan, leftOut: await leftOutIn(jobs, plan) })
      const names = await namesFor(core, plan, terminal)
      await writeDocuments(
        terminal,
        `${head.slice(0, -1)},"planned":[`,
        allPlanned(jobs, plan.id),
        (item) => ({ ...item, changes: titled(names, item.changes) }),
      )
    } else terminal.print(await planLines(core, plan, terminal))
    return (plan.items > 0 && !isFirmware) || nothing === 0 ? 0 : 4
  }
  terminal.say(await planLines(core, plan, terminal))
  const isDetached = flag(given, 'detach')
  if (plan.items === 0) {
    const leftOut = await leftOutIn(jobs, plan)
    const none = isDetached ? { id: null, leftOut } : { job: null, leftOut, items: [] }
    show(given, terminal, none, () => 'Nothing was sent.')
    return nothing
  }
  // Read before the plan is started: then it is no longer stored.
  const leftOut = await leftOutIn(jobs, plan)
  const count = countOf(given)
  if (count !== plan.typeNumber && (plan.typeNumber !== null || (count !== null && count !== plan.items)))
    throw new UsageError(
      count === null
        ? `The plan has ${counted(plan.items, targetOf(plan))}: confirm with --count ${plan.items}. Nothing was sent.`
        : `The plan has ${counted(plan.items, targetOf(plan))}, not ${count}. Nothing was sent.`,
    )
  const job = await jobs.start({
    plan: plan.id,
    unlock: flag(given, 'unlock'),
    typed: plan.typeNumber,
    detached: isDetached,
  })
  if (isDetached) {
    terminal.say(`The job continues in the app. headroom jobs show ${job.id} shows its state.`)
    return show(given, terminal, { id: job.id, leftOut }, () => job.id)
  }
  terminal.say(`Job ${job.id} started. Ctrl+C pauses it.`)
  return follow(core, job, leftOut, given, terminal)
}

/** An item that a plan leaves out. */
interface LeftOut extends Pick<PlannedItem['target'], 'id' | 'name'> {
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
    skipped === null ? [] : [`${target.name ?? target.id}: ${skipText(skipped)}`],
  )
  const more = total > items.length ? [`and ${total - items.length} more`] : []
  return {
    kind: 'not-found',
    call: null,
    what: `No device can be updated: ${[...words, ...more].join('; ')}.`,
  }
}

async function namesFor(
  core: CoreClient,
  { draft: { work } }: JobPlan,
  terminal: Terminal,
): Promise<SettingNames> {
  if (work.kind !== 'change-settings') return noSettingNames
  const { products } = await core.handlers.devices.settingsSummary({ selection: work.selection })
  return loadSettingNamesOf(
    core,
    products.flatMap(({ productIds }) => productIds),
    terminal,
  )
}

const planLines = async (core: CoreClient, plan: JobPlan, terminal: Terminal): Promise<Line[]> => {
  const { jobs } = core.handlers
  const { items, total } = await jobs.planned({ plan: plan.id, start: 0, count: rowsForPeople })
  // Skipped items come last. A long plan reads them separately, because each one is printed.
  const leftOut =
    plan.items < rowsForPeople || plan.skipped.length === 0
      ? []
      : (await jobs.planned({ plan: plan.id, start: plan.items, count: rowsForPeople })).items
  const visible = plan.items < rowsForPeople ? items : [...items, ...leftOut]
  return planText(plan, visible, total, await namesFor(core, plan, terminal))
}

/** Until it has ended, is paused, or the user presses Ctrl+C; then its result. */
export async function follow(
  core: CoreClient,
  { id, target, asked }: Pick<Job, 'id' | 'target' | 'asked'>,
  leftOut: readonly LeftOut[],
  given: ParsedCommand,
  terminal: Terminal,
): Promise<ExitCode> {
  core.workStored({ of: target?.name ?? `${asked} of job ${id}`, resume: `jobs resume ${id}` })
  const job = await ended(core, id, { leavesWatching: flag(given, 'no-watch'), resumes: true }, terminal)
  terminal.progress(null)
  return isWithoutKey(core, job)
    ? tellPaused(job, terminal)
    : tell(core.handlers.jobs, job, leftOut, given, terminal)
}

/** Another process took over the data folder, and does not use the HEADROOM_KEY on which the job was begun. */
const isWithoutKey = (core: CoreClient, { state }: Job): boolean =>
  core.owner().keyBeside && core.owner().changes > 0 && state !== 'ended'

function tellPaused({ id, counts, underWay }: Job, terminal: Terminal): ExitCode {
  terminal.say(
    `Another process took over the data folder, so HEADROOM_KEY is no longer used. Unsent items are paused. Resume them with headroom jobs resume ${id} --unlock`,
  )
  return underWay > 0 || Object.values(counts).some((count) => count > 0) ? 4 : 3
}

/** The job as it ended, or its state when following stopped. */
export async function ended(
  core: CoreClient,
  id: string,
  { leavesWatching, resumes }: { readonly leavesWatching: boolean; readonly resumes: boolean },
  terminal: Terminal,
): Promise<Job> {
  const { jobs } = core.handlers
  let interrupts = 0
  let { changes } = core.owner()
  const watch = watchRecord(core, 'jobs.changed', id)
  const stop = terminal.onInterrupt(() => {
    interrupts += 1
    watch.wake()
  })
  try {
    for (let pausedBy = 0, left = false; ;) {
      const changed = watch.changed()
      const job = await jobs.get({ id })
      terminal.progress(progressText(job))
      if (job.state === 'ended' || interrupts > 1 || (interrupts > 0 && job.state === 'stopping')) return job
      if (interrupts > pausedBy) {
        pausedBy = interrupts
        if (job.state !== 'paused') await jobs.pause({ id })
        terminal.say(
          `Paused. Waiting for items in progress; Ctrl+C again ends immediately. Resume it with headroom jobs resume ${id} --unlock`,
        )
        continue
      }
      const isPaused = job.state === 'paused' || job.state === 'unarmed'
      const { changes: seen, keyBeside } = core.owner()
      const isByOwner = isPaused && seen !== changes && resumes && interrupts === 0
      if (isByOwner && keyBeside) return job
      if (isByOwner) {
        changes = seen
        await jobs.resume({ id, unlock: true })
        continue
      }
      if (isPaused && job.underWay === 0) return job
      if (leavesWatching && !left && (await onlyWatching(jobs, job))) {
        left = true
        // Everything was sent: cancelling only ends the watch.
        await jobs.cancel({ id })
        continue
      }
      await changed
    }
  } finally {
    stop()
    watch.stop()
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
      `{"job":${JSON.stringify(job)},"leftOut":${JSON.stringify(leftOut)},"items":[`,
      allItems(jobs, { id: job.id, show: null }),
      (item) => item,
    )
  } else {
    const { items, total } = await jobs.items({ id: job.id, show: null, start: 0, count: rowsForPeople })
    terminal.print(resultText(job, items, total))
  }
  if (job.waitsFor === 'policy') return sentOf(job) > 0 ? 4 : 3
  // Items that were sent and are still watched are a part too, as are updates that may still come.
  const isOpen = job.underWay > 0 || (job.kind === 'update-firmware' && job.counts.unknown > 0)
  if (job.counts.done === 0 && !isOpen) return 3
  if (job.counts.done < job.asked || !isWhole(leftOut)) return 4
  for await (const item of allItems(jobs, { id: job.id, show: 'attention' }))
    if (item.detail === 'did-not-come-back') return 4
  return 0
}

const sentOf = ({ counts, notSent, underWay }: Job): number =>
  Object.values(counts).reduce((sum, count) => sum + count, underWay - notSent)

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
