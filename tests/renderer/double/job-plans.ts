import type { Device, DeviceSelection } from '../../../electron/contract/api/devices.ts'
import { Failed } from '../../../electron/contract/failure.ts'
import type {
  JobDraft,
  JobPlan,
  JobWork,
  PlannedChange,
  PlannedItem,
  SkipReason,
} from '../../../electron/contract/api/jobs.ts'
import type { Room } from '../../../electron/contract/api/rooms.ts'
import type { DeviceSettings, Setting, SettingChange } from '../../../electron/contract/api/settings.ts'
import type { WriteLock } from '../../../electron/contract/api/writes.ts'

/** More items than this ask for the number typed (behaviour, section 4). */
const CLICKED_AT_MOST = 5
const WINDOW = 9_500
const PER_SECOND = 95

export interface KeptPlan {
  readonly plan: JobPlan
  readonly items: readonly PlannedItem[]
  readonly retryOf: string | null
}

export interface PlanWorld {
  readonly devices: readonly Device[]
  readonly rooms: readonly Room[]
  readonly selectedRooms: (selection: DeviceSelection) => readonly Room[]
  readonly selectedDevices: (selection: DeviceSelection) => readonly Device[]
  readonly settings: (id: string) => Promise<DeviceSettings>
  /** The earliest start by the minute of these devices; null: now. */
  readonly earliest: (ids: readonly string[]) => number | null
  readonly lock: () => WriteLock
}

/** Plans as the core makes them: from what is known, each room once, nothing asked of the service but settings. */
export function planner(world: PlanWorld) {
  let made = 0
  async function itemsOf(work: JobWork): Promise<readonly PlannedItem[]> {
    if (work.kind === 'change-settings')
      return Promise.all(
        world
          .selectedDevices(work.selection)
          .map(async (device) => ofDevice(device, work.changes, await world.settings(device.id), world)),
      )
    if (work.of === 'rooms') return world.selectedRooms(work.selection).map((room) => ofRoom(room, world))
    const chosen = world.selectedDevices(work.selection)
    const ids = new Set(chosen.flatMap((device) => (device.room ? [device.room.id] : [])))
    return [
      ...world.rooms.filter((room) => ids.has(room.id)).map((room) => ofRoom(room, world)),
      ...chosen.filter((device) => device.room === null).map((device) => roomless(device)),
    ]
  }
  return async (draft: JobDraft, retryOf: string | null): Promise<KeptPlan> => {
    const all = await itemsOf(draft.work)
    if (all.length === 0)
      throw new Failed({ kind: 'invalid', field: 'selection', message: 'Nothing is chosen.' })
    const items = all.filter((item) => item.skipped === null)
    const skipped = all.filter((item) => item.skipped !== null)
    const reasons = new Map<SkipReason, number>()
    for (const { skipped: reason } of skipped) if (reason) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    const reboots = draft.work.kind === 'reboot-rooms'
    const calls = items.length * (reboots ? 2 : 3)
    return {
      retryOf,
      items: [...items, ...skipped],
      plan: {
        id: `plan-${++made}`,
        draft,
        madeAt: Date.now(),
        items: items.length,
        skipped: [...reasons].map(([reason, count]) => ({ reason, count })),
        devices: items.reduce((sum, item) => sum + item.devices.length, 0),
        cost: {
          calls,
          aboutInMs: Math.round((calls / PER_SECOND) * 1_000) + 400,
          shareOfWindow: calls / WINDOW,
        },
        watchingAtMost: reboots ? items.length * 12 : 0,
        savedCalls: !reboots && items.length > 20 ? items.length - Math.ceil(items.length / 100) : null,
        typeNumber: items.length > CLICKED_AT_MOST ? items.length : null,
        lock: world.lock(),
        timeZone: null,
        target: items.length === 1 ? (items[0]?.target ?? null) : null,
      },
    }
  }
}

function ofRoom(room: Room, world: PlanWorld): PlannedItem {
  const members = room.devices ?? []
  const skipped: SkipReason | null = room.gone
    ? 'gone'
    : room.devices === null
      ? 'members-unknown'
      : members.some((device) => device.status === 'online')
        ? null
        : 'nothing-online'
  return {
    target: { of: 'room', id: room.id, name: room.name },
    devices: members.map(({ id, name, status, productName }) => ({
      id,
      name: name ?? productName ?? id,
      status,
    })),
    earliestAt: world.earliest(members.map((device) => device.id)),
    changes: [],
    skipped,
  }
}

const roomless = (device: Device): PlannedItem => ({
  target: { of: 'device', id: device.id, name: device.name },
  devices: [{ id: device.id, name: device.name, status: device.status }],
  earliestAt: null,
  changes: [],
  skipped: 'no-room',
})

function ofDevice(
  device: Device,
  changes: readonly SettingChange[],
  settings: DeviceSettings,
  world: PlanWorld,
): PlannedItem {
  const planned = changes.map((change) =>
    changeOf(
      change,
      settings.settings.find((one) => one.name === change.name),
    ),
  )
  const skipped: SkipReason | null = device.gone
    ? 'gone'
    : planned.some((one) => !one.allowed)
      ? 'not-allowed'
      : planned.every((one) => one.now === one.new)
        ? 'as-wanted'
        : null
  return {
    target: { of: 'device', id: device.id, name: device.name },
    devices: [{ id: device.id, name: device.name, status: device.status }],
    earliestAt: world.earliest([device.id]),
    changes: planned,
    skipped,
  }
}

function changeOf(change: SettingChange, setting: Setting | undefined): PlannedChange {
  const told = { name: change.name, new: wordOf(change.value), restarts: setting?.feature?.restarts ?? null }
  if (!setting)
    return { ...told, now: null, allowed: false, reason: 'The device has no setting of this name.' }
  const { feature } = setting
  const amount = Number(change.value)
  const low = feature?.minimum != null && amount < feature.minimum
  const high = feature?.maximum != null && amount > feature.maximum
  const foreign =
    feature?.kind === 'choice' &&
    setting.kind === 'choice' &&
    !feature.supported.includes(String(change.value))
  const reason = foreign
    ? `Its feature model knows ${feature.supported.join(', ')}.`
    : low || high
      ? `Its feature model allows ${feature.minimum} to ${feature.maximum}.`
      : null
  return {
    ...told,
    now: setting.value === null ? null : wordOf(setting.value),
    allowed: reason === null,
    reason,
  }
}
const wordOf = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : String(value)
