import { computed, type ComputedRef } from 'vue'
import type { Job, JobItem } from '../../electron/contract/api/jobs.ts'
import type { JobSortColumn } from '../../electron/contract/fields/job.ts'
import type { JobItemSortColumn } from '../../electron/contract/fields/job-item.ts'
import { segments, side, status, words, type Cell } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf, wideFor } from '../lists/list-columns.ts'
import { say, text } from '../locales/i18n.ts'
import { useSeconds } from '../components/countdown.ts'
import { formatCount, formatSpan, formatWhen } from '../components/format.ts'
import {
  detailOf,
  endedOf,
  isOpen,
  itemWait,
  markOfItem,
  markOfJob,
  nameOf,
  progressLabelOf,
  scheduledFor,
  segmentKeys,
  segmentsOf,
  stateOf,
  statesOf,
  titleOfJob,
  waitOf,
  wordOfItem,
} from './job-text.ts'

export const jobColumns = [
  'kind',
  'state',
  'progress',
  'durationInMs',
  'callsUsed',
  'createdAt',
  'who',
  'ticket',
] as const satisfies readonly JobSortColumn[]
export type JobColumn = (typeof jobColumns)[number]
export const jobItemColumns = [
  'name',
  'outcome',
  'detail',
  'startedAt',
  'endedAt',
  'callsUsed',
] as const satisfies readonly JobItemSortColumn[]
export type JobItemColumn = (typeof jobItemColumns)[number]

const left = words<Job>((job) => {
  if (job.leftInMs !== null) return say('left', { left: formatSpan(job.leftInMs) })
  return job.endedAt !== null && job.startedAt !== null
    ? text('jobs.progress.took', { span: formatSpan(job.endedAt - job.startedAt) })
    : null
})
const figuresOf = (job: Job): string =>
  text('jobs.progress.short', { ended: formatCount(endedOf(job)), asked: formatCount(job.asked) })
const calls = words<Job>(
  (job) => `${formatCount(job.callsUsed)} / ${formatCount(job.callsPlanned + job.watchingAtMost)}`,
)
/** The bar of `OutcomeBar.vue` with the progress in figures. */
const progress: Cell<Job> = (cell) => {
  cell.classList.add('job-progress')
  const bar = segments(segmentKeys, segmentsOf, progressLabelOf)(cell)
  const figures = words<Job>(figuresOf)(cell.appendChild(cell.ownerDocument.createElement('span')))
  return (job) => {
    bar(job)
    figures(job)
  }
}
const what: Cell<Job> = (cell) => {
  const write = words<Job>(titleOfJob, { title: titleOfJob })(cell)
  return (job) => {
    cell.classList.toggle('strong', isOpen(job))
    write(job)
  }
}
const column = columnsOf<Job, JobColumn>('jobs.columns')

/** `second`: the time that its cells read too, updated each second during a countdown. */
interface Columns<Row, Key extends string> {
  readonly columns: ComputedRef<readonly GridColumn<Row, Key>[]>
  readonly second: ReturnType<typeof useSeconds>
}

export function useJobColumns(isRunning: () => boolean): Columns<Job, JobColumn> {
  const second = useSeconds(isRunning)
  const waits = (job: Job): string | null => {
    if (job.state === 'unarmed') return scheduledFor(job)
    return job.waitsFor === null || job.waitsFor === 'paused' || job.state === 'ended'
      ? null
      : waitOf(job.waitsFor, job.waitsUntil, second.value)
  }
  const state = side<Job>(
    status((job) => ({ kind: markOfJob(job), label: stateOf(job) })),
    words(waits, { isQuiet: () => true, none: '', title: waits }),
  )
  const created = words<Job>((job) => formatWhen(job.createdAt, second.value))
  const columns = computed(() => [
    column('kind', 224, 1, what, { full: 310, grow: 5 }),
    column('state', 232, 2, state, { full: 400, grow: 4 }),
    column('progress', 150, 3, progress, { grow: 2 }),
    column('durationInMs', 118, 5, left, { look: 'end tabular-nums', descendingFirst: true }),
    column('callsUsed', 102, 6, calls, { look: 'end dim tabular-nums' }),
    column('createdAt', 142, 4, created, { look: 'end tabular-nums', descendingFirst: true }),
    column(
      'who',
      90,
      7,
      words((job) => job.who),
      { look: 'dim' },
    ),
    column(
      'ticket',
      110,
      null,
      words((job) => job.ticket ?? null),
    ),
  ])
  return { columns, second }
}

const itemColumn = columnsOf<JobItem, JobItemColumn>('jobs.items')

export function useJobItemColumns(job: () => Job): Columns<JobItem, JobItemColumn> {
  const second = useSeconds(() => isOpen(job()))
  const state = status<JobItem>((item) => ({ kind: markOfItem(item), label: wordOfItem(item, job().kind) }))
  const detail = (item: JobItem): string => detailOf(item, second.value, itemWait(item, job(), second.value))
  const moment = (key: 'startedAt' | 'endedAt'): Cell<JobItem> =>
    words((item) => (item[key] === null ? null : formatWhen(item[key], second.value)))
  const kind = computed(() => job().kind)
  const columns = computed(() => [
    itemColumn(
      'name',
      140,
      1,
      words((item) => nameOf(item.target), { title: (item) => nameOf(item.target) }),
      {
        full: 200,
        grow: 4,
        label: text(`jobs.items.${kind.value === 'reboot-rooms' ? 'room' : 'device'}`),
      },
    ),
    itemColumn('outcome', wideFor(0, ...statesOf(kind.value)), 2, state),
    itemColumn('detail', 120, 3, words(detail, { title: detail, none: '' }), { grow: 3, look: 'dim' }),
    ...(['startedAt', 'endedAt'] as const).map((key) =>
      itemColumn(key, 130, null, moment(key), { look: 'tabular-nums' }),
    ),
    itemColumn(
      'callsUsed',
      70,
      null,
      words((item) => formatCount(item.callsUsed)),
      { look: 'end tabular-nums' },
    ),
  ])
  return { columns, second }
}
