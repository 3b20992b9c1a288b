import { computed, type ComputedRef } from 'vue'
import type {
  JobPlan,
  JobTerms,
  JobWork,
  PlannedChange,
  PlannedItem,
} from '../../electron/contract/api/jobs.ts'
import { formFactorOf } from '../../electron/contract/form-factor.ts'
import {
  drawings,
  marks,
  picture,
  side,
  words,
  wordsBeside,
  status,
  type Cell,
  type TitledMark,
} from '../lists/grid-cells.ts'
import type { GridColumn } from '../lists/grid-columns.ts'
import { columnsOf } from '../lists/list-columns.ts'
import { drawingOf } from '../lists/room-cell.ts'
import { clockOf } from '../components/clock.ts'
import { formatCount, timeZoneInUse } from '../components/format.ts'
import { say, text } from '../locales/i18n.ts'
import { useNow } from '../components/now.ts'
import { wordOfStatus } from '../components/status-kind.ts'
import { useSettingNames } from '../settings/setting-names-store.ts'
import { placeOf, targetName, partsOfTarget, skipText } from './job-text.ts'
import { beginsIn, whenOf } from './plan-sentences.ts'
import { valueOfAnyKind } from '../settings/setting-text.ts'

export type PlanColumn = 'target' | 'what' | 'local' | 'when'

const namesOf = ({ devices }: PlannedItem): string =>
  devices
    .map((device) => text('jobs.plan.deviceIs', { name: device.name, status: wordOfStatus(device.status) }))
    .join('\n')
/** `isSo`: the device already has the value. `isOnly`: its name is the header of the column. */
export function changeOf(change: PlannedChange, isSo = false, isOnly = false): TitledMark {
  const names = useSettingNames()
  const values = {
    name: names.labelOf(change.name),
    now: valueOfAnyKind(change.now ?? say('notAvailable')),
    new: valueOfAnyKind(change.new),
  }
  // The change is shown once, in the title.
  const isFirmware = change.name === 'firmwareVersion'
  const step = isSo ? values.now : `${values.now} → ${values.new}`
  const label = isFirmware || isOnly ? step : text('jobs.plan.fromTo', values)
  const named = isFirmware
    ? step
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
  ({ target: named }) => targetName(named),
)
const device: Cell<PlannedItem> = side(
  picture(({ devices: [one] }) => formFactorOf(one?.productName ?? null)),
  target,
)
const changesOf = (isOnly: boolean): Cell<PlannedItem> =>
  marks((item) =>
    useSettingNames()
      .inOrder(item.changes)
      .map((change) => changeOf(change, item.skipped === 'as-wanted', isOnly)),
  )
const [changes, onlyChange] = [changesOf(false), changesOf(true)]
/** `4 of 5`: a device that is off does not go down. */
function downOf({ devices }: PlannedItem): string | null {
  if (devices.length === 0) return null
  const down = devices.filter(({ status: word }) => word !== 'offline').length
  return text('jobs.plan.someDevices', { n: formatCount(down), all: formatCount(devices.length) })
}
/** A device that is off is drawn as off; the names are one click away. */
const goesDown: Cell<PlannedItem> = side(
  words(downOf, { none: '' }),
  drawings(
    ({ devices }) =>
      devices.map(({ productName = null, status: word }) =>
        drawingOf({ productName, status: word, isRevoked: false }),
      ),
    (item) => namesOf(item) || text('components.facts.notKnown'),
  ),
)
const itsWhen = (item: PlannedItem, terms: JobTerms, nowAt: number): string => {
  // That all others begin when it is back stands beside the table.
  if (terms.canary && item.after !== undefined && item.target.of === 'room') return ''
  const when = whenOf(item, terms, nowAt)
  return terms.canary && item.after === undefined ? text('jobs.plan.firstWhen', { when }) : when
}
const column = columnsOf<PlannedItem, PlanColumn>('jobs.plan.columns')

/** The names of the settings that are changed. */
const workSettings = (work: JobWork): readonly string[] =>
  work.kind === 'change-settings' ? work.changes.map(({ name }) => name) : []

export function usePlanColumns(
  work: () => JobWork,
  terms: () => JobTerms,
  marksOthers: () => boolean,
  zones: () => JobPlan['zones'],
): ComputedRef<readonly GridColumn<PlannedItem, PlanColumn>[]> {
  const now = useNow()
  const when: Cell<PlannedItem> = status((item) => {
    if (item.skipped !== null) return { kind: 'idle', label: skipText(item.skipped) }
    const label = itsWhen(item, terms(), now.value)
    return item.alsoIn === undefined || !marksOthers()
      ? { kind: null, label }
      : {
          kind: 'warn',
          label:
            label === '' ? text('jobs.plan.inOtherJob') : text('jobs.plan.whenInOtherJob', { when: label }),
        }
  })
  /** A room by its own clock; warned of in working hours. */
  const local: Cell<PlannedItem> = status(({ timeZone }) => {
    if (timeZone === undefined) return null
    const { minutes, isInUse } = beginsIn(timeZone, terms(), now.value)
    const label = text('jobs.plan.localIn', { time: clockOf(minutes), place: placeOf(timeZone) })
    return { kind: isInUse ? 'warn' : null, label }
  })
  const names = useSettingNames()
  return computed(() => {
    const { kind } = work()
    const settings = workSettings(work())
    const only = settings.length === 1 ? settings[0] : undefined
    const [who, first, what, second] =
      kind === 'reboot-rooms'
        ? ([target, 'room', goesDown, text('jobs.plan.columns.devices')] as const)
        : ([
            device,
            'device',
            only === undefined ? changes : onlyChange,
            only === undefined ? text('jobs.plan.columns.changes') : names.labelOf(only),
          ] as const)
    return [
      column('target', 230, 1, who, { grow: 3, look: 'strong', label: text(`jobs.plan.columns.${first}`) }),
      column('what', kind === 'reboot-rooms' ? 230 : 150, 2, what, {
        grow: kind === 'change-settings' ? 8 : 2,
        label: second,
      }),
      ...(kind === 'reboot-rooms' && zones().some(({ zone }) => zone !== 'local' && zone !== timeZoneInUse())
        ? [column('local', 150, 3, local, { grow: 2 })]
        : []),
      column('when', kind === 'change-settings' ? 130 : 150, 4, when, {
        grow: kind === 'update-firmware' ? 2 : 1,
        look: 'dim',
      }),
    ].map((one) => ({ ...one, fixed: true }))
  })
}
