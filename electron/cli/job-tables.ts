import type {
  Job,
  JobItem,
  JobKind,
  JobPlan,
  JobState,
  JobTerms,
  JobTiming,
  PlannedItem,
  SkipReason,
  WaitReason,
} from '../contract/api/jobs.ts'
import { timeText } from '../contract/date-text.ts'
import { itemResult, jobResultCounts, jobResults, type JobResult } from '../contract/job-result.ts'
import { alsoInWords, leftWords, offlineWords } from '../contract/sentences/job-sentences.ts'
import { noSettingNames, type SettingNames } from '../contract/setting-name.ts'
import { clockAt } from '../contract/time-zone.ts'
import { say, sentence } from './texts.ts'
import { titled } from './setting-names.ts'
import { counted, moment, table, type Line, type TableLine } from './table.ts'

/** Rows of a table for people; a document has all. Raise it if terminals of users show more. */
export const rowsForPeople = 50

/** For one or many: texts without a verb fit both. */
export const skipText = (reason: SkipReason): string =>
  `${say(`skipped.${reason}`)}${reason === 'downgrade' || reason === 'version-unknown' ? ' (--allow-downgrade confirms it)' : ''}`
const waitText = (reason: WaitReason, until: number | null): string =>
  until === null ? say(`waits.${reason}.plain`) : say(`waits.${reason}.until`, { when: at(until) })
const stateText = (state: JobState): string => say(`jobState.${state}`)

const about = (ms: number): string =>
  ms < 1000 ? 'a second' : ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`
/** With seconds, because the wait for a device is one minute. */
const at = (time: number): string =>
  Math.abs(time - Date.now()) < 20 * 3_600_000 ? timeText(time) : (moment(time) ?? '')

export const targetOf = (plan: Pick<JobPlan, 'draft'>): 'room' | 'device' =>
  plan.draft.work.kind === 'reboot-rooms' ? 'room' : 'device'

/** What a plan would do, for people. `items`: the first items, and the first skipped ones. */
export function planText(
  plan: JobPlan,
  items: readonly PlannedItem[],
  total: number,
  names: SettingNames = noSettingNames,
): Line[] {
  const of = targetOf(plan)
  const { calls, aboutInMs, shareOfWindow } = plan.cost
  const { name } = plan.organization
  if (total === 0) return [`No ${of} of ${name} matches.`]
  return [
    effectText(plan),
    ...alsoInText(plan.alsoIn, plan.draft.work.kind, plan.items),
    ...(items.length === 0 ? [] : tables[plan.draft.work.kind](items, plan.draft, names)),
    ...(total > items.length ? [`and ${total - items.length} more`] : []),
    ...(plan.products ?? []).map(
      ({ name: product, version, deviceIds, from, listedAt }) =>
        `${product}: ${counted(deviceIds.length, 'device')} to ${version}, from ${from.map((one) => `${one.version ?? say('versionUnknown')} (${one.devices})`).join(', ')}. Its list of releases is from ${moment(listedAt) ?? ''}.`,
    ),
    ...timesText(plan.draft, plan.zones),
    ...plan.skipped.map(
      ({ reason, count }) =>
        `Left out: ${counted(count, reason === 'no-room' ? 'device' : of)}, ${skipText(reason)}.`,
    ),
    `${counted(calls, 'call')}, about ${about(aboutInMs)}, ${(shareOfWindow * 100).toFixed(2)}% of the calls allowed in five minutes${plan.watchingAtMost === 0 ? '' : `; at most ${plan.watchingAtMost} more to confirm results`}.`,
    ...(plan.savedCalls === null
      ? []
      : [`Reading settings in pages saves ${counted(plan.savedCalls, 'call')}.`]),
  ]
}

const verbs: { readonly [K in JobKind]: string } = {
  'reboot-rooms': 'rebooted',
  'change-settings': 'changed',
  'update-firmware': 'updated',
}
function effectText(plan: JobPlan): string {
  const { items, devices, offline } = plan
  const { kind } = plan.draft.work
  const of = targetOf(plan)
  const { name } = plan.organization
  if (items === 0) return `No ${of} of ${name} would be ${verbs[kind]}.`
  if (of === 'room')
    return `${counted(items, 'room')} of ${name}: ${counted(devices, 'device')} ${devices === 1 ? 'restarts' : 'restart'}${offline === 0 ? '' : `, ${offline} not reached, because offline`}.`
  const meanwhile =
    kind === 'update-firmware' ? `, and ${items === 1 ? 'is' : 'are'} not available meanwhile` : ''
  return `${counted(items, 'device')} of ${name} would be ${verbs[kind]}${meanwhile}. ${offlineWords(say, plan)}`.trim()
}

/** The jobs that its devices are in. */
export const alsoInText = (alsoIn: JobPlan['alsoIn'], kind: JobKind, all: number): string[] =>
  alsoIn.map((also) => alsoInWords(say, { kind, all }, also, `${also.job.id}, ${workText(also.job)}`))

const clockText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
const localTime = (timeZone: string, time: number): string => {
  const { day, minutes } = clockAt(timeZone, time)
  return `${day} ${clockText(minutes)}`
}

/** When it starts, and in which time zones that counts, each with its devices. */
function timesText({ startAt, window, timeZone }: JobTiming, zones: JobPlan['zones']): string[] {
  const nameOf = (zone: string): string => (zone === 'local' ? 'local time' : zone)
  const where =
    zones.length > 1
      ? ` (each room's own time: ${zones.map(({ zone, count }) => `${nameOf(zone)} ${counted(count, 'device')}`).join(', ')})`
      : ` (${nameOf(zones[0]?.zone ?? 'local')})`
  const isMoment = timeZone === undefined
  return [
    ...(startAt === null
      ? []
      : [
          `Starts at ${isMoment ? (moment(startAt) ?? '') : localTime(timeZone, startAt)}${isMoment ? '' : where}.`,
        ]),
    ...(window === null
      ? []
      : [`Starts only within ${clockText(window.from)}-${clockText(window.to)}${where}.`]),
  ]
}

