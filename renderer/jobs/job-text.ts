import { isKind } from '../../electron/contract/failure.ts'
import { jobOutcomes } from '../../electron/contract/job.ts'
import type {
  Job,
  JobItem,
  JobItemState,
  JobKind,
  JobPlan,
  JobOutcome,
  JobTiming,
  SkipReason,
  WaitReason,
} from '../../electron/contract/api/jobs.ts'
import { failureText } from '../failures/failure-text.ts'
import { countedText, say, text } from '../locales/i18n.ts'
import { tableText } from '../components/clipboard.ts'
import {
  formatCount,
  formatMoment,
  formatRemaining,
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
  const named = { n: formatCount(items), name: target === null ? '' : nameOf(target) }
  const one = target === null ? '' : 'One'
  if (kind !== 'change-settings')
    return countedText(`jobs.title.${kind === 'reboot-rooms' ? 'reboot' : 'update'}${one}`, items, named)
  const settings = countedText('jobs.title.settings', changes, { n: formatCount(changes) })
  return countedText(`jobs.title.change${one}`, items, { ...named, settings })
}
export const titleOfJob = (job: Job): string => titleOf(job.kind, job.asked, job.changes.length, job.target)

export const endedOf = (job: Pick<Job, 'counts'>): number =>
  Object.values(job.counts).reduce((sum, count) => sum + count, 0)
export const isOpen = (job: Pick<Job, 'state'>): boolean => job.state !== 'ended'

export function markOfJob(job: Job): StatusKind {
  // Neither ends automatically: a technician has to act.
  if (job.state === 'unarmed' || job.missed !== null) return 'warn'
  if (job.state === 'running')
    return job.waitsFor === 'rate-limited' || job.waitsFor === 'offline' ? 'warn' : 'busy'
  if (job.state === 'stopping') return 'busy'
  if (job.state !== 'ended') return 'idle'
  if (job.counts.failed > 0) return 'bad'
  return job.counts.unknown + job.counts['not-found'] + job.counts['not-supported'] + job.unseen > 0
    ? 'warn'
    : 'ok'
}
/** `2 not confirmed back online`, `3 not applied yet`; empty: everything done was confirmed. */
export const unseenOf = ({ kind, unseen }: Pick<Job, 'kind' | 'unseen'>): string =>
  unseen === 0 ? '' : `${formatCount(unseen)} ${say(`unseen.${kind}`)}`
const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)
/** `Running`, `Ended, all done`, `Ended, 3 not done, 2 unknown`. */
export function stateOf(job: Job): string {
  if (job.state !== 'ended') return capitalized(say(`jobState.${job.state}`))
  if (job.missed !== null) return text('jobs.state.missed', { when: scheduledFor(job) })
  const { done, unknown } = job.counts
  const wrong = job.asked - done - unknown
  if (wrong + unknown + job.unseen === 0) return text('jobs.state.done')
  const parts = [
    unseenOf(job),
    wrong > 0 ? countedText('jobs.state.notDone', wrong, { n: formatCount(wrong) }) : '',
    // A write with an unknown result may have taken effect.
    unknown > 0 ? say('counted.unknown', { n: formatCount(unknown) }) : '',
  ]
  return text('jobs.state.partly', { counts: parts.filter((part) => part !== '').join(', ') })
}

/** `22 Nov 2026 22:00 (Europe/Oslo)`, `22:00 to 05:00`, `22:00 to 05:00, each room by its own clock (Asia/Tokyo, Europe/Oslo)`. */
export function scheduledFor({
  startAt,
  window,
  timeZone,
  zones = [],
}: JobTiming & Pick<Job, 'zones'>): string {
  if (startAt === null && window === null) return ''
  const when = startAt === null ? windowText(window!) : formatMoment(startAt, timeZone)
  if (startAt !== null && timeZone === undefined) return when
  const others = timeZone ?? timeZoneInUse()
  const named = [...new Set(zones.map(({ zone }) => (zone === 'local' ? others : zone)))]
  return named.length > 1
    ? text('jobs.inZones', { when, zones: named.join(', ') })
    : inZone(when, named[0] ?? timeZone)
}
/** `Asia/Tokyo: 2 devices, local time: 1 device`. */
export const zonesText = (zones: JobPlan['zones']): string =>
  zones
    .map(({ zone, count }) =>
      countedText('jobs.plan.zone', count, {
        zone: zone === 'local' ? text('jobs.plan.localTime', { zone: timeZoneInUse() }) : zone,
        n: formatCount(count),
      }),
    )
    .join(', ')
/** The zone is shown if it differs from the zone of all other times. */
export const inZone = (when: string, timeZone: string | undefined): string =>
  timeZone === undefined || timeZone === timeZoneInUse()
    ? when
    : text('jobs.inZone', { when, zone: timeZone })

const AN_HOUR_IN_MS = 3_600_000
/** Why it waits, with a countdown for less than an hour and a time of day beyond it. */
export function waitOf(reason: WaitReason, until: number | null, nowAt: number): string {
  const left = until === null ? 0 : until - nowAt
  if (until === null || left <= 0) return say(`waits.${reason}.plain`)
  if (left < AN_HOUR_IN_MS) return say(`waits.${reason}.left`, { left: formatRemaining(left) })
  return say(`waits.${reason}.until`, { when: formatWhen(until, nowAt) })
}

export const outcomeMarks: Readonly<Record<JobOutcome, StatusKind>> = {
  done: 'ok',
  failed: 'bad',
  'not-found': 'idle',
  'not-supported': 'idle',
  unknown: 'warn',
}
const stateMarks: Readonly<Record<JobItemState, StatusKind>> = {
  queued: 'idle',
  sending: 'busy',
  checking: 'busy',
  watching: 'busy',
  ended: 'ok',
}

