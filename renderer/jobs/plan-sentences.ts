import type { JobPlan, JobTerms, PlannedItem, PlannedProduct } from '../../electron/contract/api/jobs.ts'
import { partsOfLabel } from '../../electron/contract/device-name.ts'
import { alsoInWords, offlineWords } from '../../electron/contract/sentences/job-sentences.ts'
import { watchedForInMs } from '../../electron/contract/job-watch.ts'
import { clockAt, sameClockIn } from '../../electron/contract/time-zone.ts'
import { countedText, say, text } from '../locales/i18n.ts'
import {
  formatCount,
  formatShare,
  formatSpan,
  formatWeekday,
  formatWhen,
  timeZoneInUse,
} from '../components/format.ts'
import { clockOf } from '../components/clock.ts'
import { inZone, partsOfTarget, placeOf, skipText, titleOf, titleOfJob } from './job-text.ts'

export interface PlanGiven {
  readonly plan: JobPlan
  /** Those of its items that are loaded. */
  readonly rowAt: (index: number) => PlannedItem | undefined
  /** The terms selected in the dialog, not those of the request. */
  readonly terms: JobTerms
  readonly isRetry: boolean
  readonly lock: { readonly unlocked: boolean; readonly remainingInMs: number }
  /** Minutes that an unlock lasts. */
  readonly unlockMinutes: number
}

/** The text of the confirmation. Every sentence comes from the plan and its selected terms, so that none can contradict them. */
export interface PlanSentences {
  readonly title: string
  readonly summary: string
  /** The jobs that its devices are in. */
  readonly alsoIn: readonly string[]
  /** How many are left out, and why if there is one reason; empty: none. */
  readonly skipped: string
  /** If there are several reasons: each with its count. */
  readonly reasons: readonly string[]
  readonly cost: string
  readonly lock: string
  /** The label of the start button. */
  readonly start: string
}

