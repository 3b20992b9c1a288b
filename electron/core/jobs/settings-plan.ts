import { createHash } from 'node:crypto'
import type { DeviceRow } from '../../contract/api/devices.ts'
import { deviceLabel, type DeviceIdentity } from '../../contract/device-name.ts'
import { Failed, isCancelled, type Failure } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { PlannedItem, SkipReason } from '../../contract/api/jobs.ts'
import type { Json } from '../../contract/json.ts'
import type { Setting, SettingChange } from '../../contract/api/settings.ts'
import type { PlanDevice } from '../devices/devices.ts'
import type { Clock } from '../platform.ts'
import type { DeviceEndpoints } from '../management/management.ts'
import type { SettingsInBulk, JudgedChange } from '../settings/settings.ts'
import type { RunningTask } from '../tasks.ts'
import type { WorkItem } from './job-work.ts'
import { pause } from '../pause.ts'

/**
 * Age up to which stored settings are used for a plan. They are read again before writing, so this only
 * affects what is displayed; lower it if plans show outdated values.
 */
const validForInMs = 15 * 60_000
/** Devices per page of the list of devices with settings (services.md#B32). */
const pageSize = 100
/**
 * Simultaneous single reads while planning; the call budget limits the rate. Raise it if planning is slow.
 */
const readsAtOnce = 16
/**
 * Devices compared in one piece, so that other work can run in between. Lower it if pages respond slowly
 * while planning.
 */
const judgedAtOnce = 500
/** Read again, write, read back. */
const callsOfItem = 3
/** Polls of a device that still reports its old values. */
const furtherLooks = 2

/** The settings as displayed in the plan: a digest of each, so that no password is stored a second time. */
export const digestOf = (
  deviceId: string,
  setting: Pick<Setting, 'name' | 'value' | 'hidden' | 'locked'> | null,
  change: SettingChange,
): string => {
  const listed: Json =
    setting === null
      ? null
      : [setting.hidden ?? setting.value, change.locked === undefined ? null : setting.locked]
  return createHash('sha256')
    .update(JSON.stringify([deviceId, change.name, listed]))
    .digest('base64url')
    .slice(0, 22)
}

export interface SettingsMemory {
  /** Digests by the setting's name. */
  readonly digests: ReadonlyMap<string, string>
}

/** As `judgedDevices` stores it. */
export const settingsMemoryOf = (memory: Json): SettingsMemory => ({
  digests: new Map(Object.entries((memory as { readonly shown: Readonly<Record<string, string>> }).shown)),
})

export interface ReadForPlan {
  readonly clock: Pick<Clock, 'now'>
  readonly settings: SettingsInBulk
  readonly endpoints: Pick<DeviceEndpoints, 'settings'>
  /** Reads every device's settings, one page per call. */
  readonly fetchPages: () => Promise<{ readonly calls: number }>
  /** Devices of the organization. */
  readonly devicesInAll: () => Promise<number>
  readonly task: RunningTask
}

/**
 * Ensures that the settings of all these devices are stored and recent, with pages if that costs fewer calls
 * than single reads. Returns the number of calls that pages saved; null: none. Devices that cannot be read remain
 * without settings. Rejects with a failure that prevents every read.
 */
export async function fetchSettingsForPlan(
  parts: ReadForPlan,
  deviceIds: readonly string[],
): Promise<number | null> {
  const { settings } = parts
  const missing = await missingOf(parts, deviceIds)
  if (missing.length === 0) return null
  let left = missing
  let savedCalls: number | null = null
  if (settings.byPages && Math.ceil((await parts.devicesInAll()) / pageSize) < missing.length) {
    try {
      const { calls } = await parts.fetchPages()
      left = await missingOf(parts, missing)
      const saved = missing.length - left.length - calls
      savedCalls = saved > 0 ? saved : null
    } catch (error) {
      // If a profile's template is wrong, devices are read individually.
      if (!(error instanceof Failed) || policyOf(error.failure).reach !== 'one') throw error
      left = await missingOf(parts, missing)
    }
  }
  await fetchOneByOne(parts, left)
  return savedCalls
}

async function missingOf(
  { clock, settings, task }: Pick<ReadForPlan, 'clock' | 'settings' | 'task'>,
  deviceIds: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = []
  let looked = 0
  for (const some of piecesOf(deviceIds, judgedAtOnce)) {
    const stored = await settings.cachedIds(some, clock.now() - validForInMs)
    missing.push(...some.filter((id) => !stored.has(id)))
    task.step('finding', (looked += some.length), deviceIds.length)
  }
  return missing
}

async function fetchOneByOne(
  { settings, endpoints, task }: ReadForPlan,
  deviceIds: readonly string[],
): Promise<void> {
  // For one device a person waits with its editor open; for many devices the plan runs in the background.
  const lane = deviceIds.length === 1 ? 'interactive' : 'refresh'
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, task.signal])
  const queue = deviceIds.values()
  let read = 0
  task.step('reading', read, deviceIds.length)
  const worker = async (): Promise<void> => {
    for (const deviceId of queue) {
      if (stop.signal.aborted) return
      try {
        await settings.fetch(endpoints, { deviceId, lane, signal })
      } catch (error) {
        if (!(error instanceof Failed) || policyOf(error.failure).reach !== 'one') {
          stop.abort()
          throw error
        }
      }
      task.step('reading', ++read, deviceIds.length)
    }
  }
  const workers = await Promise.allSettled(
    Array.from({ length: Math.min(readsAtOnce, deviceIds.length) }, worker),
  )
  const reasons = workers.flatMap((one) =>
    one.status === 'rejected'
      ? [one.reason instanceof Error ? one.reason : new Error(String(one.reason))]
      : [],
  )
  const [first] = reasons.toSorted((one, other) => Number(isCancelled(one)) - Number(isCancelled(other)))
  if (first !== undefined) throw first
}

