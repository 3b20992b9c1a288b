import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import type {
  ChangeGroup,
  ChangeGroups,
  ChangeQuery,
  ChangeRow,
  ChangeWindow,
} from '../../electron/contract/api/changes.ts'
import type { ChangeKind } from '../../electron/contract/api/changes.ts'
import type { Failure, Outcome } from '../../electron/contract/failure.ts'
import { readFilter, withTerm } from '../../electron/contract/filter/filter-reader.ts'
import { changeVocabulary } from '../../electron/contract/filter/filter-words.ts'
import { api } from '../api.ts'
import { paced } from '../parts/paced.ts'
import { refreshPresentTime } from '../parts/present-time.ts'

/** How far back the page looks. */
export const spans = ['looked', 'day', 'week', 'month', 'all'] as const
export type Span = (typeof spans)[number]

const DAY = 86_400_000
const lengths: Readonly<Record<Exclude<Span, 'looked' | 'all'>, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
}
/** Rows asked for at once; windows start at multiples of it. */
const BLOCK = 200
/** Windows kept while scrolling. */
const KEPT = 6
/** Rows of an opened group that stand in the page; more are shown as a list. */
export const GROUP_ROWS = 20
/** During a sync announcements come ten a second; what is shown is asked for again twice a second (chosen). */
const RELOAD_EVERY_IN_MS = 500

/** Changes by group, the rows of opened groups, and all rows in windows; the filter and span they are under. */
export const useChangesStore = defineStore('changes', () => {
  /** Always a filter that can be read (the filter box sees to that). */
  const where = ref('')
  const span = ref<Span>('looked')
  /** The moment `day`, `week` and `month` are counted from: fixed while the page is looked at, so that groups keep their keys. */
  const openedAt = ref(Date.now())
  const groups = shallowRef<ChangeGroups | null>(null)
  const failure = shallowRef<Failure | null>(null)
  /** Rows of opened groups, by group key. */
  const opened = shallowRef<ReadonlyMap<string, ChangeWindow>>(new Map())
  /** The one group the list shows; null: every change. */
  const only = shallowRef<ChangeGroup | null>(null)
  const asList = ref(false)
  const blocks = shallowRef<ReadonlyMap<number, readonly ChangeRow[]>>(new Map())
  const total = ref<number | null>(null)
  const startedOver = ref(0)

  const query = computed<ChangeQuery>(() => ({
    where: where.value,
    since:
      span.value === 'all' ? null : span.value === 'looked' ? 'looked' : openedAt.value - lengths[span.value],
  }))
  const filtered = computed(() => where.value.trim() !== '')
  const under = new Set<string>()

  function learn<T>(outcome: Outcome<T>, asked: ChangeQuery): T | null {
    if (asked !== query.value) return null
    failure.value = outcome.ok ? null : outcome.failure
    if (outcome.ok) refreshPresentTime()
    return outcome.ok ? outcome.value : null
  }
  async function readGroups(): Promise<void> {
    const asked = query.value
    const found = learn(await api.changes.groups(asked), asked)
    if (found) groups.value = found
  }
  async function readGroup(key: string): Promise<void> {
    const asked = query.value
    const found = learn(
      await api.changes.window({ ...asked, group: key, start: 0, count: GROUP_ROWS }),
      asked,
    )
    if (found) opened.value = new Map([...opened.value, [key, found]])
  }
  async function read(block: number, fresh: boolean): Promise<void> {
    const asked = query.value
    const group = only.value
    const name = `${block} ${group?.key ?? ''}`
    if (under.has(name)) return
    under.add(name)
    const outcome = await api.changes.window({
      ...asked,
      group: group?.key ?? null,
      start: block * BLOCK,
      count: BLOCK,
    })
    under.delete(name)
    if (group !== only.value) return
    const found = learn(outcome, asked)
    if (!found) return
    const kept = fresh ? [] : [...blocks.value].filter(([index]) => index !== block).slice(-(KEPT - 1))
    blocks.value = new Map([...kept, [block, found.rows]])
    total.value = found.total
  }
  async function startOver(): Promise<void> {
    opened.value = new Map()
    under.clear()
    await Promise.all([readGroups(), asList.value ? read(0, true) : undefined])
    startedOver.value += 1
  }
  /** The same question again: what is open stays open. */
  async function again(): Promise<void> {
    await Promise.all([
      readGroups(),
      ...[...opened.value.keys()].map(readGroup),
      ...(asList.value ? [...blocks.value.keys()].map((block) => read(block, false)) : []),
    ])
  }
  watch([query, only, asList], () => void startOver())

  const rowAt = (index: number): ChangeRow | undefined =>
    blocks.value.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  function need(first: number, last: number): void {
    for (let block = Math.floor(first / BLOCK); block <= Math.floor(last / BLOCK); block++)
      if (!blocks.value.has(block)) void read(block, false)
  }
  function toggle(group: ChangeGroup): void {
    if (!opened.value.has(group.key)) return void readGroup(group.key)
    opened.value = new Map([...opened.value].filter(([key]) => key !== group.key))
  }
  function showOnly(group: ChangeGroup | null): void {
    only.value = group
    asList.value = group !== null || asList.value
  }
  const chosenKinds = computed(
    () =>
      readFilter(where.value, changeVocabulary).terms.find((term) => term.key === 'kind' && !term.negated)
        ?.values ?? [],
  )
  function chooseKinds(values: readonly string[]): void {
    where.value = withTerm(
      where.value,
      changeVocabulary,
      'kind',
      values.length ? { negated: false, key: 'kind', comparison: 'has', values } : null,
    )
  }

  /** Everything seen so far is seen; answers what takes that back, null when it failed. */
  async function markSeen(): Promise<(() => Promise<void>) | null> {
    const before = groups.value?.lookedAt ?? null
    const outcome = await api.changes.look({ at: Date.now() })
    if (!outcome.ok) {
      failure.value = outcome.failure
      return null
    }
    await again()
    return async () => {
      await api.changes.look({ at: before })
      await again()
    }
  }
  function show(): Promise<void> {
    openedAt.value = Date.now()
    return startOver()
  }
  function follow(): () => void {
    const reload = paced(() => void again(), RELOAD_EVERY_IN_MS)
    const ends = [
      api.changes.changed(reload.call),
      api.devices.changed(reload.call),
      api.organizations.changed(() => void startOver()),
    ]
    return () => [reload.stop, ...ends].forEach((end) => end())
  }
  const kinds = computed<readonly { readonly word: ChangeKind; readonly count: number }[]>(
    () => groups.value?.kinds ?? [],
  )

  return {
    where,
    span,
    query,
    groups,
    kinds,
    failure,
    opened,
    only,
    asList,
    total,
    startedOver,
    filtered,
    chosenKinds,
    chooseKinds,
    rowAt,
    need,
    toggle,
    showOnly,
    markSeen,
    startOver,
    show,
    follow,
    clearFilter: () => void (where.value = ''),
  }
})
