import type { DeviceSelection } from '../../contract/api/devices.ts'
import type { Devices, PlanDevice } from '../devices/devices.ts'
import type { RunningTask } from '../tasks.ts'

/** The devices of a new plan, by name. Rejects with Failed `cancelled`, `invalid` or `cache-unusable`. */
export async function selectedDevices(
  devices: Pick<Devices, 'forPlan'>,
  organizationId: string,
  selection: DeviceSelection,
  task: RunningTask,
): Promise<readonly PlanDevice[]> {
  const byName = [{ column: 'name', descending: false }] as const
  const { total, batches } = await devices.forPlan(organizationId, selection, byName)
  const found: PlanDevice[] = []
  for await (const batch of batches) {
    found.push(...batch)
    task.step('finding', found.length, total)
  }
  return found
}