/** Every device with its result: the planned changes, or the reason for skipping it. */
export async function judgedDevices(
  { clock, settings, task }: Pick<ReadForPlan, 'clock' | 'settings' | 'task'>,
  devices: readonly PlanDevice[],
  changes: readonly SettingChange[],
): Promise<{ readonly items: readonly WorkItem[]; readonly skipped: readonly PlannedItem[] }> {
  const judge = settings.judge(devices.length === 1 ? 'interactive' : 'refresh')
  const items: WorkItem[] = []
  const skipped: PlannedItem[] = []
  for (const some of piecesOf(devices, judgedAtOnce)) {
    const stored = await settings.stored(
      some.map(({ id }) => id),
      clock.now() - validForInMs,
    )
    for (const device of some) {
      const answer = stored.get(device.id)
      if (answer === undefined) {
        skipped.push(plannedDevice(device, [], device.gone ? 'gone' : 'settings-unknown'))
        continue
      }
      const judged = await judge(device, answer, changes)
      const displayed = judged.map((one) => one.displayed)
      const reason = judged.some(({ checked }) => checked === null)
        ? 'not-allowed'
        : judged.every(({ isSo }) => isSo)
          ? 'as-wanted'
          : null
      if (reason !== null) {
        skipped.push(plannedDevice(device, displayed, reason))
        continue
      }
      const memory = {
        shown: Object.fromEntries(
          judged.map(({ change, setting }) => [change.name, digestOf(device.id, setting, change)]),
        ),
      }
      items.push({
        planned: plannedDevice(device, displayed, null),
        calls: callsOfItem,
        watchingAtMost: furtherLooks,
        memory,
      })
    }
    task.step('comparing', items.length + skipped.length, devices.length)
  }
  return { items, skipped }
}

export function plannedDevice(
  device: DeviceIdentity & Pick<DeviceRow, 'status'>,
  changes: PlannedItem['changes'],
  skipped: SkipReason | null,
): PlannedItem {
  const { id, status, productName } = device
  const name = deviceLabel(device)
  return {
    target: { of: 'device', id, name },
    devices: [{ id, name, status, ...(productName == null ? {} : { productName }) }],
    earliestAt: null,
    changes,
    skipped,
  }
}

function* piecesOf<T>(list: readonly T[], size: number): Iterable<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size)
}

/**
 * Delays after the first poll: a device reports new values within a minute, or only much later
 * (services.md#B24). Change them if devices need longer.
 */
const laterLooksInMs = [20_000, 30_000]

/** The state of a device's settings after a write. */
export type SettingsState =
  | { readonly kind: 'verified' }
  | { readonly kind: 'applies-later' }
  /** It reports neither the old nor the new value. */
  | { readonly kind: 'otherwise'; readonly failure: Failure }
  /** It could not be read. */
  | { readonly kind: 'not-read'; readonly failure: Failure }

/**
 * State of one change: applied; the device still reports the old value, or none; or it reports another value.
 */
function stateOf(
  deviceId: string,
  { change, setting, isSame, isSo }: JudgedChange,
  { digests }: SettingsMemory,
): 'so' | 'old' | 'other' {
  if (isSo) return 'so'
  if (setting === null || setting.value === null) return 'old'
  // A service that never reports locks cannot report this one either.
  if (isSame && setting.locked === null) return 'so'
  return digestOf(deviceId, setting, change) === digests.get(change.name) ? 'old' : 'other'
}

export function settingsStateNow(
  deviceId: string,
  judged: readonly JudgedChange[],
  memory: SettingsMemory,
): Exclude<SettingsState, { kind: 'not-read' }> {
  const states = judged.map((one) => ({ one, is: stateOf(deviceId, one, memory) }))
  const other = states.find(({ is }) => is === 'other')?.one
  if (other !== undefined) {
    const { name, now, new: wanted } = other.displayed
    const message = `The service accepted ${wanted}, but the device now reports ${now ?? 'no value'}.`
    return { kind: 'otherwise', failure: { kind: 'invalid', field: `settings.${name}`, message } }
  }
  return { kind: states.every(({ is }) => is === 'so') ? 'verified' : 'applies-later' }
}

/** Polls at once, and twice more within a minute until verified. `fetchState` rejects with Failed. */
export async function checkUntilVerified(
  clock: Clock,
  signal: AbortSignal,
  fetchState: () => Promise<Exclude<SettingsState, { kind: 'not-read' }>>,
): Promise<SettingsState> {
  let last: SettingsState = { kind: 'not-read', failure: { kind: 'cancelled' } }
  for (const wait of [0, ...laterLooksInMs]) {
    if (wait > 0 && !(await pause(clock, wait, signal))) return last
    try {
      last = await fetchState()
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      const { failure } = error
      if (last.kind === 'not-read') last = { kind: 'not-read', failure }
      // The job may make no further request.
      if (policyOf(failure).reach === 'end') return last
    }
    if (last.kind === 'verified') return last
  }
  return last
}
