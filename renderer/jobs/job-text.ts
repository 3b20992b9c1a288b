import { isKind } from '../../electron/contract/failure.ts'
import {
  itemResult,
  jobResultCounts,
  jobResults,
  type JobResult,
} from '../../electron/contract/job-result.ts'
import type {
  Job,
  JobItem,
  JobItemState,
  JobKind,
  JobTiming,
  JobWait,
  SkipReason,
  WaitReason,
} from '../../electron/contract/api/jobs.ts'
import { partsOfLabel } from '../../electron/contract/device-name.ts'
import { failureText } from '../failures/failure-text.ts'
import { countedText, say, text } from '../locales/i18n.ts'
import { tableText } from '../components/clipboard.ts'
import {
  formatCount,
  formatMoment,
  formatRemaining,
  formatSpan,
  formatTime,
  formatWhen,
  timeZoneInUse,
} from '../components/format.ts'
import { clockOf } from '../components/clock.ts'
import type { StatusKind } from '../components/status-kind.ts'

/**
 * `Reboot 214 rooms`, `Reboot Aarhus 3`, `Change 2 settings of 120 devices`, `Update firmware of 3 devices`. `target`: the only item, null:
 * there are several.
 */
export function titleOf(
  kind: JobKind,
  items: number,
  changes: number,
  target: JobItem['target'] | null,
): string {
  const named = { n: formatCount(items), name: target === null ? '' : targetName(target) }
  const one = target === null ? '' : 'One'
  if (kind !== 'change-settings')
    return countedText(`jobs.title.${kind === 'reboot-rooms' ? 'reboot' : 'update'}${one}`, items, named)
  const settings = countedText('jobs.title.settings', changes, { n: formatCount(changes) })
  return countedText(`jobs.title.change${one}`, items, { ...named, settings })
}
/** A device by its room or user alone, as there is little space. */
export const titleInList = (job: Job): string =>
  titleOf(
    job.kind,
    job.asked,
    job.changes.length,
    job.target === null ? null : { ...job.target, name: partsOfTarget(job.target).title },
  )
export const titleOfJob = (job: Job): string => titleOf(job.kind, job.asked, job.changes.length, job.target)

export const endedOf = (job: Pick<Job, 'counts'>): number =>
  Object.values(job.counts).reduce((sum, count) => sum + count, 0)
/** Not sent yet. */
export const unsentOf = (job: Pick<Job, 'asked' | 'counts' | 'underWay'>): number =>
  job.asked - endedOf(job) - job.underWay
/** What goes first, as it was chosen in the plan. */
export const canaryText = ({ kind }: Pick<Job, 'kind'>): string =>
  text(`jobs.plan.${kind === 'update-firmware' ? 'canaryProduct' : 'canary'}`)
export const isOpen = (job: Pick<Job, 'state'>): boolean => job.state !== 'ended'

export function markOfJob(job: Job): StatusKind {
  // Neither ends automatically: a technician has to act.
  if (job.state === 'unarmed' || job.missed !== null) return 'warn'
  if (job.state === 'running')
    return job.waitsFor === 'rate-limited' || job.waitsFor === 'offline' ? 'warn' : 'busy'
  if (job.state === 'stopping') return 'busy'
  if (job.state !== 'ended') return 'idle'
  if (jobResultCounts(job).failed > 0) return 'bad'
  return attentionOf(job) > 0 ? 'warn' : job.notSent > 0 ? 'idle' : 'ok'
}
/** It was cancelled before everything was sent. */
export const isCancelled = (job: Pick<Job, 'state' | 'missed' | 'notSent'>): boolean =>
  job.state === 'ended' && job.missed === null && job.notSent > 0
const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)
/** Items that ended and that a person should look at; those that were not sent are apart. */
export const attentionOf = (job: Pick<Job, 'counts' | 'unseen' | 'notSent'>): number =>
  endedOf(job) - jobResultCounts(job).done - job.notSent

