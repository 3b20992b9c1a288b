import type { JobPlan, JobTerms, PlannedItem, PlannedProduct } from '../../electron/contract/api/jobs.ts'
import { clockAt, sameClockIn } from '../../electron/contract/time-zone.ts'
import { countedText, say, text } from '../locales/i18n.ts'
import {
  formatCount,
  formatRemaining,
  formatShare,
  formatSpan,
  formatWeekday,
  formatWhen,
  timeZoneInUse,
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
  /** How many are left out, and why if there is one reason; empty: none. */
  readonly skipped: string
  /** If there are several reasons: each with its count. */
  readonly reasons: readonly string[]
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
    ...skippedOf(plan),
    cost: costOf(plan, terms),
    lock: lockOf(lock),
    start: startOf(plan, terms, lock.unlocked),
  }
}

/** `Unlock and update 93 devices at 22:00`: what the button does. */
function startOf(
  { draft, items }: JobPlan,
  { startAt, window, timeZone }: JobTerms,
  unlocked: boolean,
): string {
  const what = countedText(`jobs.plan.${unlocked ? 'does' : 'unlocksAndDoes'}.${draft.work.kind}`, items, {
    n: formatCount(items),
  })
  if (startAt !== null) return text('jobs.plan.doesAt', { what, time: formatMomentOf(startAt, timeZone) })
  return window === null
    ? what
    : text('jobs.plan.doesBetween', { what, from: clockOf(window.from), to: clockOf(window.to) })
}
/** The time alone, if it is within a day. */
const formatMomentOf = (at: number, timeZone: string | undefined): string =>
  formatWhen(at, Date.now(), timeZone)

/** A part of a job, in order. */
export interface PlanStep {
  readonly what: string
  readonly when: string
}

/** What happens, one after the other. */
export function stepsOf(plan: JobPlan, terms: JobTerms, nowAt: number): readonly PlanStep[] {
  const of = plan.draft.work.kind === 'reboot-rooms' ? 'rooms' : 'devices'
  const start = whenOf({ earliestAt: null }, { ...terms, canary: false }, nowAt)
  const first = terms.canary ? Math.min(plan.items, Math.max(1, plan.products?.length ?? 1)) : 0
  const others = plan.items - first
  if (first === 0 || others === 0) return [{ what: counted(of, plan.items), when: start }]
  return [
    {
      what: text(`jobs.plan.${first > 1 ? 'firstOfEach' : 'first'}`, { what: counted(of, first) }),
      when: start,
    },
    {
      what: text('jobs.plan.then', { what: counted(of, others) }),
      when: text(`jobs.plan.${first > 1 ? 'afterItsFirst' : 'afterTheFirst'}`),
    },
  ]
}

/** Usual working hours, from Monday to Friday: chosen, because nobody publishes when a room is in use. */
const workingHours = { from: 8 * 60, to: 17 * 60 }

/**
 * `10:20 on Tuesday in Europe/Oslo: rooms may be in use`, for the first zone in which the job begins within
 * working hours; null: in none, or within a window, which a technician chose.
 */
export function inUseText(
  { zones, draft }: JobPlan,
  { startAt, window }: JobTerms,
  nowAt: number,
): string | null {
  if (window !== null) return null
  for (const { zone } of zones) {
    const name = zone === 'local' ? timeZoneInUse() : zone
    const at =
      startAt === null ? nowAt : zone === 'local' ? startAt : sameClockIn(name, timeZoneInUse(), startAt)
    const { day, minutes } = clockAt(name, at)
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
    if (weekday < 1 || weekday > 5 || minutes < workingHours.from || minutes >= workingHours.to) continue
    return text(zone === 'local' ? 'jobs.plan.inUse' : 'jobs.plan.inUseIn', {
      time: clockOf(minutes),
      day: formatWeekday(weekday),
      what: text(draft.work.kind === 'reboot-rooms' ? 'jobs.plan.inUseRooms' : 'jobs.plan.inUseDevices'),
      zone,
    })
  }
  return null
}
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
  if (canary && after !== undefined) return say('when.after', { name: after })
  if (window !== null)
    return inZone(text('jobs.plan.between', { from: clockOf(window.from), to: clockOf(window.to) }), own)
  const zone = own ?? timeZone
  const from =
    startAt === null || timeZone === undefined || own === undefined
      ? startAt
      : sameClockIn(own, timeZone, startAt)
  if (from !== null && zone !== undefined && from > Math.max(earliestAt ?? nowAt, nowAt))
    return say('when.from', { time: inZone(formatWhen(from, nowAt, zone), zone) })
  const at = Math.max(earliestAt ?? nowAt, from ?? nowAt)
  return at <= nowAt ? say('when.now') : say('when.from', { time: formatWhen(at, nowAt) })
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

/** `6.4.2 ×9, 6.2.10 ×6`: the versions that devices of a product run. */
export const versionsText = ({ from }: Pick<PlannedProduct, 'from'>): string =>
  from
    .map(({ version, devices }) => {
      const named = version ?? say('versionUnknown')
      return from.length === 1 ? named : text('jobs.plan.times', { named, n: formatCount(devices) })
    })
    .join(', ')

function skippedOf({ skipped }: JobPlan): Pick<PlanSentences, 'skipped' | 'reasons'> {
  const count = skipped.reduce((sum, one) => sum + one.count, 0)
  const n = formatCount(count)
  const [first, ...others] = skipped
  if (first === undefined || count === 0) return { skipped: '', reasons: [] }
  if (others.length === 0)
    return {
      skipped: countedText('jobs.plan.skipped', count, { n, reasons: skipText(first.reason) }),
      reasons: [],
    }
  return {
    skipped: countedText('jobs.plan.leftOut', count, { n }),
    reasons: skipped.map((one) =>
      text('jobs.plan.skippedReason', { n: formatCount(one.count), reason: skipText(one.reason) }),
    ),
  }
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
