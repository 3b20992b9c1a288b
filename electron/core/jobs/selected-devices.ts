import type { DeviceRow, DeviceSelection } from '../../contract/api/devices.ts'
import type { Devices } from '../devices/devices.ts'
import type { RunningTask } from '../tasks.ts'

/** The devices of a new plan, by name. Rejects with Failed `cancelled`, `invalid` or `cache-unusable`. */
export async function selectedDevices(
  devices: Pick<Devices, 'listed'>,
  organizationId: string,
  selection: DeviceSelection,
  task: RunningTask,
): Promise<readonly DeviceRow[]> {
  const byName = [{ column: 'name', descending: false }] as const
  const { total, batches } = await devices.listed(organizationId, selection, byName)
  const found: DeviceRow[] = []
  for await (const batch of batches) {
    found.push(...batch)
    task.step('finding', found.length, total)
  }
  return found
}