const whenText = ({ skipped, earliestAt, after }: PlannedItem, { canary }: JobTerms): string => {
  if (skipped !== null) return `not: ${skipText(skipped)}`
  if (canary && after !== undefined) return say('when.after', { name: after })
  return earliestAt === null ? say('when.now') : say('when.from', { time: at(earliestAt) })
}

/** Ids next to the names if a name is ambiguous: many devices are named after their product. */
const idColumn = (
  items: readonly Pick<PlannedItem, 'target'>[],
): {
  readonly head: readonly string[]
  readonly of: (item: Pick<PlannedItem, 'target'>) => readonly string[]
} => {
  const needed = new Set(items.map(({ target }) => target.name ?? target.id)).size < items.length
  return needed ? { head: ['Id'], of: ({ target }) => [target.id] } : { head: [], of: () => [] }
}

const roomTable = (items: readonly PlannedItem[], terms: JobTerms): TableLine[] => {
  const ids = idColumn(items)
  return table(
    ['Room', ...ids.head, 'When', 'Devices'],
    items.map((item) => [
      item.target.name ?? item.target.id,
      ...ids.of(item),
      whenText(item, terms),
      item.devices.map(({ name, status }) => `${name} (${status})`).join(', ') || null,
    ]),
  )
}

const firmwareTable = (items: readonly PlannedItem[], terms: JobTerms): TableLine[] => {
  const ids = idColumn(items)
  return table(
    ['Device', ...ids.head, 'Now', 'New', 'When'],
    items.map((item) => [
      item.target.name ?? item.target.id,
      ...ids.of(item),
      item.changes[0]?.now ?? null,
      item.changes[0]?.new ?? null,
      whenText(item, terms),
    ]),
  )
}

const settingTable = (items: readonly PlannedItem[], terms: JobTerms, names: SettingNames): TableLine[] => {
  const ids = idColumn(items)
  return table(
    ['Device', ...ids.head, 'Setting', 'Label', 'Now', 'New', 'Restarts', 'When'],
    items.flatMap((item) =>
      (item.changes.length === 0 ? [null] : titled(names, item.changes)).map((change) => [
        item.target.name ?? item.target.id,
        ...ids.of(item),
        change?.name ?? null,
        change?.label ?? null,
        change === null ? null : (change.now ?? say('notAvailable')),
        change?.new ?? null,
        change === null || change.restarts === null ? null : change.restarts ? 'yes' : 'no',
        change?.allowed === false
          ? `not: ${change.reason ?? skipText('not-allowed')}`
          : whenText(item, terms),
      ]),
    ),
  )
}

const tables = {
  'reboot-rooms': roomTable,
  'change-settings': settingTable,
  'update-firmware': firmwareTable,
} as const satisfies Record<Job['kind'], unknown>

