import type { DeviceSelection } from '../../contract/api/devices.ts'
import type { ReadSettings, SettingsCost } from '../../contract/api/settings.ts'
import { Failed } from '../../contract/failure.ts'
import { policyOf } from '../../contract/failure-policy.ts'
import type { Devices } from '../devices/devices.ts'
import type { RunningTask } from '../tasks.ts'
import type { Settings } from './settings.ts'

/** As the device list (services.md#B32). */
export const pageSize = 100

/**
 * Simultaneous reads if there is one call for each device; the call budget limits the rate. Raise it if reads
 * are slow.
 */
const atOnce = 8

interface SettingsDeps {
  readonly devices: Pick<Devices, 'listed' | 'totals'>
  readonly settings: Pick<Settings, 'load' | 'fetchAll' | 'readsPages'>
}

/**
 * A page contains every device of the organization, so single reads are cheaper for few devices. Sends no
 * request. Rejects with Failed `invalid` or `cache-unusable`.
 */
export async function settingsCost(
  { devices, settings }: SettingsDeps,
  organizationId: string,
  selection: DeviceSelection,
): Promise<SettingsCost> {
  const [{ total }, { count }] = await Promise.all([
    devices.listed(organizationId, selection, []),
    devices.totals(organizationId),
  ])
  const pages = Math.max(1, Math.ceil(count / pageSize))
  const byPages = settings.readsPages && (isEverything(selection) || pages <= total)
  return { devices: total, calls: byPages ? pages : total, byPages }
}

const isEverything = (selection: DeviceSelection): boolean =>
  selection.kind === 'matching' && selection.where.trim() === '' && selection.except.length === 0

/** Reads and stores them. Settings that were read remain after a cancel or a Failed. */
export async function fetchSettings(
  { devices, settings }: SettingsDeps,
  organizationId: string,
  selection: DeviceSelection,
  task: RunningTask,
): Promise<ReadSettings> {
  const { byPages } = await settingsCost({ devices, settings }, organizationId, selection)
  if (byPages) return await settings.fetchAll(task)
  const { total, batches } = await devices.listed(organizationId, selection, [])
  const ids: string[] = []
  for await (const batch of batches) ids.push(...batch.flatMap(({ id, gone }) => (gone ? [] : [id])))
  let [read, requested] = [0, 0]
  while (requested < ids.length) {
    task.step('reading', requested, total)
    const some = ids.slice(requested, requested + atOnce)
    const answers = await Promise.all(some.map((id) => isRead(settings, id)))
    read += answers.filter(Boolean).length
    requested += some.length
  }
  return {
    devices: read,
    withoutSettings: requested - read,
    missed: 0,
    notInInventory: 0,
    calls: requested,
  }
}

async function isRead(settings: Pick<Settings, 'load'>, id: string): Promise<boolean> {
  try {
    await settings.load(id, { refresh: true, lane: 'bulk' })
    return true
  } catch (error) {
    if (error instanceof Failed && policyOf(error.failure).reach === 'one') return false
    throw error
  }
}
