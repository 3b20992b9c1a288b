import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { journalSortColumns } from '../../electron/contract/fields/journal.ts'
import { journalVocabulary } from '../../electron/contract/filter/vocabularies.ts'
import type {
  JournalFilter,
  JournalLine,
  JournalPage,
  JournalSort,
} from '../../electron/contract/api/journal.ts'
import { api } from '../api.ts'
import { organizationSwitched } from '../layout/organization-switched.ts'
import { useJobName } from '../jobs/jobs-store.ts'
import { useListSort } from '../lists/list-layout-store.ts'
import { useFilter } from '../lists/use-filter.ts'
import { useList } from '../lists/use-list.ts'
import { latestResult, resultOf } from '../components/latest-result.ts'

/** Entries per request. */
const COUNT = 200
/** Writes with an unknown result: these need a check. */
export const toCheck = 'outcome:unknown,unconfirmed'
/** How far back they are counted: the result of a write of the last week is still worth a check. */
const CHECKED_FOR = 'age:<7d'

const newestFirst: JournalSort = [{ column: 'startedAt', descending: true }]

/** Every write of the current organization, in slices. */
export const useJournal = defineStore('journal', () => {
  const { where, applied, clearFilter: clearWhere } = useFilter(journalVocabulary)
  /** Only entries of this device or room. */
  const subjectId = ref<string | null>(null)
  const filter = computed<JournalFilter>(() => ({ where: applied.value, subjectId: subjectId.value }))
  /** The actions of one job are one line, unless a person looks at each action, or at those of a job. */
  const byJob = ref(true)
  const folded = computed(() => byJob.value && !applied.value.includes('job:'))
  /** The job that the filter names. */
  const job = useJobName(() => /(?:^|\s)job:([\w-]+)(?=\s|$)/.exec(applied.value)?.[1] ?? null)
  /** The actions of a single job are left for all jobs. */
  function foldByJob(on: boolean): void {
    byJob.value = on
    if (on) where.value = where.value.replaceAll(/(?:^|\s)job:\S+/g, '').trim()
  }
  const filtered = computed(() => applied.value !== '' || subjectId.value !== null)
  const chosenSort = useListSort('journal', journalSortColumns, newestFirst)
  const sort = computed({
    get: () => (folded.value ? newestFirst : chosenSort.value),
    set: (wanted) => (chosenSort.value = wanted),
  })
  /** In the form that the core expects, because its default order costs nothing. */
  const sorted = computed(() => (sort.value === newestFirst ? [] : sort.value))
  const list = useList({
    question: () => ({ ...filter.value, sort: sorted.value, folded: folded.value }),
    count: COUNT,
    // A slice continues after the line above it, which costs the same anywhere in the journal. Possible only
    // in the order newest first.
    fetch: ({ folded: isFolded, sort: by, ...question }, { start, count, above }) =>
      api.journal.list({
        ...question,
        ...(isFolded
          ? { folded: true as const, start }
          : {
              sort: by,
              ...(above && by.length === 0 ? { before: above.row.id, start: above.between } : { start }),
            }),
        count,
      }),
    rowsOf: (page: JournalPage): readonly JournalLine[] => page.lines,
    idOf: (line) => line.id,
    beside: loadBeside,
    replacedBy: [organizationSwitched],
  })
  const toBeChecked = latestResult<JournalPage>()
  const openId = ref<number | null>(null)
  /** The open line. */
  const found = resultOf<JournalPage>(() => (openId.value === null ? null : String(openId.value)))
  /** As in the list when it was opened, or read again since. */
  const listed = shallowRef<JournalLine | null>(null)
  const line = computed(() => found.answer.value.value?.lines[0] ?? listed.value)
  const lineMissing = computed(
    () => line.value === null && (found.answer.value.value ?? found.answer.value.failure) !== null,
  )

  const count = (): Promise<boolean> =>
    toBeChecked.take(
      api.journal.list({ where: `${toCheck} ${CHECKED_FOR}`, subjectId: null, start: 0, count: 0 }),
    )
  const known = (id: number): JournalLine | undefined => list.rowAt(list.indexOf(id) ?? -1)
  const find = (id: number): Promise<boolean> =>
    found.take(String(id), api.journal.list({ where: `line:${id}`, subjectId: null, start: 0, count: 1 }))

  async function open(id: number): Promise<void> {
    openId.value = id
    const row = known(id)
    listed.value = row === undefined || row.together !== undefined ? null : row
    found.clear()
    if (listed.value === null) await find(id)
  }
  function close(): void {
    openId.value = listed.value = null
    found.clear()
  }
  function clearFilter(): void {
    clearWhere()
    subjectId.value = null
  }
  async function show(): Promise<void> {
    await Promise.all([list.show(), count()])
  }
  async function loadBeside(): Promise<void> {
    await Promise.all([count(), openId.value === null ? null : find(openId.value)])
  }
  watch(list.startedOver, () => void count())

  return {
    ...list,
    where,
    applied,
    subjectId,
    filter,
    filtered,
    folded,
    job,
    foldByJob,
    /** All that match, each counted. */
    actions: computed(() => list.answer.value?.actions ?? list.total.value),
    sort,
    sorted,
    checkable: computed(() => toBeChecked.value.value?.total ?? 0),
    line,
    lineMissing,
    open,
    close,
    clearFilter,
    show,
    follow: () => list.follow([api.journal.changed]),
  }
})