/** One line while it runs. */
export function progressText(job: Job): string {
  return [
    say('counted.done', { n: `${jobResultCounts(job).done} of ${job.asked}` }),
    ...resultsBut(job, 'done'),
    ...(job.underWay > 0 ? [say('counted.under-way', { n: job.underWay })] : []),
    ...(job.waitsFor === null ? [] : [waitText(job.waitsFor, job.waitsUntil)]),
    ...(job.leftInMs === null || job.leftInMs < 1000 ? [] : [leftWords(say, job, about(job.leftInMs))]),
    counted(job.callsUsed, 'call'),
  ].join(', ')
}

function resultsBut(job: Job, but: JobResult | null): string[] {
  const counts = jobResultCounts(job)
  return jobResults
    .filter((result) => result !== but && counts[result] > 0)
    .map((result) => say(`counted.${result}`, { n: counts[result] }))
}

const workLabels: Readonly<Record<Job['kind'], string>> = {
  'reboot-rooms': 'reboot',
  'change-settings': 'settings',
  'update-firmware': 'firmware',
}

const workText = ({ kind, asked }: Job): string =>
  `${workLabels[kind]} of ${counted(asked, kind === 'reboot-rooms' ? 'room' : 'device')}`

/**
 * The result of a job: a table of its items, the totals, and the possible next steps. `more`: the command
 * that prints the remaining items.
 */
export function resultText(
  job: Job,
  items: readonly JobItem[],
  total: number,
  more = `headroom jobs show ${job.id}`,
): Line[] {
  return [
    ...(items.length === 0 ? [] : itemTable(items)),
    ...(total > items.length ? [`and ${total - items.length} more: ${more}`] : []),
    `Job ${job.id} ${stateText(job.state)}: ${resultsBut(job, null).join(', ') || 'none done'}${leftText(job)}, of ${job.asked}; ${counted(job.callsUsed, 'call')}.`,
    ...(job.counts.unknown > 0
      ? [
          `Items with an unknown outcome may have happened and are never sent again automatically: headroom jobs check ${job.id}`,
        ]
      : []),
    ...(job.retryable > 0 && job.state === 'ended'
      ? [`${job.retryable} can be retried: headroom jobs retry ${job.id} --yes --unlock`]
      : []),
    ...(job.waitsFor === 'key'
      ? [
          'The subscription key is refused, missing or not bound to its host: headroom key check shows details, headroom key set primary --stdin sets another key.',
        ]
      : []),
    ...(job.unreadReleases === undefined ? [] : [sentence(job.unreadReleases)]),
    ...(job.ticket === undefined ? [] : [`Ticket ${job.ticket}.`]),
    ...(job.state === 'ended' ? [] : timesText(job, job.zones ?? [])),
    ...(job.state === 'paused' ? [`Resume it with headroom jobs resume ${job.id} --unlock`] : []),
    ...(job.state === 'unarmed'
      ? [
          `It does not start automatically. headroom jobs resume ${job.id} --unlock waits for its start time and starts it.`,
        ]
      : []),
  ]
}

const leftText = (job: Job): string => {
  const left = job.asked - Object.values(job.counts).reduce((sum, count) => sum + count, 0)
  return left === 0 ? '' : `, ${left} not done yet`
}

const itemTable = (items: readonly JobItem[]): TableLine[] => {
  const ids = idColumn(items)
  return table(
    ['Of', ...ids.head, 'Outcome', 'Calls', 'Ended', 'Why'],
    items.map((item) => [
      item.target.name ?? item.target.id,
      ...ids.of(item),
      (itemResult(item) ?? item.state).replaceAll('-', ' '),
      item.callsUsed,
      item.endedAt === null ? null : at(item.endedAt),
      whyText(item),
    ]),
  )
}

function whyText({ detail, failure, waitsFor, earliestAt, state }: JobItem): string | null {
  const words = [
    ...(detail === null ? [] : [say(`detail.${detail}`)]),
    ...(failure === null ? [] : [sentence(failure)]),
    ...(state === 'queued' && waitsFor !== null ? [waitText(waitsFor, earliestAt)] : []),
  ]
  return words.length === 0 ? null : words.join('. ')
}

export const jobsTable = (jobs: readonly Job[]): TableLine[] =>
  table(
    ['Id', 'Made', 'Work', 'State', 'Done', 'Otherwise', 'Waits'],
    jobs.map((job) => [
      job.id,
      moment(job.createdAt),
      workText(job),
      stateText(job.state),
      jobResultCounts(job).done,
      resultsBut(job, 'done').join(', ') || null,
      job.waitsFor === null ? null : waitText(job.waitsFor, job.waitsUntil),
    ]),
  )