export function markOfItem(item: JobItem): StatusKind {
  if (item.outcome === null) return stateMarks[item.state]
  if (item.detail === 'did-not-come-back' || item.detail === 'applies-later' || item.detail === 'not-watched')
    return 'warn'
  return item.detail === 'cancelled' || item.detail === 'missed' ? 'idle' : outcomeMarks[item.outcome]
}
/** `Watching until it is back`, `Done`, `Unknown, check`. */
export const wordOfItem = (item: JobItem, kind: JobKind): string =>
  item.outcome !== null
    ? text(
        item.detail === 'cancelled' || item.detail === 'missed'
          ? `jobs.detail.${item.detail}`
          : `jobs.outcome.${item.outcome}`,
      )
    : text(
        item.state === 'queued' || item.state === 'ended'
          ? 'jobs.itemState.queued'
          : `jobs.itemState.${item.state}.${kind}`,
      )

/** Every text that `wordOfItem` may return. */
export const statesOf = (kind: JobKind): readonly string[] => [
  ...jobOutcomes.map((outcome) => text(`jobs.outcome.${outcome}`)),
  ...[
    'detail.cancelled',
    'detail.missed',
    'itemState.queued',
    ...['sending', 'checking', 'watching'].map((state) => `itemState.${state}.${kind}`),
  ].map((key) => text(`jobs.${key}`)),
]

/** Why an item waits: for itself, for the minute of its devices, or because its job does; null: it is in flight, or nothing delays it. */
export function itemWait(
  item: JobItem,
  job: Pick<Job, 'waitsFor' | 'waitsUntil'>,
  nowAt: number,
): { readonly reason: WaitReason; readonly until: number | null } | null {
  if (item.waitsFor !== null) return { reason: item.waitsFor, until: item.earliestAt }
  if (item.state !== 'queued') return null
  if (item.earliestAt !== null && item.earliestAt > nowAt)
    return { reason: 'device-minute', until: item.earliestAt }
  return job.waitsFor === null || job.waitsFor === 'call-budget'
    ? null
    : { reason: job.waitsFor, until: job.waitsUntil }
}
/** One line on how it ended, or since when it is in flight. `wait`: from `itemWait`. */
export function detailOf(item: JobItem, nowAt: number, wait: ReturnType<typeof itemWait> = null): string {
  if (item.outcome === null) {
    if (wait !== null) return waitOf(wait.reason, wait.until, nowAt)
    return item.startedAt === null ? '' : text('jobs.itemState.since', { time: formatTime(item.startedAt) })
  }
  if (item.detail === 'conflict' && isKind(item.failure, 'invalid')) return item.failure.message
  if (item.detail !== null)
    return item.detail === 'cancelled' || item.detail === 'missed'
      ? text('jobs.detail.notSent')
      : say(`detail.${item.detail}`)
  if (item.failure === null) return ''
  // The general text mentions an automatic retry, which never happens for a write.
  if (isKind(item.failure, 'rate-limited')) return text('jobs.detail.rateLimited')
  const said = 'message' in item.failure && isKind(item.failure, 'refused') ? item.failure.message : null
  return said === null ? failureText(item.failure).sentence : said
}

export const skipText = (reason: SkipReason): string => say(`skipped.${reason}`)

/** `22:00 to 05:00`. */
export const windowText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  text('jobs.window', { from: clockOf(from), to: clockOf(to) })
/** The name of an item's room or device. */
export const nameOf = ({ of, id, name }: JobItem['target']): string =>
  name ?? (of === 'room' ? text('rooms.byId', { id }) : id)

/** The result of a job, for a message: `Reboot 214 rooms: 208 done, 3 failed, 3 unknown`. */
export function endingOf(job: Job): string {
  if (job.kind === 'reboot-rooms' && job.target !== null && job.counts.done === 1)
    return text(`jobs.restarted.${job.unseen === 0 ? 'back' : 'unseen'}`, { name: nameOf(job.target) })
  if (job.missed !== null) return text('jobs.missed', { job: titleOfJob(job), when: scheduledFor(job) })
  const parts = (Object.entries(job.counts) as [JobOutcome, number][])
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => say(`counted.${outcome}`, { n: formatCount(count) }))
  const counts = [...parts, unseenOf(job)].filter((part) => part !== '').join(', ')
  return text('jobs.ending', { job: titleOfJob(job), counts })
}

export const linesOf = (items: readonly JobItem[], job: Job, nowAt: number): string =>
  tableText(
    items.map((item) => [
      nameOf(item.target),
      item.target.id,
      wordOfItem(item, job.kind),
      detailOf(item, nowAt, itemWait(item, job, nowAt)),
      item.endedAt === null ? '' : formatTime(item.endedAt),
    ]),
  )

/** The parts of a job's bar, in order: ended items by outcome, items in flight, and the rest. */
export const segmentKeys = [...jobOutcomes, 'under-way', 'queued'] as const
interface Segment {
  readonly key: (typeof segmentKeys)[number]
  readonly count: number
}
type Progress = Pick<Job, 'asked' | 'counts' | 'underWay'>
export function segmentsOf(job: Progress): readonly Segment[] {
  const rest = job.asked - endedOf(job) - job.underWay
  return segmentKeys
    .map((key) => ({
      key,
      count: key === 'under-way' ? job.underWay : key === 'queued' ? rest : job.counts[key],
    }))
    .filter((one) => one.count > 0)
}
export const progressLabelOf = (job: Progress): string =>
  text('jobs.progress.label', {
    ended: formatCount(endedOf(job)),
    asked: formatCount(job.asked),
    counts: segmentsOf(job)
      .map((one) => say(`counted.${one.key}`, { n: formatCount(one.count) }))
      .join(', '),
  })