type Counted = Pick<Job, 'kind' | 'counts' | 'notSent' | 'unseen'>
/** `1 failed`, `2 unknown`, `1 not confirmed`, `7 not sent`: what did not end well. */
export function attentionParts(
  job: Counted,
): readonly { readonly kind: StatusKind; readonly words: string }[] {
  const counts = jobResultCounts(job)
  return jobResults
    .filter((result) => result !== 'done' && counts[result] > 0)
    .map((result) => ({
      kind: resultMarks[result],
      words: say(`counted.${result}`, { n: formatCount(counts[result]) }),
    }))
}
const partsIn = (job: Counted): string =>
  attentionParts(job)
    .map(({ words }) => words)
    .join(', ')

/** `Running`, `Done`, `1 failed, 2 unknown`. */
export function stateOf(job: Job): string {
  if (job.state !== 'ended') return capitalized(say(`jobState.${job.state}`))
  if (job.missed !== null) return text('jobs.state.missed', { when: scheduledFor(job) })
  const parts = partsIn(job) || text('jobs.state.done')
  return isCancelled(job) ? text('jobs.state.cancelled', { parts }) : parts
}
/** `68 of 93 updated`. */
export const doneText = (job: Job): string =>
  text(`jobs.done.${job.kind}`, {
    n: formatCount(jobResultCounts(job).done),
    all: formatCount(job.asked),
  })
/** The sentence of its wait counts the items that were not started. */
export const waitsForFirst = ({ kind, waitsFor }: Pick<Job, 'kind' | 'waitsFor'>): boolean =>
  waitsFor === 'canary' && kind === 'update-firmware'
