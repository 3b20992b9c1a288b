import { computed, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { throttle } from '../components/throttle.ts'
import { latestResult } from '../components/latest-result.ts'
import { refreshNow } from '../components/now.ts'
import type { GridPlace } from './grid-rows.ts'

/** During a sync there are ten events a second; the visible rows are reloaded at most twice a second. */
export const RELOAD_EVERY_IN_MS = 500
/**
 * Slices cached in addition to the first: the visible ones and their neighbours. Raise it if scrolling back
 * shows bars.
 */
const CACHED = 5
/**
 * Maximum of slices requested at the same time, so that slices that were scrolled past never delay visible
 * ones.
 */
const IN_FLIGHT_AT_MOST = 2

/** Members of every response of a list. */
export interface ListResult {
  /** Matching rows. */
  readonly total: number
  /** All rows; lists without a filter do not have it. */
  readonly all?: number
  /** When the rows were read from the service, epoch milliseconds; null: never. */
  readonly asOf?: number | null
}

export interface SliceRequest<Row> {
  readonly start: number
  readonly count: number
  /**
   * The last row of the nearest loaded slice above with the same version, and the number of rows between it
   * and `start`.
   */
  readonly above: { readonly row: Row; readonly between: number } | null
}

export interface ListSource<Question extends object, Row, Answer extends ListResult> {
  /** Filter and order. A different object is a different query; null: there is none. */
  readonly question: () => Question | null
  /** Rows of a slice; slices start at multiples of it. */
  readonly count: number
  /** Rows requested before they are visible, in the scroll direction; missing: none. */
  readonly ahead?: number
  readonly fetch: (question: Question, slice: SliceRequest<Row>) => Promise<Outcome<Answer>>
  readonly rowsOf: (answer: Answer) => readonly Row[]
  readonly idOf: (row: Row) => string | number
  /** Requested together with the rows on every reload, and for another list in their place. */
  readonly beside?: () => Promise<unknown>
  /**
   * Events after which the rows belong to another list, such as another organization's: the list is loaded
   * again or, if nobody follows it, cleared.
   */
  readonly replacedBy?: readonly Subscribe[]
}

export interface List<Row, Answer> {
  /** The newest response with its other members. */
  readonly answer: ShallowRef<Answer | null>
  /** null: before the first response. */
  readonly total: Ref<number | null>
  readonly all: ComputedRef<number | null>
  readonly asOf: ComputedRef<number | null>
  /** The first rows of the list, regardless of the scroll position. */
  readonly newest: ComputedRef<readonly Row[]>
  /** All loaded rows. */
  readonly cached: ComputedRef<readonly Row[]>
  readonly failure: ShallowRef<Failure | null>
  /** Incremented when other rows replaced the visible ones: the table scrolls to the top. */
  readonly startedOver: Ref<number>
  /** Incremented when rows may have changed under the same query. */
  readonly changed: Ref<number>
  /** The last position of the list. */
  readonly place: ShallowRef<GridPlace | null>
  /** undefined: not loaded, or there is none. */
  readonly rowAt: (index: number) => Row | undefined
  /** The position of a row among the loaded ones; null: it is not loaded. */
  readonly indexOf: (id: string | number) => number | null
  /** To be called with the rows that the table shows: missing ones are requested, once. */
  readonly need: (first: number, last: number) => void
  /**
   * Loads from the top at once; the visible rows remain until the response. On failure they are removed,
   * because they belong to another query.
   */
  readonly startOver: () => Promise<void>
  /** Reloads the visible rows; scroll position and rows remain whatever the result is. */
  readonly again: () => Promise<void>
  /** Shows the list at its last position during a reload; from the top if nothing is loaded. */
  readonly show: () => Promise<void>
  /** Reloads on these events, at most every RELOAD_EVERY_IN_MS, until the returned function is called. */
  readonly follow: (changed: readonly Subscribe[]) => () => void
}
type Subscribe = (listener: () => void) => () => void

interface Slice<Row> {
  readonly rows: readonly Row[]
  /** The version of the data at the request. */
  readonly version: number
}

/**
 * A list in slices. One rule decides which responses are used: a response to an older query is dropped, and
 * the newest query is always sent, at the latest after the previous response. For the same query a newer
 * response is never replaced by an older one.
 */
export function useList<Question extends object, Row, Answer extends ListResult>(
  source: ListSource<Question, Row, Answer>,
): List<Row, Answer> {
  const slices = shallowRef<ReadonlyMap<number, Slice<Row>>>(new Map())
  const answer: ShallowRef<Answer | null> = shallowRef(null)
  const total = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const startedOver = ref(0)
  const changed = ref(0)
  const place = shallowRef<GridPlace | null>(null)
  const question = computed(source.question)

  /** The current query, new with each start; responses to an earlier one are dropped. */
  let asked: { readonly question: Question | null } = { question: null }
  /**
   * The version: counts possible changes of the rows. A slice of an earlier version is shown until it is
   * reloaded.
   */
  let version = 0
  let answeredVersion = -1
  let visible: { readonly first: number; readonly last: number } | null = null
  /** The next slice in the scroll direction. */
  let next: number | null = null
  /** Requested slices without a response. */
  const inFlight = new Map<number, { readonly version: number; readonly load: Promise<void> }>()
  /** Failed slices: another scroll or event retries, so that there is no loop. */
  const failed = new Set<number>()
  /** The first slice of a query; only the newest load counts. */
  const firstSlice = latestResult<Answer>()
  let starting: Promise<void> | null = null
  let reloading: Promise<void> | null = null
  let followers = 0

  function above(index: number): SliceRequest<Row>['above'] {
    for (let near = index - 1; near >= 0; near--) {
      const slice = slices.value.get(near)
      const row = slice?.version === version ? slice.rows[source.count - 1] : undefined
      if (row !== undefined) return { row, between: (index - near - 1) * source.count }
    }
    return null
  }
  /** Applies a response of the current query that was requested in version `at`. */
  function take(index: number, value: Answer, at: number): void {
    const isNews = at > answeredVersion
    if (at >= answeredVersion) {
      answeredVersion = at
      answer.value = value
      total.value = value.total
    }
    // Slices that are loaded by scrolling are no newer, so ages on screen are not redrawn for each of them.
    if (isNews) refreshNow()
    failure.value = null
    failed.clear()
    if ((slices.value.get(index)?.version ?? -1) > at) return
    const end = total.value ?? 0
    const kept = new Map(slices.value).set(index, { rows: source.rowsOf(value), version: at })
    for (const one of [...kept.keys()]) if (one > 0 && one * source.count >= end) kept.delete(one)
    const middle = sliceOf(visible === null ? 0 : (visible.first + visible.last) / 2)
    const others = [...kept.keys()].filter((one) => one > 0 && one !== next && !isVisible(one))
    for (const one of others.toSorted((a, b) => Math.abs(b - middle) - Math.abs(a - middle)))
      if (kept.size > CACHED + 1) kept.delete(one)
    slices.value = kept
  }
  const sliceOf = (row: number): number => Math.floor(row / source.count)
  const isVisible = (index: number): boolean =>
    visible !== null && index >= sliceOf(visible.first) && index <= sliceOf(visible.last)

  /** Requests a slice, unless it is already requested. */
  function load(index: number): Promise<void> {
    const known = inFlight.get(index)
    if (asked.question === null || known?.version === version) return known?.load ?? Promise.resolve()
    const reading = loadSlice(asked.question, index)
    inFlight.set(index, { version, load: reading })
    return reading
  }
  async function loadSlice(wanted: Question, index: number): Promise<void> {
    const [mine, at] = [asked, version]
    const outcome = await source.fetch(wanted, {
      start: index * source.count,
      count: source.count,
      above: above(index),
    })
    if (mine !== asked) return
    if (inFlight.get(index)?.version === at) inFlight.delete(index)
    if (outcome.ok) take(index, outcome.value, at)
    else fail(index, outcome.failure)
    await fill()
  }
  function fail(index: number, why: Failure): void {
    failure.value = why
    failed.add(index)
  }
  /** Requests visible slices that are missing or older than the last change. */
  async function fill(): Promise<void> {
    if (starting !== null || visible === null) return
    const last = Math.min(visible.last, (total.value ?? Infinity) - 1)
    const reads: Promise<void>[] = []
    for (let index = sliceOf(visible.first); index <= sliceOf(last); index++) {
      if (inFlight.size >= IN_FLIGHT_AT_MOST) break
      if (slices.value.get(index)?.version !== version && !inFlight.has(index) && !failed.has(index))
        reads.push(load(index))
    }
    if (next !== null && inFlight.size < IN_FLIGHT_AT_MOST && next * source.count < (total.value ?? 0))
      if (!slices.value.has(next) && !inFlight.has(next) && !failed.has(next)) reads.push(load(next))
    await Promise.all(reads)
  }

  function forget(): void {
    slices.value = new Map()
    answer.value = total.value = failure.value = null
    answeredVersion = -1
    failed.clear()
  }
  /** The first slice of the current query, and then of a newer one; queries in between are never sent. */
  async function loadFirst(): Promise<void> {
    const [mine, at] = [asked, version]
    if (mine.question !== null) {
      if (
        !(await firstSlice.take(source.fetch(mine.question, { start: 0, count: source.count, above: null })))
      )
        return
      if (mine !== asked) return loadFirst()
      replaceRows(at)
    }
    starting = null
    await fill()
  }
  /** Shows the first slice, which was requested in version `at`, instead of the previous rows. */
  function replaceRows(at: number): void {
    const isOther = total.value !== null
    forget()
    failure.value = firstSlice.failure.value
    if (firstSlice.failure.value === null && firstSlice.value.value !== null)
      take(0, firstSlice.value.value, at)
    place.value = null
    // The first response does not scroll to the top, so that a row that is already open remains in view.
    if (!isOther) return
    startedOver.value += 1
    visible = null
  }
  /** Invalidates all earlier requests. */
  function renew(wanted: Question | null): void {
    asked = { question: wanted }
    inFlight.clear()
    visible = next = null
    if (wanted === null) forget()
  }
  function startOver(): Promise<void> {
    renew(question.value)
    return asked.question === null ? Promise.resolve() : (starting = loadFirst())
  }
  async function reload(): Promise<void> {
    const at = version
    while (starting !== null) await starting
    if (asked.question === null) return startOver()
    await load(0)
    if (isOutdated(at)) await reload()
  }
  /** Whether rows may have changed since version `at` and the first slice is still of an earlier one. */
  const isOutdated = (at: number): boolean => at !== version && slices.value.get(0)?.version !== version
  async function again(): Promise<void> {
    changed.value += 1
    version += 1
    failed.clear()
    reloading ??= reload().finally(() => (reloading = null))
    await Promise.all([reloading, source.beside?.()])
  }
  watch(question, (now) => {
    if (now === asked.question) return
    renew(now)
    if (now !== null) starting ??= loadFirst()
  })

  for (const subscribe of source.replacedBy ?? [])
    subscribe(() => {
      place.value = null
      if (followers === 0) renew(null)
      else void Promise.all([startOver(), source.beside?.()])
    })

  return {
    answer,
    total,
    all: computed(() => answer.value?.all ?? null),
    asOf: computed(() => answer.value?.asOf ?? null),
    newest: computed(() => slices.value.get(0)?.rows ?? []),
    cached: computed(() => [...slices.value.values()].flatMap(({ rows }) => rows)),
    failure,
    startedOver,
    changed,
    place,
    rowAt: (index) =>
      index < (total.value ?? 0) ? slices.value.get(sliceOf(index))?.rows[index % source.count] : undefined,
    indexOf(id) {
      for (const [index, { rows }] of slices.value) {
        const within = rows.findIndex((row) => source.idOf(row) === id)
        if (within >= 0) return index * source.count + within
      }
      return null
    },
    need(first, last) {
      const moved = first - (visible?.first ?? first)
      if (source.ahead !== undefined && moved !== 0)
        next = sliceOf(Math.max(0, moved > 0 ? last + source.ahead : first - source.ahead))
      visible = { first, last }
      failed.clear()
      // The table may exist before anything was requested.
      if (asked.question === null && starting === null && question.value !== null) void startOver()
      else void fill()
    },
    startOver,
    again,
    show() {
      if (starting !== null && asked.question === question.value) return starting
      return slices.value.size > 0 && asked.question === question.value ? again() : startOver()
    },
    follow(events) {
      followers += 1
      const throttled = throttle(() => void again(), RELOAD_EVERY_IN_MS)
      const disposers = events.map((subscribe) => subscribe(throttled.call))
      return () => {
        followers -= 1
        for (const end of [throttled.stop, ...disposers]) end()
      }
    },
  }
}
