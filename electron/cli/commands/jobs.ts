import type { Job, JobItemQuery } from '../../contract/api/jobs.ts'
import { jobOutcomes } from '../../contract/job.ts'
import { jobResultCounts } from '../../contract/job-result.ts'
import { flag, show, text, type Command } from '../command.ts'
import type { CoreClient } from '../core-client.ts'
import { UsageError, type ParsedCommand } from '../grammar.ts'
import { allItems, ended, follow, refuseUnready, runPlan, tell } from '../job-run.ts'
import { jobOptions } from '../job-terms.ts'
import { jobsTable, resultText } from '../job-tables.ts'
import { counted } from '../table.ts'
import { writeDocuments } from '../listing.ts'

const jobsAtOnce = 500
const itemsAtOnce = 500
const unlockOption = { unlock: jobOptions.unlock } as const
const watchOption = { 'no-watch': jobOptions['no-watch'] } as const

export const jobCommands: readonly Command[] = [
  {
    name: 'jobs',
    options: { count: { type: 'string', help: `how many, newest first (50; at most ${jobsAtOnce})` } },
    summary: 'lists the jobs and their outcome',
    run: async (core, given, terminal) => {
      const count = Number(text(given, 'count') ?? '50')
      if (!Number.isInteger(count) || count < 1 || count > jobsAtOnce)
        throw new UsageError(`--count must be a whole number from 1 to ${jobsAtOnce}.`)
      const page = await core.handlers.jobs.list({ start: 0, count })
      return show(given, terminal, page, () =>
        page.jobs.length === 0
          ? 'There are no jobs.'
          : [...jobsTable(page.jobs), `${page.jobs.length} of ${counted(page.total, 'job')}`],
      )
    },
  },
  {
    name: 'jobs show',
    operands: ['ID'],
    options: {
      show: { type: 'string', help: `only items with this outcome: ${jobOutcomes.join(', ')}; or open` },
    },
    summary: 'shows one job with the outcome for each room or device',
    run: async (core, given, terminal) => {
      const { jobs } = core.handlers
      const job = await foundJob(core, given)
      const query = { id: job.id, show: showOf(text(given, 'show')) }
      if (flag(given, 'json')) {
        await writeDocuments(
          terminal,
          `{"job":${JSON.stringify(job)},"items":[`,
          allItems(jobs, query),
          (item) => item,
        )
        return 0
      }
      const { items, total } = await jobs.items({ ...query, start: 0, count: itemsAtOnce })
      terminal.print(
        resultText(job, items, total, 'use --show failed or another outcome for fewer, or --json for all'),
      )
      return 0
    },
  },
  {
    name: 'jobs resume',
    operands: ['ID'],
    options: {
      ...unlockOption,
      ...watchOption,
    },
    summary: 'resumes a job that was paused or interrupted, and follows it',
    needsKey: true,
    run: async (core, given, terminal) => {
      const { id } = await foundJob(core, given)
      const job = await core.handlers.jobs.resume({ id, unlock: flag(given, 'unlock') })
      return follow(core, job, [], given, terminal)
    },
  },
  {
    name: 'jobs pause',
    operands: ['ID'],
    summary: 'pauses a job: nothing more is sent until it is resumed',
    run: async (core, given, terminal) => {
      const { id } = await foundJob(core, given)
      const job = await core.handlers.jobs.pause({ id })
      const paused = job.state === 'paused'
      show(
        given,
        terminal,
        job,
        () =>
          `Job ${job.id} is ${job.state}${paused ? `. Resume it with headroom jobs resume ${job.id} --unlock` : ': nothing of it can be paused.'}`,
      )
      return paused ? 0 : 4
    },
  },
  {
    name: 'jobs cancel',
    operands: ['ID'],
    summary: 'cancels a job: nothing more is sent; items in progress finish',
    run: async (core, given, terminal) => {
      const { id } = await foundJob(core, given)
      await core.handlers.jobs.cancel({ id })
      // Printed once it is true: an item in flight may still be done.
      const job = await ended(core, id, { leavesWatching: false, resumes: false }, terminal)
      terminal.progress(null)
      return show(
        given,
        terminal,
        job,
        () => `Job ${job.id} is ${job.state}: ${jobResultCounts(job).done} of ${job.asked} were done.`,
      )
    },
  },
  {
    name: 'jobs retry',
    operands: ['ID'],
    options: {
      'dry-run': jobOptions['dry-run'],
      yes: jobOptions.yes,
      ...unlockOption,
      count: jobOptions.count,
      ...watchOption,
    },
    summary: 'starts a new job for the failed items of a job; items with an unknown outcome are not repeated',
    needsKey: true,
    run: async (core, given, terminal) => {
      await refuseUnready(core, given, 'jobs retry repeats the failed actions')
      const { id } = await foundJob(core, given)
      return runPlan(core, () => core.handlers.jobs.retry({ id }), given, terminal)
    },
  },
  {
    name: 'jobs check',
    operands: ['ID'],
    summary: 'checks items with an unknown outcome; sends no action',
    needsKey: true,
    run: async (core, given, terminal) => {
      const { jobs } = core.handlers
      const { id } = await foundJob(core, given)
      const unknown: number[] = []
      for await (const item of allItems(jobs, { id, show: 'unknown' })) unknown.push(item.id)
      for (const [done, item] of unknown.entries()) {
        terminal.progress(`${done} of ${unknown.length} checked`)
        await jobs.check({ item })
      }
      terminal.progress(null)
      const job = await jobs.get({ id })
      terminal.say(
        unknown.length === 0
          ? 'No item of this job has an unknown outcome.'
          : `${unknown.length - job.counts.unknown} of ${unknown.length} are known now.`,
      )
      await tell(jobs, job, [], given, terminal)
      return job.counts.unknown === 0 ? 0 : 4
    },
  },
]

/** One at a time: all are read from one file, and the first unknown one is reported. */
export async function each<A, B>(list: readonly A[], read: (one: A) => Promise<B>): Promise<readonly B[]> {
  const found: B[] = []
  for (const one of list) found.push(await read(one))
  return found
}

/** By its id or the beginning of one. */
const foundJob = (core: CoreClient, given: ParsedCommand): Promise<Job> =>
  core.handlers.jobs.find({ text: given.operands[0] ?? '' })

function showOf(word: string | null): JobItemQuery['show'] {
  if (word === null) return null
  const known = ([...jobOutcomes, 'open'] as const).find((one) => one === word)
  if (known === undefined) throw new UsageError(`--show: one of ${[...jobOutcomes, 'open'].join(', ')}.`)
  return known
}
