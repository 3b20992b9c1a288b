import { computed, type ComputedRef } from 'vue'
import type { JobKind, JobTerms, PlannedChange, PlannedItem } from '../../electron/contract/api/jobs.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import {
  drawings,
  marks,
  picture,
  side,
  wordsBeside,
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
import { nameOf, partsOfTarget, skipText } from './job-text.ts'
import { whenOf } from './plan-sentences.ts'
import { valueWords } from '../settings/setting-text.ts'

export type PlanColumn = 'target' | 'what' | 'when'

const namesOf = ({ devices }: PlannedItem): string =>
  devices
    .map((device) => text('jobs.plan.deviceIs', { name: device.name, status: wordOfStatus(device.status) }))
    .join('\n')
/** `isSo`: the device already has the value. */
export function changeOf(change: PlannedChange, isSo = false): TitledMark {
  const names = useSettingNames()
  const values = {
    name: names.labelOf(change.name),
    now: valueWords(change.now ?? say('notAvailable')),
    new: valueWords(change.new),
  }
  // The change is shown once, in the title.
  const isFirmware = change.name === 'firmwareVersion'
  const label = isFirmware
    ? isSo
      ? values.now
      : `${values.now} → ${values.new}`
    : text('jobs.plan.fromTo', values)
  const named = isFirmware
    ? label
    : text('jobs.plan.fromTo', { ...values, name: names.labelWithName(change.name) })
  const restarts = change.restarts ? text('jobs.plan.restarts') : null
  return {
    kind: change.allowed || isSo ? null : 'bad',
    label: restarts === null ? label : `${label} (${restarts})`,
    title: [named, change.reason, restarts].filter((part) => part !== null).join(' · '),
  }
}
/** A device by its room or user, with what tells it from others of the same name. */
const target: Cell<PlannedItem> = wordsBeside(
  ({ target: named }) => partsOfTarget(named).title,
  ({ target: named }) => partsOfTarget(named).detail,
  ({ target: named }) => nameOf(named),
)
const device: Cell<PlannedItem> = side(
  picture(({ devices: [one] }) => formFactorOf(one?.productName ?? null)),
  target,
)
const changes: Cell<PlannedItem> = marks((item) =>
  useSettingNames()
    .inOrder(item.changes)
    .map((change) => changeOf(change, item.skipped === 'as-wanted')),
)
/** A device that is off does not go down, and is drawn as off; the names are one click away. */
const goesDown: Cell<PlannedItem> = drawings(
  ({ devices }) =>
    devices.map(({ productName = null, status: word }) =>
      drawingOf({ productName, status: word, isRevoked: false }),
    ),
  (item) => namesOf(item) || text('components.facts.notKnown'),
)
const itsWhen = (item: PlannedItem, terms: JobTerms, nowAt: number): string => {
  const when = whenOf(item, terms, nowAt)
  return terms.canary && item.after === undefined ? text('jobs.plan.firstWhen', { when }) : when
}
const column = columnsOf<PlannedItem, PlanColumn>('jobs.plan.columns')

export function usePlanColumns(
  kind: () => JobKind,
  terms: () => JobTerms,
): ComputedRef<readonly GridColumn<PlannedItem, PlanColumn>[]> {
  const now = useNow()
  const when: Cell<PlannedItem> = status((item) =>
    item.skipped === null
      ? { kind: null, label: itsWhen(item, terms(), now.value) }
      : { kind: 'idle', label: skipText(item.skipped) },
  )
  return computed(() => {
    const [who, first, what, second] =
      kind() === 'reboot-rooms'
        ? ([target, 'room', goesDown, 'devices'] as const)
        : ([device, 'device', changes, 'changes'] as const)
    return [
      column('target', 230, 1, who, { grow: 6, look: 'strong', label: text(`jobs.plan.columns.${first}`) }),
      column('what', 150, 2, what, {
        grow: kind() === 'change-settings' ? 6 : 2,
        label: text(`jobs.plan.columns.${second}`),
      }),
      column('when', kind() === 'change-settings' ? 130 : 190, 3, when, { grow: 3 }),
    ].map((one) => ({ ...one, fixed: true }))
  })
}
