import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type { Failure } from '../../electron/contract/failure.ts'
import type { JournalFilter, JournalLine } from '../../electron/contract/api/journal.ts'
import { api } from '../api.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** Lines asked for at once; windows start at multiples of it. */
const BLOCK = 200
/** Windows kept while scrolling. */
const KEPT = 6
const RELOAD_EVERY_IN_MS = 500
/** Writes whose end nobody knows: these want a look. */
export const toCheck = 'outcome:unknown,unconfirmed'
/** How far back they are counted: a week's are still worth a look (chosen). */
const CHECKED_FOR = 'age:<7d'

/** Every write of the current organization, newest first, in windows. */
export const useJournal = defineStore('journal', () => {
  /** Always a filter that can be read (the filter box sees to that). */
  const where = ref('')
  /** Only lines that name this device or room. */
  const subjectId = ref<string | null>(null)
  const blocks = shallowRef<ReadonlyMap<number, readonly JournalLine[]>>(new Map())
  const total = ref<number | null>(null)
  const checkable = ref(0)
  const failure = shallowRef<Failure | null>(null)
  const startedOver = ref(0)
  const line = shallowRef<JournalLine | null>(null)
  const lineMissing = ref(false)
  const openId = ref<number | null>(null)

  const filter = computed<JournalFilter>(() => ({ where: where.value, subjectId: subjectId.value }))
  const filtered = computed(() => where.value.trim() !== '' || subjectId.value !== null)
  const under = new Set<number>()
  /** The last line of each window read: a later one is read on from the nearest, however far down the journal that is. */
  const lastOf = new Map<number, number>()

  async function read(block: number, fresh: boolean): Promise<void> {
    const asked = filter.value
    under.add(block)
    const near = [...lastOf.keys()]
      .filter((one) => one < block)
      .reduce((most, one) => Math.max(most, one), -1)
    const before = lastOf.get(near)
    const outcome = await api.journal.list({
      ...asked,
      ...(before === undefined ? {} : { before }),
      start: (block - near - 1) * BLOCK,
      count: BLOCK,
    })
    under.delete(block)
    if (asked !== filter.value) return
    if (!outcome.ok) {
      failure.value = outcome.failure
      return
    }
    const { lines } = outcome.value
    const kept = fresh ? [] : [...blocks.value].filter(([index]) => index !== block).slice(-(KEPT - 1))
    blocks.value = new Map([...kept, [block, lines]])
    const last = lines.at(-1)
    if (last && lines.length === BLOCK) lastOf.set(block, last.id)
    total.value = outcome.value.total
    failure.value = null
    refreshPresentTime()
  }
  async function count(): Promise<void> {
    const outcome = await api.journal.list({
      where: `${toCheck} ${CHECKED_FOR}`,
      subjectId: null,
      start: 0,
      count: 0,
    })
    if (outcome.ok) checkable.value = outcome.value.total
  }
  async function startOver(): Promise<void> {
    lastOf.clear()
    await Promise.all([read(0, true), count()])
    startedOver.value += 1
  }
  watch(filter, () => void startOver())

  const lineAt = (index: number): JournalLine | undefined =>
    blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  function need(first: number, last: number): void {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++) {
      if (!blocks.value.has(block) && !under.has(block)) void read(block, false)
    }
  }
  const known = (id: number): JournalLine | undefined =>
    [...blocks.value.values()].flat().find((one) => one.id === id)
  async function find(id: number): Promise<JournalLine | null> {
    const outcome = await api.journal.list({ where: `line:${id}`, subjectId: null, start: 0, count: 1 })
    return outcome.ok ? (outcome.value.lines[0] ?? null) : null
  }

  async function open(id: number): Promise<void> {
    openId.value = id
    lineMissing.value = false
    line.value = known(id) ?? null
    if (line.value) return
    const found = await find(id)
    if (openId.value !== id) return
    line.value = found
    lineMissing.value = found === null
  }
  function close(): void {
    openId.value = null
    line.value = null
    lineMissing.value = false
  }
  function clearFilter(): void {
    where.value = ''
    subjectId.value = null
  }
  /** What is on screen again: a new line moves every window down, so the ends they are read on from are those of before. */
  async function again(): Promise<void> {
    lastOf.clear()
    for (const block of [...blocks.value.keys()].toSorted((a, b) => a - b)) await read(block, false)
    await count()
    const id = openId.value
    if (id !== null && line.value !== null) line.value = known(id) ?? (await find(id)) ?? line.value
  }
  /** A line that ends, or a new one, shows by itself. */
  function follow(): () => void {
    const reload = paced(() => void again(), RELOAD_EVERY_IN_MS)
    const ends = [api.journal.changed(reload.call), api.organizations.changed(() => void startOver())]
    return () => [reload.stop, ...ends].forEach((end) => end())
  }

  return {
    where,
    subjectId,
    filter,
    total,
    checkable,
    failure,
    startedOver,
    filtered,
    line,
    lineMissing,
    startOver,
    lineAt,
    need,
    open,
    close,
    clearFilter,
    follow,
  }
})