export function planSentences(given: PlanGiven): PlanSentences {
  const { plan, rowAt, terms, isRetry, lock, unlockMinutes } = given
  const { work } = plan.draft
  const title =
    plan.items === 0
      ? text(`jobs.plan.none.${work.kind}`)
      : titleOf(work.kind, plan.items, work.kind === 'change-settings' ? work.changes.length : 0, plan.target)
  return {
    title: isRetry ? text('jobs.plan.titleRetry', { title }) : title,
    summary: [summaryOf(plan), notReached(plan, rowAt, isRetry)].filter((part) => part !== '').join(' '),
    alsoIn: plan.alsoIn.map((also) =>
      alsoInWords(say, { kind: work.kind, all: plan.items }, also, titleOfJob(also.job), formatCount),
    ),
    ...skippedOf(plan),
    cost: costOf(plan, terms),
    lock: lockOf(lock, unlockMinutes),
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
  /** What happens if the step before it does not succeed; missing: nothing else. */
  readonly otherwise?: string
  /** Another first one can be chosen. */
  readonly isFirst: boolean
}

const itemsOf = ({ work }: JobPlan['draft']): 'rooms' | 'devices' =>
  work.kind === 'reboot-rooms' ? 'rooms' : 'devices'
/** A product is listed once for each version that it gets. */
const familiesOf = ({ products }: Partial<Pick<JobPlan, 'products'>>): number =>
  new Set(products?.map(({ productId }) => productId)).size
/** How many are tried first, before the others; 0: all begin together. */
function triedFirst(plan: JobPlan, { canary }: JobTerms): number {
  if (!canary) return 0
  const first = Math.max(1, familiesOf(plan))
  return first < plan.items ? first : 0
}

/**
 * What happens, one after the other. `one`: the first of the plan, if it is loaded; the only one has a name and a time of
 * its own.
 */
export function stepsOf(
  plan: JobPlan,
  terms: JobTerms,
  nowAt: number,
  one: PlannedItem | null,
): readonly PlanStep[] {
  const of = itemsOf(plan.draft)
  const first = triedFirst(plan, terms)
  const alone = plan.items === 1 ? one : null
  const timed = first === 1 ? one : alone
  const when = whenOf(timed ?? { earliestAt: null }, { ...terms, canary: false }, nowAt)
  const named = one === null ? null : partsOfTarget(one.target).title
  if (first === 0) return [{ what: (alone === null ? null : named) ?? allOf(plan), when, isFirst: false }]
  const what =
    first === 1 && named !== null
      ? text('jobs.plan.firstNamed', { name: named })
      : text(`jobs.plan.${first === 1 ? 'first' : 'firstOfEach'}`, { what: counted(of, first) })
  const off = (plan.products ?? []).filter(({ firstStatus }) => firstStatus === 'offline').length
  const minutes = formatCount(watchedForInMs(plan.draft.work) / 60_000)
  const waits =
    off === 0
      ? {}
      : { otherwise: countedText('jobs.plan.firstOffline', off, { n: formatCount(off), minutes }) }
  return [
    { what, when, isFirst: true, ...waits },
    {
      what: text('jobs.plan.then', { what: counted(of, plan.items - first) }),
      when: text(`jobs.plan.${first > 1 ? 'afterItsFirst' : 'afterTheFirst'}`),
      otherwise: text(`jobs.plan.${first > 1 ? 'pausesEach' : 'pauses'}`),
      isFirst: false,
    },
  ]
}

/** When the last result is known at about the latest, epoch milliseconds; null: a window decides, or at once. */
export function endOf(plan: JobPlan, terms: JobTerms, nowAt: number): number | null {
  if (terms.window !== null) return null
  const starts = plan.zones.map(({ zone }) => startIn(zone, terms) ?? nowAt)
  const turns = triedFirst(plan, terms) === 0 ? 1 : 2
  const lasts = plan.cost.aboutInMs + turns * watchedForInMs(plan.draft.work)
  return lasts < 60_000 ? null : Math.max(nowAt, ...starts) + lasts
}

/** The start time in a zone of JobPlan; null: at once. */
export const startIn = (
  zone: string,
  { startAt, timeZone }: Pick<JobTerms, 'startAt' | 'timeZone'>,
): number | null =>
  startAt === null || timeZone === undefined || zone === 'local'
    ? startAt
    : sameClockIn(zone, timeZone, startAt)

/** Usual working hours, from Monday to Friday: chosen, because nobody publishes when a room is in use. */
const workingHours = { from: 8 * 60, to: 17 * 60 }

/** When a job begins by the clock of a zone of JobPlan; within a window: what time it is. */
export function beginsIn(zone: string, terms: JobTerms, nowAt: number) {
  const at = startIn(zone, terms) ?? nowAt
  const { day, minutes } = clockAt(zone === 'local' ? timeZoneInUse() : zone, at)
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  const isInUse = weekday > 0 && weekday < 6 && minutes >= workingHours.from && minutes < workingHours.to
  return { weekday, minutes, isInUse: isInUse && terms.window === null }
}
/** The zones of a plan in which it begins within working hours, that with most devices first; none within a window, which a technician chose. */
function zonesInUse({ zones }: JobPlan, terms: JobTerms, nowAt: number) {
  return zones
    .map((one) => ({ ...one, ...beginsIn(one.zone, terms, nowAt) }))
    .filter(({ isInUse }) => isInUse)
    .toSorted((a, b) => b.count - a.count)
}

/** Rooms, or devices, that may be in use when a job begins. */
export interface InUse {
  /**
   * `It is 10:20 Oslo time: 4 rooms may be in use.`, `Working hours for 4 of 6 rooms, such as 10:20 on Tuesday, Oslo time: they may be in use.`
   * Without the zone if that time was chosen for all.
   */
  readonly words: string
  readonly zones: readonly string[]
}
/** null: none. */
export function inUseOf(plan: JobPlan, terms: JobTerms, nowAt: number): InUse | null {
  const inHours = zonesInUse(plan, terms, nowAt)
  // The zone with most of them is the one that is named.
  const [first, ...others] = inHours
  if (first === undefined) return null
  const { zone, weekday, minutes } = first
  const isEverywhere = terms.startAt !== null && terms.timeZone !== undefined
  const isMore = !isEverywhere && others.length > 0
  const when = isMore ? 'More' : terms.startAt === null ? 'Now' : ''
  const sum = (all: readonly { readonly items: number }[]): number =>
    all.reduce((n, { items }) => n + items, 0)
  const of = itemsOf(plan.draft)
  const n = sum(inHours)
  const words = text(`jobs.plan.inUse${when}${isEverywhere || zone === 'local' ? '' : 'In'}`, {
    time: clockOf(minutes),
    day: formatWeekday(weekday),
    what: plan.items === 1 ? text(`jobs.plan.inUse${of === 'rooms' ? 'Room' : 'Device'}`) : counted(of, n),
    place: placeOf(zone),
    n: formatCount(n),
    all: counted(of, sum(plan.zones)),
  })
  return { words, zones: inHours.map((one) => one.zone) }
}
/** `target`: a device that is waited for is named by its room or user. */
type PlannedTime = Pick<PlannedItem, 'earliestAt' | 'timeZone' | 'after'> &
  Partial<Pick<PlannedItem, 'target'>>

/**
 * When an item may start at the earliest: `at once`, `when Aarhus 3 is back`, `from 22:00`, `between 22:00 and 05:00 (Asia/Tokyo)`.
 * The zone is shown if a time is selected.
 */
export function whenOf(
  { earliestAt, timeZone: own, after, target }: PlannedTime,
  { startAt, window, timeZone, canary }: JobTerms,
  nowAt: number,
): string {
  if (canary && after !== undefined)
    return say('when.after', {
      name: target === undefined ? after : partsOfTarget({ ...target, name: after }).title,
    })
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

/** `7 devices in 2 rooms`, `130 devices of 28 products`. */
function allOf(plan: JobPlan): string {
  const { items, devices, draft } = plan
  const named = counted('devices', devices)
  if (draft.work.kind === 'reboot-rooms')
    return text('jobs.plan.inRooms', { devices: named, rooms: counted('rooms', items) })
  const families = familiesOf(plan)
  return families > 1 ? text('jobs.plan.ofProducts', { devices: named, n: formatCount(families) }) : named
}

function summaryOf(plan: JobPlan): string {
  const { items, devices, draft } = plan
  if (items === 0) return text('jobs.plan.nothing')
  if (draft.work.kind === 'reboot-rooms')
    return items === 1
      ? countedText('jobs.plan.rebootOne', devices, { n: formatCount(devices) })
      : text('jobs.plan.reboots', { devices: allOf(plan) })
  const what = draft.work.kind === 'update-firmware' ? 'update' : 'change'
  return text(`jobs.plan.${what}${devices === 1 ? '' : 's'}`, { devices: allOf(plan) })
}

/** More names than these are a number: the list of rooms marks each device. */
const namedAtMost = 3
/** The devices that are offline, by name once they are loaded; empty: none, or the choice to leave them out says it. */
function notReached(plan: JobPlan, rowAt: PlanGiven['rowAt'], isRetry: boolean): string {
  const { items, offline, draft } = plan
  if (offline === 0 || (draft.work.kind === 'update-firmware' && !isRetry)) return ''
  if (itemsOf(draft) === 'devices') return offlineWords(say, plan, formatCount)
  const rooms = Array.from({ length: offline > namedAtMost ? 0 : items }, (_, place) => rowAt(place))
  const names = rooms.flatMap((room) =>
    (room?.devices ?? []).flatMap(({ name, status }) => {
      if (status !== 'offline') return []
      const { title } = partsOfLabel(name)
      return items === 1 ? [title] : [[room?.target.name, title].join(' ')]
    }),
  )
  if (items > 1 && names.length !== offline)
    return countedText('jobs.plan.notReachedIn', offline, { n: formatCount(offline) })
  return text('jobs.plan.notReached', {
    which: names.length === offline ? names.join(', ') : counted('devices', offline),
  })
}

/** `6.4.2 ×9, 6.2.10 ×6, +1`: the versions that devices of a product run, at most `most` of them by name. */
export function versionsText({ from }: Pick<PlannedProduct, 'from'>, most = from.length): string {
  const named = from.map(({ version, devices }) => {
    const name = version ?? say('versionUnknown')
    return from.length === 1 ? name : text('jobs.plan.times', { named: name, n: formatCount(devices) })
  })
  const more =
    from.length > most ? [text('jobs.plan.moreVersions', { n: formatCount(from.length - most) })] : []
  return [...named.slice(0, most), ...more].join(', ')
}

/** A selection of devices for rooms, and of rooms for devices, leaves both out. */
function leftOf({ draft: { work } }: JobPlan, count: number): string {
  const of = work.kind === 'reboot-rooms' || work.kind === 'update-firmware' ? work.of : undefined
  if (work.kind === 'reboot-rooms' ? of === 'rooms' : of === undefined)
    return counted(work.kind === 'reboot-rooms' ? 'rooms' : 'devices', count)
  return formatCount(count)
}

function skippedOf(plan: JobPlan): Pick<PlanSentences, 'skipped' | 'reasons'> {
  const { skipped } = plan
  const count = skipped.reduce((sum, one) => sum + one.count, 0)
  const what = leftOf(plan, count)
  const [first, ...others] = skipped
  if (first === undefined || count === 0) return { skipped: '', reasons: [] }
  if (others.length === 0)
    return {
      skipped: text('jobs.plan.skipped', { what, reasons: skipText(first.reason) }),
      reasons: [],
    }
  return {
    skipped: text('jobs.plan.leftOut', { what }),
    reasons: skipped.map((one) =>
      text('jobs.plan.skippedReason', { n: formatCount(one.count), reason: skipText(one.reason) }),
    ),
  }
}

/**
 * The share is that of one rate-limit window. If the job needs more than one window, a text says so instead. The time
 * holds if no call waits for the first ones or for a window.
 */
function costOf(plan: JobPlan, terms: JobTerms): string {
  const { cost, watchingAtMost, savedCalls } = plan
  const { calls, aboutInMs, shareOfWindow } = cost
  const isAtOnce = terms.window === null && triedFirst(plan, terms) === 0
  return [
    countedText('jobs.plan.calls', calls, { n: formatCount(calls) }),
    isAtOnce ? text('jobs.plan.about', { time: formatSpan(aboutInMs) }) : '',
    shareOfWindow > 1
      ? text('jobs.plan.severalWindows')
      : text('jobs.plan.share', { share: formatShare(shareOfWindow) }),
    watchingAtMost > 0 ? text('jobs.plan.watching', { n: formatCount(watchingAtMost) }) : '',
    savedCalls ? countedText('jobs.plan.saved', savedCalls, { n: formatCount(savedCalls) }) : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function lockOf({ unlocked, remainingInMs }: PlanGiven['lock'], minutes: number): string {
  if (!unlocked) return countedText('jobs.plan.willUnlock', minutes)
  const left = Math.max(1, Math.floor(remainingInMs / 60_000))
  return remainingInMs > 0 ? countedText('jobs.plan.unlockedFor', left) : text('jobs.plan.unlocked')
}
