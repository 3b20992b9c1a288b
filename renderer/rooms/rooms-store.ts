import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { WordCount } from '../../electron/contract/api/devices.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { readFilter, withTerm } from '../../electron/contract/filter/filter-reader.ts'
import { roomVocabulary } from '../../electron/contract/filter/filter-words.ts'
import type { RoomPage, RoomRow, RoomSort } from '../../electron/contract/api/rooms.ts'
import { api } from '../api.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'
import type { TablePlace } from '../parts/table-columns.ts'

/** Rows asked for at once; windows start at multiples of it. */
const BLOCK = 200
/** Windows kept while scrolling: the visible ones and their neighbours. */
const KEPT = 6
/** During a sync announcements come ten a second; what is shown is asked for again twice a second (chosen). */
const RELOAD_EVERY_IN_MS = 500
/** The longest text a suggestion is asked for (contract). */
const WORD = 200

export type RoomChoice = 'status' | 'health'

/** Rooms in windows, their filter and order, and where the list was left. */
export const useRoomsStore = defineStore('rooms', () => {
  /** As typed. */
  const where = ref('')
  /** The last filter without a problem: what is on screen, and what actions mean. */
  const asked = ref('')
  const sort = shallowRef<RoomSort>([{ column: 'name', descending: false }])
  const blocks = shallowRef<ReadonlyMap<number, readonly RoomRow[]>>(new Map())
  const total = ref<number | null>(null)
  const all = ref<number | null>(null)
  const asOf = ref<number | null>(null)
  const statuses = shallowRef<RoomPage['statuses']>([])
  const health = shallowRef<RoomPage['health']>([])
  const failure = shallowRef<Failure | null>(null)
  const startedOver = ref(0)
  /** Counts up when rows changed under the same filter. */
  const changed = ref(0)
  const place = shallowRef<TablePlace | null>(null)
  /** The list was left for a room's page by key or click: it takes the focus when one comes back. */
  const returning = ref(false)

  const problems = computed(() => readFilter(where.value, roomVocabulary).problems)
  const question = computed(() => ({ where: asked.value, sort: sort.value }))
  const filtered = computed(() => asked.value.trim() !== '')
  const under = new Set<string>()

  /** Reads one window; `fresh` forgets the others, as another filter or order does. */
  async function read(block: number, fresh: boolean): Promise<void> {
    const mine = question.value
    const name = `${block} ${JSON.stringify(mine)}`
    under.add(name)
    const outcome = await api.rooms.list({ ...mine, start: block * BLOCK, count: BLOCK })
    under.delete(name)
    if (mine !== question.value) return
    if (!outcome.ok) {
      failure.value = outcome.failure
      return
    }
    const page = outcome.value
    const kept = fresh ? [] : [...blocks.value].filter(([index]) => index !== block).slice(-(KEPT - 1))
    blocks.value = new Map([...kept, [block, page.rows]])
    total.value = page.total
    all.value = page.all
    asOf.value = page.asOf
    statuses.value = page.statuses
    health.value = page.health
    failure.value = null
    refreshPresentTime()
  }
  async function startOver(): Promise<void> {
    const mine = question.value
    // The first answer finds nothing to leave: a room that is open already stays in view.
    const first = total.value === null
    await read(0, true)
    if (mine !== question.value || first) return
    place.value = null
    startedOver.value += 1
  }
  /** What is shown, anew; scroll and the open room stay. */
  async function again(): Promise<void> {
    changed.value += 1
    await Promise.all([...new Set([0, ...blocks.value.keys()])].map((block) => read(block, false)))
  }
  watch(where, (typed) => {
    if (problems.value.length === 0) asked.value = typed.trim()
  })
  watch(question, () => void startOver())

  function rowAt(index: number): RoomRow | undefined {
    return blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  }
  /** The table shows rows from `first` to `last`: windows that are missing are asked for once. */
  function need(first: number, last: number): void {
    const name = JSON.stringify(question.value)
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++) {
      if (!blocks.value.has(block) && !under.has(`${block} ${name}`)) void read(block, false)
    }
  }
  /** What is chosen of a key by a plain term of the filter, such as `health:trouble,down`. */
  const chosenOf = (key: RoomChoice): readonly string[] =>
    readFilter(where.value, roomVocabulary).terms.find((term) => term.key === key && !term.negated)?.values ??
    []
  function choose(key: RoomChoice, values: readonly string[]): void {
    where.value = withTerm(
      where.value,
      roomVocabulary,
      key,
      values.length ? { negated: false, key, comparison: 'has', values } : null,
    )
  }
  async function suggest(key: string, typed: string): Promise<readonly WordCount[]> {
    const outcome = await api.rooms.suggest({ key, typed: typed.slice(0, WORD) })
    return outcome.ok ? outcome.value : []
  }
  /** Shows the list as it was left, if it was, while it is read again. */
  const show = (): Promise<void> => (blocks.value.size > 0 ? again() : startOver())

  function follow(): () => void {
    const reload = paced(() => void again(), RELOAD_EVERY_IN_MS)
    const ends = [
      api.rooms.changed(reload.call),
      api.devices.changed(reload.call),
      api.organizations.changed(() => void startOver()),
    ]
    return () => [reload.stop, ...ends].forEach((end) => end())
  }

  return {
    where,
    asked,
    problems,
    sort,
    blocks,
    total,
    all,
    asOf,
    statuses,
    health,
    failure,
    startedOver,
    changed,
    place,
    returning,
    filtered,
    startOver,
    show,
    rowAt,
    need,
    chosenOf,
    choose,
    suggest,
    clearFilter: () => void (where.value = ''),
    follow,
  }
})
