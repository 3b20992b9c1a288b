import { computed, type ComputedRef } from 'vue'
import type { Job, JobItem } from '../../electron/contract/api/jobs.ts'
import type { JobItemSortColumn } from '../../electron/contract/fields/job-item.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import { picture, side, status, words, wordsBeside, type Cell } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf, wideFor } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { useSeconds } from '../components/countdown.ts'
import { formatCount, formatWhen } from '../components/format.ts'
import {
  detailOf,
  devicesText,
  isOpen,
  itemWait,
  lastsFor,
  markOfItem,
  targetName,
  partsOfTarget,
  statesOf,
  versionsOf,
  wordOfItem,
} from './job-text.ts'

export const jobItemColumns = [
  'name',
  'outcome',
  'firmware',
  'detail',
  'startedAt',
  'endedAt',
  'callsUsed',
] as const satisfies readonly JobItemSortColumn[]
export type JobItemColumn = (typeof jobItemColumns)[number]

/** `second`: the time that its cells read too, updated each second during a countdown. */
interface Columns<Row, Key extends string> {
  readonly columns: ComputedRef<readonly GridColumn<Row, Key>[]>
  readonly second: ReturnType<typeof useSeconds>
}

/** The room with the number of its devices, or the user with product and end of the serial number; all of it in the title. */
const name = wordsBeside<JobItem>(
  ({ target }) => partsOfTarget(target).title,
  ({ target, deviceIds }) =>
    target.of === 'room' ? devicesText(deviceIds.length) : partsOfTarget(target).detail || null,
  ({ target }) => targetName(target),
)
const device = side(
  picture<JobItem>(({ target }) => formFactorOf(partsOfTarget(target).product)),
  name,
)
const itemColumn = columnsOf<JobItem, JobItemColumn>('jobs.items')

/** `inProgress`: all of them are. */
export function useJobItemColumns(
  job: () => Job,
  inProgress: () => boolean,
): Columns<JobItem, JobItemColumn> {
  const second = useSeconds(() => isOpen(job()))
  const state = status<JobItem>((item) => ({ kind: markOfItem(item), label: wordOfItem(item, job().kind) }))
  const detail = (item: JobItem): string => {
    const wait = itemWait(item, job(), second.value)
    return inProgress() && wait === null ? lastsFor(item, second.value) : detailOf(item, second.value, wait)
  }
  const moment = (key: 'startedAt' | 'endedAt'): Cell<JobItem> =>
    words((item) => (item[key] === null ? null : formatWhen(item[key], second.value)))
  const kind = computed(() => job().kind)
  const columns = computed(() => [
    itemColumn('name', 200, 1, kind.value === 'reboot-rooms' ? name : device, {
      full: 320,
      grow: 2,
      look: 'strong',
      label: text(`jobs.items.${kind.value === 'reboot-rooms' ? 'room' : 'device'}`),
    }),
    itemColumn('outcome', wideFor(0, ...statesOf(kind.value)), 2, state, {
      label: text(`jobs.items.${inProgress() ? 'state' : 'outcome'}`),
    }),
    ...(kind.value === 'update-firmware'
      ? [itemColumn('firmware', 150, 3, words(versionsOf), { full: 190, look: 'tabular-nums' })]
      : []),
    itemColumn('detail', 120, 4, words(detail, { title: detail, none: '' }), {
      grow: 4,
      look: 'dim',
      label: text(`jobs.items.${inProgress() ? 'elapsed' : 'detail'}`),
    }),
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
