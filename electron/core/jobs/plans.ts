import type { BudgetState } from '../../contract/api/budget.ts'
import { Failed } from '../../contract/failure.ts'
import type { JobDraft, JobPlan, JobTerms, PlannedItem, SkipReason } from '../../contract/api/jobs.ts'
import { ticketAtMost } from '../../contract/note.ts'
import type { Json } from '../../contract/json.ts'
import { isTimeZone } from '../../contract/time-zone.ts'
import { writtenText } from '../notes/notes.ts'
import type { Clock } from '../platform.ts'
import type { WorkItem, WorkPlan } from './job-work.ts'
import { lateAtMostInMs } from './runner.ts'
import { zoneCounts } from './start-window.ts'
import type { CallCost } from '../../contract/api/writes.ts'

/** Contract: plans are stored for 30 minutes, at most 20 of them. */
const validForInMs = 30 * 60_000
const plansAtMost = 20
/** More items than this require typing their number: few enough to be read one by one. Chosen. */
const typedAbove = 5

export interface StoredPlan {
  readonly plan: JobPlan
  readonly work: WorkPlan
  readonly retryOf: string | null
}

/**
 * Plans that were shown to a technician and can be started exactly as shown. Only in memory: after a restart
 * a new plan is needed.
 */
export class Plans {
  readonly #clock: Clock
  readonly #stored = new Map<string, { readonly stored: StoredPlan; readonly until: number }>()
  constructor(clock: Clock) {
    this.#clock = clock
  }

  keep(stored: StoredPlan): void {
    this.#prune()
    this.#stored.set(stored.plan.id, { stored, until: this.#clock.monotonic() + validForInMs })
    for (const id of this.#stored.keys()) if (this.#stored.size > plansAtMost) this.#stored.delete(id)
  }

  /** Throws Failed `invalid`, field `plan`. */
  get(id: string): StoredPlan {
    this.#prune()
    const found = this.#stored.get(id)?.stored
    if (found === undefined) throw Failed.invalid('plan', 'This plan has expired. Plan again.')
    return found
  }

  /** Removes it for starting: the next caller finds none. Throws as `get`. */
  take(id: string): StoredPlan {
    const stored = this.get(id)
    this.#stored.delete(id)
    return stored
  }

  #prune(): void {
    const now = this.#clock.monotonic()
    for (const [id, { until }] of this.#stored) if (until <= now) this.#stored.delete(id)
  }
}

/** Items of a plan in order, followed by the skipped ones; or those of one product. */
export function plannedItems(
  { plan, work }: StoredPlan,
  { start, count, product }: { readonly start: number; readonly count: number; readonly product?: number },
): { items: readonly PlannedItem[]; total: number } {
  const only = product === undefined ? null : new Set(plan.products?.[product]?.deviceIds)
  const items = work.items.filter(({ planned }) => only?.has(planned.target.id) ?? true)
  const skipped = only === null ? work.skipped : []
  const end = start + count
  const here = items.slice(start, end).map(({ planned }) => planned)
  const after = skipped.slice(Math.max(0, start - items.length), Math.max(0, end - items.length))
  return { items: [...here, ...after], total: items.length + skipped.length }
}

/** As `job-rows.ts` reads it: devices of one product; all rooms. */
const familyOf = (memory: Json): number | undefined =>
  (memory as { readonly productId?: number } | null)?.productId

/** The items of a plan, the chosen ones before the others, each with the name of the item that is tried before it. */
export function withCanaries(items: readonly WorkItem[], chosen: readonly string[]): readonly WorkItem[] {
  const ranks = new Map(chosen.map((id, rank) => [id, rank]))
  const rankOf = ({ planned }: WorkItem): number => ranks.get(planned.target.id) ?? chosen.length
  const first = new Map<number | undefined, string>()
  return items
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .map((item) => {
      const family = familyOf(item.memory)
      const after = first.get(family)
      if (after === undefined) first.set(family, nameOf(item))
      return after === undefined ? item : { ...item, planned: { ...item.planned, after } }
    })
}

/** The products of a plan, each with the name and status of its device that is tried first. */
function productsOf({ items, products }: WorkPlan): JobPlan['products'] {
  const first = new Map(
    items.flatMap((item) =>
      item.planned.after === undefined ? [[familyOf(item.memory), item] as const] : [],
    ),
  )
  return products?.map((product) => {
    const item = first.get(product.productId)
    return {
      ...product,
      first: item === undefined ? '' : nameOf(item),
      firstStatus: item?.planned.devices[0]?.status ?? 'unknown',
    }
  })
}

const nameOf = ({ planned: { target } }: WorkItem): string => target.name ?? target.id

/** The longer window (services.md#B32). */
const windowInMs = 300_000

/**
 * The cost of `calls` calls made now by a person, which go before all other waiting calls. Exact if there are
 * no faults, except for a full five-minute window: its calls count as made just now, because their ages are
 * not known here.
 */
export function callCost(calls: number, budget: BudgetState, now: number): CallCost {
  const heldForInMs = Math.max(0, (budget.pausedUntil ?? now) - now, (budget.heldUntilAt ?? now) - now)
  const perSecond = Math.max(1, budget.second.limit)
  const perWindow = Math.max(1, budget.fiveMinutes.limit)
  const beyondSecond = Math.max(0, calls - Math.max(0, budget.second.limit - budget.second.used))
  const beyondWindow = Math.max(0, calls - Math.max(0, budget.fiveMinutes.limit - budget.fiveMinutes.used))
  const fullWindows = Math.ceil(beyondWindow / perWindow)
  const inLastWindow = beyondWindow - Math.max(0, fullWindows - 1) * perWindow
  const aboutInMs =
    fullWindows === 0
      ? (beyondSecond * 1_000) / perSecond
      : fullWindows * windowInMs + (inLastWindow * 1_000) / perSecond
  return {
    calls,
    aboutInMs: Math.ceil(heldForInMs + aboutInMs),
    shareOfWindow: calls / perWindow,
  }
}

/** The plan to display: what the work does, and its cost according to the current budget. */
export function jobPlanOf(
  draft: JobDraft,
  work: WorkPlan,
  {
    id,
    organization,
    alsoIn,
    lock,
    budget,
    now,
  }: Pick<JobPlan, 'id' | 'organization' | 'alsoIn' | 'lock'> & {
    readonly budget: BudgetState
    readonly now: number
  },
): JobPlan {
  const calls = work.items.reduce((sum, item) => sum + item.calls, 0)
  const cost = callCost(calls, budget, now)
  const products = productsOf(work)
  const lastMayStartAt = work.items.reduce((last, { planned }) => Math.max(last, planned.earliestAt ?? 0), 0)
  return {
    id,
    organization,
    draft,
    madeAt: now,
    items: work.items.length,
    skipped: skippedCounts(work.skipped),
    ...deviceCounts(work),
    alsoIn,
    // The one-minute rule of a device may take longer than the calls.
    cost: { ...cost, aboutInMs: Math.max(cost.aboutInMs, lastMayStartAt - now) },
    watchingAtMost: work.items.reduce((sum, item) => sum + item.watchingAtMost, 0),
    savedCalls: work.savedCalls,
    typeNumber: work.items.length > typedAbove ? work.items.length : null,
    lock,
    zones: zoneCounts(
      draft,
      work.items.map(({ planned }) => [planned.timeZone ?? null, planned.devices.length]),
    ),
    target: work.items.length === 1 ? (work.items[0]?.planned.target ?? null) : null,
    ...(products === undefined ? {} : { products }),
  }
}

/** A device that is written to counts, whether it is online or not; one of a room only if it goes down. */
function deviceCounts({ items }: WorkPlan): Pick<JobPlan, 'devices' | 'offline'> {
  const all = items.reduce((sum, { planned }) => sum + planned.devices.length, 0)
  const offline = items.reduce(
    (sum, { planned: { devices } }) => sum + devices.filter(({ status }) => status === 'offline').length,
    0,
  )
  return { devices: items[0]?.planned.target.of === 'room' ? all - offline : all, offline }
}

function skippedCounts(skipped: readonly PlannedItem[]): JobPlan['skipped'] {
  const counts = new Map<SkipReason, number>()
  for (const { skipped: reason } of skipped)
    if (reason !== null) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].map(([reason, count]) => ({ reason, count }))
}

