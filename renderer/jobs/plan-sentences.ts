import type { JobPlan, JobTerms, PlannedItem, PlannedProduct } from '../../electron/contract/api/jobs.ts'
import { sameClockIn } from '../../electron/contract/time-zone.ts'
import { countedText, text } from '../locales/i18n.ts'
import {
  formatCount,
  formatMoment,
  formatRemaining,
  formatShare,
  formatSpan,
  formatWhen,
} from '../components/format.ts'
import { clockOf } from '../components/clock.ts'
import { inZone, skipText, titleOf } from './job-text.ts'

export interface PlanGiven {
  readonly plan: JobPlan
  /** The terms selected in the dialog, not those of the request. */
  readonly terms: JobTerms
  readonly isRetry: boolean
  readonly lock: { readonly unlocked: boolean; readonly remainingInMs: number }
}

/** The text of the confirmation. Every sentence comes from the plan and its selected terms, so that none can contradict them. */
export interface PlanSentences {
  readonly title: string
  readonly summary: string
  /** Empty: nothing is left out. */
  readonly skipped: string
  readonly cost: string
  readonly lock: string
  /** The label of the start button. */
  readonly start: string
}

export function planSentences({ plan, terms, isRetry, lock }: PlanGiven): PlanSentences {
  const { work } = plan.draft
  const title = titleOf(
    work.kind,
    plan.items,
    work.kind === 'change-settings' ? work.changes.length : 0,
    plan.target,
  )
  return {
    title: isRetry ? text('jobs.plan.titleRetry', { title }) : title,
    summary: summaryOf(plan),
    skipped: skippedOf(plan),
    cost: costOf(plan, terms),
    lock: lockOf(lock),
    start: text(
      `jobs.plan.${buttons[isLater(terms) ? 'later' : 'now'][lock.unlocked ? 'unlocked' : 'locked']}`,
    ),
  }
}

const buttons = {
  now: { unlocked: 'start', locked: 'unlockAndStart' },
  later: { unlocked: 'schedule', locked: 'unlockAndSchedule' },
} as const
const isLater = ({ startAt, window }: JobTerms): boolean => startAt !== null || window !== null

/**
 * When an item may start at the earliest: `at once`, `when Aarhus 3 is back`, `from 22:00`, `between 22:00 and 05:00 (Asia/Tokyo)`.
 * The zone is shown if a time is selected.
 */
export function whenOf(
  { earliestAt, timeZone: own, after }: Pick<PlannedItem, 'earliestAt' | 'timeZone' | 'after'>,
  { startAt, window, timeZone, canary }: JobTerms,
  nowAt: number,
): string {
  if (canary && after !== undefined) return text('jobs.plan.afterFirst', { name: after })
  if (window !== null)
    return inZone(text('jobs.plan.between', { from: clockOf(window.from), to: clockOf(window.to) }), own)
  const zone = own ?? timeZone
  const from =
    startAt === null || timeZone === undefined || own === undefined
      ? startAt
      : sameClockIn(own, timeZone, startAt)
  if (from !== null && zone !== undefined && from > Math.max(earliestAt ?? nowAt, nowAt))
    return text('jobs.plan.earliest', { time: inZone(formatWhen(from, nowAt, zone), zone) })
  const at = Math.max(earliestAt ?? nowAt, from ?? nowAt)
  return at <= nowAt ? text('jobs.plan.atOnce') : text('jobs.plan.earliest', { time: formatWhen(at, nowAt) })
}

const counted = (what: 'rooms' | 'devices', n: number): string =>
  countedText(`jobs.plan.${what}`, n, { n: formatCount(n) })

function summaryOf({
  items,
  devices,
  offline,
  draft,
}: Pick<JobPlan, 'items' | 'devices' | 'offline' | 'draft'>): string {
  if (items === 0) return text('jobs.plan.nothing')
  if (offline > 0) {
    const restarting = summaryOf({ items, devices, offline: 0, draft })
    return `${restarting} ${countedText('jobs.plan.offline', offline, { n: formatCount(offline) })}`
  }
  if (draft.work.kind === 'reboot-rooms' && items === 1)
    return countedText('jobs.plan.rebootOne', devices, { n: formatCount(devices) })
  if (draft.work.kind === 'reboot-rooms')
    return text('jobs.plan.reboots', { rooms: counted('rooms', items), devices: counted('devices', devices) })
  const what = draft.work.kind === 'update-firmware' ? 'update' : 'change'
  return text(`jobs.plan.${what}${devices === 1 ? '' : 's'}`, {
    devices: counted('devices', devices),
  })
}

/** `Jabra PanaCast 50: 3 devices to 6.5.0, from 6.4.1`, and the age of the list of releases. */
export function productLine({ name, version, listedAt, deviceIds, from }: PlannedProduct): string {
  const versionText = (one: PlannedProduct['from'][number]): string => {
    const reason = one.version ?? text('jobs.plan.unknownNow')
    return from.length === 1
      ? reason
      : text('jobs.plan.skippedReason', { n: formatCount(one.devices), reason })
  }
  return text('jobs.plan.product', {
    name,
    version,
    n: counted('devices', deviceIds.length),
    from: from.map(versionText).join(', '),
    when: formatMoment(listedAt),
  })
}

function skippedOf({ skipped }: JobPlan): string {
  const n = skipped.reduce((sum, { count }) => sum + count, 0)
  if (n === 0) return ''
  const reasons = skipped
    .map(({ count, reason }) =>
      skipped.length === 1
        ? skipText(reason)
        : text('jobs.plan.skippedReason', { n: formatCount(count), reason: skipText(reason) }),
    )
    .join(', ')
  return countedText('jobs.plan.skipped', n, { n: formatCount(n), reasons })
}

/**
 * The share is that of one rate-limit window. If the job needs more than one window, a text says so instead.
 */
function costOf({ cost, watchingAtMost, savedCalls }: JobPlan, terms: JobTerms): string {
  const { calls, aboutInMs, shareOfWindow } = cost
  const named = { n: formatCount(calls), about: formatSpan(aboutInMs), share: formatShare(shareOfWindow) }
  return [
    countedText(`jobs.plan.${isLater(terms) ? 'costLater' : 'cost'}`, calls, named),
    shareOfWindow > 1 ? text('jobs.plan.severalWindows') : text('jobs.plan.share', named),
    watchingAtMost > 0 ? text('jobs.plan.watching', { n: formatCount(watchingAtMost) }) : '',
    savedCalls ? text('jobs.plan.saved', { n: formatCount(savedCalls) }) : '',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function lockOf({ unlocked, remainingInMs }: PlanGiven['lock']): string {
  if (!unlocked) return text('jobs.plan.willUnlock')
  return remainingInMs > 0
    ? text('jobs.plan.unlockedFor', { left: formatRemaining(remainingInMs) })
    : text('jobs.plan.unlocked')
}