/** `3 in progress, 20 not started`, `3 in progress, 20 wait for the first of their product`: items without an outcome. */
export function restText(job: Job): string {
  const { state, underWay } = job
  if (state === 'ended') return ''
  const queued = unsentOf(job)
  return [
    underWay > 0 ? say('counted.under-way', { n: formatCount(underWay) }) : '',
    queued === 0
      ? ''
      : waitsForFirst(job)
        ? countedText('jobs.waiting.first', queued, { n: formatCount(queued) })
        : say('counted.queued', { n: formatCount(queued) }),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** `22 Nov 2026 22:00 (Europe/Oslo)`, `22:00 to 05:00`, `22:00 to 05:00, each room by its own clock (Asia/Tokyo, Europe/Oslo)`. */
export function scheduledFor(job: JobTiming & Pick<Job, 'zones'>): string {
  const { startAt, window, timeZone, zones = [] } = job
  if (startAt === null && window === null) return ''
  const when = startAt === null ? windowText(window!) : formatMoment(startAt, timeZone)
  if (startAt !== null && timeZone === undefined) return when
  const others = timeZone ?? timeZoneInUse()
  const named = [...new Set(zones.map(({ zone }) => (zone === 'local' ? others : zone)))]
  return named.length > 1
    ? text('jobs.inZones', { when, zones: named.join(', ') })
    : inZone(when, named[0] ?? timeZone)
}
/** `New York`: the place that a zone is named after. */
export const placeOf = (timeZone: string): string =>
  timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
/** The zone is shown if it differs from the zone of all other times. */
export const inZone = (when: string, timeZone: string | undefined): string =>
  timeZone === undefined || timeZone === timeZoneInUse()
    ? when
    : text('jobs.inZone', { when, zone: timeZone })

const AN_HOUR_IN_MS = 3_600_000
interface Wait {
  readonly reason: WaitReason
  readonly until: number | null
  readonly kind: JobKind
}
/** Why one item (0), or `n` of a job, waits, with a countdown for less than an hour and a time of day beyond it. */
export function waitOf({ reason, until, kind }: Wait, nowAt: number, n = 0): string {
  if (waitsForFirst({ kind, waitsFor: reason }))
    return countedText('jobs.waiting.first', n, { n: formatCount(n) })
  const left = until === null ? 0 : until - nowAt
  if (until === null || left <= 0) return say(`waits.${reason}.plain`)
  if (left < AN_HOUR_IN_MS) return say(`waits.${reason}.left`, { left: formatRemaining(left) })
  return say(`waits.${reason}.until`, { when: formatWhen(until, nowAt) })
}

const resultMarks: Readonly<Record<JobResult, StatusKind>> = {
  done: 'ok',
  failed: 'bad',
  'not-found': 'idle',
  'not-supported': 'idle',
  unknown: 'warn',
  'not-confirmed': 'warn',
  'not-sent': 'idle',
}
const stateMarks: Readonly<Record<JobItemState, StatusKind>> = {
  queued: 'idle',
  sending: 'busy',
  checking: 'busy',
  watching: 'busy',
  ended: 'ok',
}

export function markOfItem(item: JobItem): StatusKind {
  const result = itemResult(item)
  return result === null ? stateMarks[item.state] : resultMarks[result]
}
/** `Rebooting`, `Done`, `Not sent`. */
export function wordOfItem(item: JobItem, kind: JobKind): string {
  const result = itemResult(item)
  if (result !== null) return text(`jobs.outcome.${result}`)
  return text(
    item.state === 'queued' || item.state === 'ended'
      ? 'jobs.itemState.queued'
      : `jobs.itemState.${item.state}.${kind}`,
  )
}

/** Every text that `wordOfItem` may return. */
export const statesOf = (kind: JobKind): readonly string[] => [
  ...jobResults.map((result) => text(`jobs.outcome.${result}`)),
  ...[
    'itemState.queued',
    ...['sending', 'checking', 'watching'].map((state) => `itemState.${state}.${kind}`),
  ].map((key) => text(`jobs.${key}`)),
]

/** Why an item waits: for itself, for the minute of its devices, or because its job does; null: it is in flight, or nothing delays it. */
export function itemWait(
  item: JobItem,
  { kind, waitsFor, waitsUntil }: Pick<Job, 'kind' | 'waitsFor' | 'waitsUntil'>,
  nowAt: number,
): Wait | null {
  if (item.waitsFor !== null) return { reason: item.waitsFor, until: item.earliestAt, kind }
  if (item.state !== 'queued') return null
  if (item.earliestAt !== null && item.earliestAt > nowAt)
    return { reason: 'device-minute', until: item.earliestAt, kind }
  return waitsFor === null || waitsFor === 'call-budget'
    ? null
    : { reason: waitsFor, until: waitsUntil, kind }
}
/** `0:10`: how long it is in progress; empty: it has not begun. */
export function lastsFor({ startedAt }: Pick<JobItem, 'startedAt'>, nowAt: number): string {
  if (startedAt === null) return ''
  const lasts = nowAt - startedAt
  return lasts < AN_HOUR_IN_MS ? formatRemaining(lasts) : formatSpan(lasts)
}
/** One line on how it ended, or how long it is in flight. `wait`: from `itemWait`. */
export function detailOf(item: JobItem, nowAt: number, wait: Wait | null = null): string {
  if (item.outcome === null) {
    if (wait !== null) return waitOf(wait, nowAt)
    const time = lastsFor(item, nowAt)
    return time === '' ? '' : text('jobs.itemState.for', { time })
  }
  if (item.detail === 'conflict' && isKind(item.failure, 'invalid')) return item.failure.message
  if (item.detail !== null) return say(`detail.${item.detail}`)
  if (item.failure === null) return ''
  // The general text mentions an automatic retry, which never happens for a write.
  if (isKind(item.failure, 'rate-limited')) return text('jobs.detail.rateLimited')
  const said = 'message' in item.failure && isKind(item.failure, 'refused') ? item.failure.message : null
  return said === null ? failureText(item.failure).sentence : said
}

/** `2.8.0 → 2.11.1`; null: it is no update. */
export const versionsOf = ({ firmware }: JobItem): string | null =>
  firmware === undefined
    ? null
    : text('journal.fromTo', { before: firmware.from ?? '', after: firmware.to }).trim()

/** How an item ended, as sentences. */
export function reasonOf(item: JobItem, nowAt: number): string {
  const words = capitalized(detailOf(item, nowAt))
  const sentence = words === '' || /[.!?]$/.test(words) ? words : `${words}.`
  return item.outcome === 'unknown' ? `${sentence} ${text('jobs.attention.maybe')}`.trim() : sentence
}

export const skipText = (reason: SkipReason): string => say(`skipped.${reason}`)

/** `22:00 to 05:00`. */
export const windowText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  text('jobs.window', { from: clockOf(from), to: clockOf(to) })
/** The room or user of an item, and what tells it from others of the same name: product and end of the serial number. */
export function partsOfTarget(target: JobItem['target']): {
  readonly title: string
  readonly product: string | null
  /** The end of its serial number; null: not known. */
  readonly end: string | null
  readonly detail: string
} {
  const name = targetName(target)
  if (target.of === 'room') return { title: name, product: null, end: null, detail: '' }
  const { title, product, serial } = partsOfLabel(name)
  const end = serial === null ? null : text('jobs.serialEnd', { end: serial.slice(-5) })
  return { title, product, end, detail: [product, end].filter((part) => part !== null).join(' · ') }
}
/** `92 wait until Anneliese Bækgaard’s Engage 50 II is back`. */
export function waitingText({ reason, until, after, count }: JobWait, kind: JobKind, nowAt: number): string {
  const n = formatCount(count)
  if (reason === null) return countedText('jobs.waiting.next', count, { n })
  if (after === undefined)
    return countedText('jobs.waiting.other', count, { n, why: waitOf({ reason, until, kind }, nowAt) })
  const { title, product } = partsOfTarget(after)
  const name = product === null ? title : text('jobs.waiting.of', { title, product })
  return countedText('jobs.waiting.after', count, { n, name })
}

/** `4 devices`. */
export const devicesText = (n: number): string => countedText('jobs.plan.devices', n, { n: formatCount(n) })
/** The name of an item's room or device. */
export const targetName = ({ of, id, name }: JobItem['target']): string =>
  name ?? (of === 'room' ? text('rooms.byId', { id }) : id)

/** The result of a job, for a message: `Reboot 214 rooms: 208 done, 3 failed, 3 unknown`. */
export function endingOf(job: Job): string {
  if (job.kind === 'reboot-rooms' && job.target !== null && job.counts.done === 1)
    return text(`jobs.restarted.${job.unseen === 0 ? 'back' : 'unseen'}`, { name: targetName(job.target) })
  if (job.missed !== null) return text('jobs.missed', { job: titleOfJob(job), when: scheduledFor(job) })
  const { done } = jobResultCounts(job)
  const counts = [done > 0 ? say('counted.done', { n: formatCount(done) }) : '', partsIn(job)]
    .filter((part) => part !== '')
    .join(', ')
  return text('jobs.ending', { job: titleOfJob(job), counts })
}

export const linesOf = (items: readonly JobItem[], job: Job, nowAt: number): string =>
  tableText(
    items.map((item) => [
      targetName(item.target),
      item.target.id,
      wordOfItem(item, job.kind),
      detailOf(item, nowAt, itemWait(item, job, nowAt)),
      item.endedAt === null ? '' : formatTime(item.endedAt),
    ]),
  )

/** The parts of a job's bar, in order: ended items by outcome, items in flight, and the rest. */
const segmentKeys = [...jobResults, 'under-way', 'queued'] as const
interface Segment {
  readonly key: (typeof segmentKeys)[number]
  readonly count: number
}
export type Progress = Counted & Pick<Job, 'asked' | 'underWay'>
export function segmentsOf(job: Progress): readonly Segment[] {
  const counts = {
    ...jobResultCounts(job),
    'under-way': job.underWay,
    queued: unsentOf(job),
  }
  return segmentKeys.map((key) => ({ key, count: counts[key] })).filter((one) => one.count > 0)
}
export const progressLabelOf = (job: Progress): string =>
  text('jobs.progress.label', {
    ended: formatCount(endedOf(job)),
    asked: formatCount(job.asked),
    counts: segmentsOf(job)
      .map(({ key, count }) => say(`counted.${key}`, { n: formatCount(count) }))
      .join(', '),
  })
