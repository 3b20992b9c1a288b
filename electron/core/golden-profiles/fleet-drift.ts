import type { DeviceRow, DeviceSelection } from '../../contract/api/devices.ts'
import type { DriftedDevice, GoldenProfile, NotAllowedSlice } from '../../contract/api/golden-profiles.ts'
import { variantKey } from '../../contract/firmware.ts'
import type { Devices } from '../devices/devices.ts'
import type { CachedSettings } from '../settings/settings.ts'
import type { RunningTask } from '../tasks.ts'
import { driftFrom, notAllowed, stateBy } from './setting-drift.ts'

export interface FleetDeps {
  readonly organizationId: string
  readonly devices: Pick<Devices, 'listed'>
  readonly settings: Pick<CachedSettings, 'begin'>
}

/** Every device of a golden profile, by name, and the settings that one of them has as a choice. */
export interface ProfileDrift {
  readonly devices: readonly DriftedDevice[]
  readonly choices: ReadonlySet<string>
}
/** In the order of the golden profiles. */
export type FleetDrift = ReadonlyMap<GoldenProfile['id'], ProfileDrift>

/**
 * Compares all devices with all golden profiles in one pass, 500 at a time: the file is read on its own
 * thread, so the event loop runs in between. Rejects with Failed `cache-unusable`.
 */
export async function judgeFleet(
  deps: FleetDeps,
  profiles: readonly GoldenProfile[],
  task: RunningTask,
): Promise<FleetDrift> {
  const judged = new Map(
    profiles.map(({ id }) => [id, { devices: [] as DriftedDevice[], choices: new Set<string>() }]),
  )
  if (profiles.length === 0) return judged
  const names = new Set(profiles.flatMap(({ settings }) => settings.map(({ name }) => name)))
  const where = `pid:${[...new Set(profiles.map(({ productId }) => productId))].toSorted((a, b) => a - b).join(',')}`
  const explain = deps.settings.begin()
  for await (const batch of batchesOf(deps, where, task)) {
    const cached = await explain(batch, names)
    for (const device of batch) {
      const known = cached.get(device.id)
      for (const profile of profiles) {
        if (!appliesTo(profile, device)) continue
        const drift = known === undefined ? [] : driftFrom(profile.settings, known.settings)
        const state = known === undefined ? 'not-read' : stateBy(drift)
        const of = judged.get(profile.id)
        of?.devices.push({ ...deviceOf(device), state, readAt: known?.observedAt ?? null, drift })
        for (const { name, kind } of known?.settings ?? []) if (kind === 'choice') of?.choices.add(name)
      }
    }
  }
  return judged
}

/**
 * Devices with stored values that their feature models do not allow, by name. Rejects with Failed
 * `cache-unusable`.
 */
export async function judgeAllowed(
  deps: FleetDeps,
  task: RunningTask,
): Promise<Omit<NotAllowedSlice, 'total'>> {
  const rows: DriftedDevice[] = []
  const counts = { devices: 0, read: 0, withoutModel: 0 }
  let oldestReadAt: number | null = null
  const explain = deps.settings.begin()
  for await (const batch of batchesOf(deps, '', task)) {
    const cached = await explain(batch, null)
    counts.devices += batch.length
    for (const device of batch) {
      const known = cached.get(device.id)
      if (known === undefined) continue
      counts.read++
      if (!known.hasModel) counts.withoutModel++
      oldestReadAt = Math.min(oldestReadAt ?? known.observedAt, known.observedAt)
      const drift = notAllowed(known.settings)
      if (drift.length > 0)
        rows.push({ ...deviceOf(device), state: 'drifted', readAt: known.observedAt, drift })
    }
  }
  return { rows, ...counts, oldestReadAt }
}

const appliesTo = (
  { productId, variantType }: Pick<GoldenProfile, 'productId' | 'variantType'>,
  device: DeviceRow,
): boolean =>
  device.productId === productId &&
  (variantType === null || variantKey(device.variantType) === variantKey(variantType))

/**
 * Returns the settings among these that a device of the product has as a choice or a switch: a device
 * publishes their values, so they are not secrets. Rejects with Failed `cache-unusable`.
 */
export async function published(
  deps: FleetDeps,
  productId: number,
  names: ReadonlySet<string>,
  task: RunningTask,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const explain = deps.settings.begin()
  for await (const batch of batchesOf(deps, `pid:${productId}`, task)) {
    for (const { settings } of (await explain(batch, names)).values())
      for (const { name, kind } of settings) if (kind === 'choice' || kind === 'on-off') found.add(name)
    if (found.size === names.size) break
  }
  return found
}

/**
 * A filter without `gone` excludes gone devices. A batch counts as compared when the next one is requested.
 */
async function* batchesOf(
  { devices, organizationId }: FleetDeps,
  where: string,
  task: RunningTask,
): AsyncIterable<readonly DeviceRow[]> {
  const selection: DeviceSelection = { kind: 'matching', where, except: [] }
  const { total, batches } = await devices.listed(organizationId, selection, [])
  let done = 0
  for await (const batch of batches) {
    task.step('comparing', done, total)
    yield batch
    done += batch.length
  }
}

function deviceOf(device: DeviceRow) {
  const { id, name, serialNumber, status, variantType, firmwareVersion, userName, productName, room } = device
  return {
    id,
    name,
    serialNumber,
    status,
    variantType,
    firmwareVersion,
    userName,
    productName,
    room: room?.name ?? null,
  }
}
