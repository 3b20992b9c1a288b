import { computed, type ComputedRef } from 'vue'
import type { JobKind, JobTerms, PlannedChange, PlannedItem } from '../../electron/contract/api/jobs.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import {
  drawings,
  marks,
  picture,
  side,
  words,
  status,
  type Cell,
  type TitledMark,
} from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { drawingOf } from '../lists/room-cell.ts'
import { say, text } from '../locales/i18n.ts'
import { useNow } from '../components/now.ts'
import { wordOfStatus } from '../components/status-kind.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import { nameOf, skipText } from './job-text.ts'
import { whenOf } from './plan-sentences.ts'

export type PlanColumn = 'target' | 'what' | 'when'

const namesOf = ({ devices }: PlannedItem): string =>
  devices
    .map((device) => text('jobs.plan.deviceIs', { name: device.name, status: wordOfStatus(device.status) }))
    .join('\n')
function changeOf(change: PlannedChange): TitledMark {
  const names = useSettingNames()
  const values = {
    name: names.labelOf(change.name),
    now: change.now ?? say('notAvailable'),
    new: change.new,
  }
  // The change is shown once, in the title.
  const isFirmware = change.name === 'firmwareVersion'
  const label = isFirmware ? `${values.now} → ${values.new}` : text('jobs.plan.fromTo', values)
  const named = isFirmware
    ? label
    : text('jobs.plan.fromTo', { ...values, name: names.labelWithName(change.name) })
  const restarts = change.restarts ? text('jobs.plan.restarts') : null
  return {
    kind: change.allowed ? null : 'bad',
    label: restarts === null ? label : `${label} (${restarts})`,
    title: [named, change.reason, restarts].filter((part) => part !== null).join(' · '),
  }
}
const room: Cell<PlannedItem> = words(({ target: named }) => nameOf(named), {
  title: ({ target: named }) => nameOf(named),
  isQuiet: (item) => item.skipped !== null,
})
const device: Cell<PlannedItem> = side(
  picture(({ devices: [one] }) => formFactorOf(one?.productName ?? null)),
  room,
)
const changes: Cell<PlannedItem> = marks((item) => useSettingNames().inOrder(item.changes).map(changeOf))
/** A device that is off does not go down, and is drawn as off; the names are one click away. */
const goesDown: Cell<PlannedItem> = drawings(
  ({ devices }) =>
    devices.map(({ productName = null, status: word }) =>
      drawingOf({ productName, status: word, isRevoked: false }),
    ),
  (item) => namesOf(item) || text('components.facts.notKnown'),
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
      : { kind: 'idle', label: skipText(item.skipped) },
  )
  return computed(() => {
    const [target, first, what, second] =
      kind() === 'reboot-rooms'
        ? ([room, 'room', goesDown, 'devices'] as const)
        : ([device, 'device', changes, 'changes'] as const)
    return [
      column('target', 230, 1, target, { grow: 5, label: text(`jobs.plan.columns.${first}`) }),
      column('what', 170, 2, what, { grow: 3, label: text(`jobs.plan.columns.${second}`) }),
      column('when', 140, 3, when, { grow: 2 }),
    ].map((one) => ({ ...one, fixed: true }))
  })
}
