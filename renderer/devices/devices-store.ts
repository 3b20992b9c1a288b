import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type {
  DeviceFacets,
  DeviceRow,
  DeviceSort,
  DeviceWindow,
  DeviceWindowQuery,
  WordCount,
} from '../../electron/contract/api/devices.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import type { FilterProblem } from '../../electron/contract/filter/filter.ts'
import { readFilter } from '../../electron/contract/filter/filter-reader.ts'
import { deviceVocabulary } from '../../electron/contract/filter/filter-words.ts'
import { api } from '../api.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** Rows of one window: five screens of rows, a fifth of what the contract allows. */
export const BLOCK = 100
/** During a sync announcements come ten a second; what is shown is asked for again twice a second (chosen). */
const RELOAD_EVERY_IN_MS = 500
/** The most rows one question answers (contract). */
const WINDOW = 500

export const byName: DeviceSort = [{ column: 'name', descending: false }]

/** The filter, its counts, and windows of matching rows. Rows themselves are never kept here: the table holds a few windows. */
export const useDevicesStore = defineStore('devices', () => {
  /** As typed. */
  const where = ref('')
  /** The last filter without a problem: what is on screen, and what actions mean. */
  const asked = ref('')
  const sort = shallowRef<DeviceSort>(byName)
  const facets = shallowRef<DeviceFacets | null>(null)
  const total = ref<number | null>(null)
  const all = ref<number | null>(null)
  const asOf = ref<number | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** Counts up when the table should start from the top (another filter). */
  const startedOver = ref(0)
  /** Counts up when rows changed under the same filter: reload what is shown, keep scroll and selection. */
  const changed = ref(0)
  /** The row at the top when the page was left. */
  const place = shallowRef<{ readonly index: number; readonly id: string | null }>({ index: 0, id: null })

  /** What the filter box cannot read yet: it hands over only what can be read. */
  const typed = shallowRef<readonly FilterProblem[]>([])
  const problems = computed(() =>
    typed.value.length > 0 ? typed.value : readFilter(where.value, deviceVocabulary).problems,
  )
  const filtered = computed(() => asked.value.trim() !== '')

  /** Windows asked for and not answered yet. */
  let underWay = 0
  let landed: (() => void) | null = null

  let primed: { readonly key: string; readonly window: DeviceWindow } | null = null
  const keyOf = (query: DeviceWindowQuery): string => JSON.stringify(query)
  const queryAt = (start: number, by: DeviceSort): DeviceWindowQuery => ({
    where: asked.value,
    sort: by,
    start,
    count: BLOCK,
  })

  function learn(window: DeviceWindow): void {
    total.value = window.total
    all.value = window.all
    failure.value = null
    // Windows of a list that scrolls bring nothing newer: ages on screen are not drawn anew for each.
    if (asOf.value !== window.asOf) refreshPresentTime()
    asOf.value = window.asOf
  }
  /** One window; null when it failed. Answered at once where the first window of a new filter is already here. */
  function windowAt(start: number, by: DeviceSort): DeviceWindow | null | Promise<DeviceWindow | null> {
    const query = queryAt(start, by)
    if (primed && primed.key === keyOf(query)) {
      const { window } = primed
      primed = null
      return window
    }
    underWay += 1
    return api.devices.window(query).then((outcome) => {
      underWay -= 1
      if (underWay === 0 && landed) {
        // After the grid has taken this answer.
        setTimeout(landed)
        landed = null
      }
      if (query.where !== asked.value) return outcome.ok ? outcome.value : null
      if (outcome.ok) learn(outcome.value)
      else failure.value = outcome.failure
      return outcome.ok ? outcome.value : null
    })
  }
  async function readFacets(): Promise<void> {
    const wanted = asked.value
    const outcome = await api.devices.facets({ where: wanted })
    if (outcome.ok && wanted === asked.value) facets.value = outcome.value
  }
  /** Fetches the first window before the table forgets its rows: typing replaces rows, it never shows a blank table between. */
  async function readAnew(): Promise<void> {
    const query = queryAt(0, sort.value)
    const outcome = await api.devices.window(query)
    if (query.where !== asked.value || query.sort !== sort.value) return
    if (outcome.ok) {
      primed = { key: keyOf(query), window: outcome.value }
      learn(outcome.value)
    } else {
      failure.value = outcome.failure
      total.value = null
    }
    place.value = { index: 0, id: null }
    startedOver.value += 1
  }
  let starting = false
  let wanted = 0
  /** One question at a time, and then the newest: what was typed meanwhile never queues behind what nobody waits for any more. */
  async function startOver(): Promise<void> {
    wanted += 1
    if (starting) return
    starting = true
    for (let answered = 0; answered !== wanted;) {
      answered = wanted
      await readAnew()
    }
    starting = false
  }
  watch(where, (text) => {
    if (readFilter(text, deviceVocabulary).problems.length === 0) asked.value = text.trim()
  })
  watch(asked, () => void startOver())

  async function suggest(key: string, typed: string): Promise<readonly WordCount[]> {
    const outcome = await api.devices.suggest({ key, typed: typed.slice(0, WORD) })
    return outcome.ok ? outcome.value : []
  }
  /** Where a device stands in what is shown; null: it does not match, or nobody can say. */
  async function positionOf(id: string): Promise<number | null> {
    const outcome = await api.devices.position({ where: asked.value, sort: sort.value, id })
    return outcome.ok ? outcome.value.index : null
  }
  /** Rows of a filter from one place to another, both included, a window at a time; null when one fails. Nothing is kept here. */
  async function* rowsBetween(
    filter: string,
    by: DeviceSort,
    from: number,
    to: number,
  ): AsyncGenerator<readonly DeviceRow[] | null> {
    for (let start = from; start <= to; start += WINDOW) {
      const outcome = await api.devices.window({
        where: filter,
        sort: by,
        start,
        count: Math.min(WINDOW, to - start + 1),
      })
      yield outcome.ok ? outcome.value.rows : null
      if (!outcome.ok || outcome.value.rows.length === 0) return
    }
  }

  function follow(): () => void {
    const reload = paced(() => {
      // The grid drops what is under way when it reloads: with slow answers and frequent announcements nothing would ever be shown.
      if (underWay === 0) changed.value += 1
      else landed = reload.call
    }, RELOAD_EVERY_IN_MS)
    const ends = [
      api.devices.changed(reload.call),
      api.tags.changed(reload.call),
      api.organizations.changed(() => void startOver()),
    ]
    return () => {
      landed = null
      for (const end of [reload.stop, ...ends]) end()
    }
  }

  return {
    where,
    asked,
    sort,
    facets,
    total,
    all,
    asOf,
    failure,
    startedOver,
    changed,
    place,
    typed,
    problems,
    filtered,
    windowAt,
    readFacets,
    startOver,
    suggest,
    positionOf,
    rowsBetween,
    follow,
  }
})

/** The longest text a suggestion is asked for (contract). */
const WORD = 200