/** Throws Failed `invalid` for an invalid time, window, canary or ticket. */
export function checkTerms(
  { work }: Pick<JobDraft, 'work'>,
  { startAt, window, timeZone, canary, ticket }: JobTerms,
): void {
  if (startAt !== null && !Number.isFinite(startAt)) throw Failed.invalid('startAt', 'Enter a time.')
  if (timeZone !== undefined && !isTimeZone(timeZone))
    throw Failed.invalid('timeZone', 'There is no such time zone.')
  if (window !== null) {
    for (const minute of [window.from, window.to])
      if (!Number.isInteger(minute) || minute < 0 || minute >= 1_440)
        throw Failed.invalid('window', 'A window needs minutes after midnight, from 0 to 1,439.')
    if (window.from === window.to)
      throw Failed.invalid('window', 'A window must not end at the minute it begins.')
  }
  if (ticket !== undefined && writtenText(ticket, 'ticket', ticketAtMost) !== ticket)
    throw Failed.invalid('ticket', 'A ticket cannot begin or end with a space.')
  if (canary && work.kind === 'change-settings')
    throw Failed.invalid(
      'canary',
      'A settings job cannot update one device first, because its devices are not watched.',
    )
}

/** Throws Failed `invalid` if the start time has passed where a room is: it would be missed. */
export function checkStartTimes(work: WorkPlan, terms: JobTerms, now: number): void {
  const zones = zoneCounts(
    terms,
    work.items.map(({ planned }) => [planned.timeZone ?? null, 1]),
  )
  const past = zones.find(({ startAt }) => startAt !== null && now - startAt > lateAtMostInMs)
  if (past === undefined) return
  const where = past.zone === 'local' ? '' : ` in ${past.zone}`
  throw Failed.invalid('startAt', `The start time has passed${where}. Choose a later one.`)
}
