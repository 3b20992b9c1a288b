import { computed, type ComputedRef } from 'vue'
import type { JobKind, JobTerms, PlannedChange, PlannedItem } from '../../electron/contract/api/jobs.ts'
import { marks, words, status, type Cell, type TitledMark } from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { text } from '../locales/i18n.ts'
import { formatCount } from '../components/format.ts'
import { useNow } from '../components/now.ts'
import { markOfStatus, wordOfStatus } from '../components/status-kind.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import { nameOf, skipWords } from './job-words.ts'
import { whenOf } from './plan-sentences.ts'

export type PlanColumn = 'target' | 'what' | 'when'

/** Two are named; for more there is a count per status, and the names one click away. */
const NAMED = 2
const namesOf = ({ devices }: PlannedItem): string =>
  devices
    .map((device) => text('jobs.plan.deviceIs', { name: device.name, status: wordOfStatus(device.status) }))
    .join('\n')
function devicesOf(item: PlannedItem): readonly TitledMark[] {
  const { devices } = item
  const title = namesOf(item)
  if (devices.length <= NAMED)
    return devices.map(({ name, status: state }) => ({ kind: markOfStatus(state), label: name, title }))
  return [...new Set(devices.map((device) => device.status))].map((state) => ({
    kind: markOfStatus(state),
    label: text('jobs.plan.ofStatus', {
      n: formatCount(devices.filter((device) => device.status === state).length),
      status: wordOfStatus(state),
    }),
    title,
  }))
}
function changeOf(change: PlannedChange): TitledMark {
  const names = useSettingNames()
  const words = {
    name: names.labelOf(change.name),
    now: change.now ?? text('jobs.plan.unknownNow'),
    new: change.new,
  }
  // The title shows the change once.
  const isFirmware = change.name === 'firmwareVersion'
  const label = isFirmware ? `${words.now} → ${words.new}` : text('jobs.plan.fromTo', words)
  const named = isFirmware
    ? label
    : text('jobs.plan.fromTo', { ...words, name: names.labelWithName(change.name) })
  const restarts = change.restarts ? text('jobs.plan.restarts') : null
  return {
    kind: change.allowed ? null : 'bad',
    label: restarts === null ? label : `${label} (${restarts})`,
    title: [named, change.reason, restarts].filter((part) => part !== null).join(' · '),
  }
}
const target: Cell<PlannedItem> = words(({ target: named }) => nameOf(named), {
  title: ({ target: named }) => nameOf(named),
  isQuiet: (item) => item.skipped !== null,
})
const what: Cell<PlannedItem> = marks((item) =>
  item.changes.length > 0 ? useSettingNames().inOrder(item.changes).map(changeOf) : devicesOf(item),
)
const column = columnsOf<PlannedItem, PlanColumn>('jobs.plan.columns')

export function usePlanColumns(
  kind: () => JobKind,
  terms: () => JobTerms,
): ComputedRef<readonly GridColumn<PlannedItem, PlanColumn>[]> {
  const now = useNow()
  const when: Cell<PlannedItem> = status((item) =>
    item.skipped === null
      ? { kind: null, label: whenOf(item, terms(), now.value) }
      : { kind: 'idle', label: skipWords(item.skipped) },
  )
  return computed(() => {
    const [first, second] = kind() === 'reboot-rooms' ? ['room', 'devices'] : ['device', 'changes']
    return [
      column('target', 190, 1, target, { grow: 4, label: text(`jobs.plan.columns.${first}`) }),
      column('what', 190, 2, what, { grow: 3, label: text(`jobs.plan.columns.${second}`) }),
      column('when', 150, 3, when, { grow: 1 }),
    ].map((one) => ({ ...one, fixed: true }))
  })
}
