import type { Device } from '../../electron/contract/api/devices.ts'
import type { JobPlan, PlannedItem } from '../../electron/contract/api/jobs.ts'
import { isKind, type Failure } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import { atOnce, rebootOf } from '../jobs/job-plan-store.ts'
import type { Values } from './parameter-check.ts'

/** The known target of a write. */
export type WriteSubject =
  | { readonly kind: 'room'; readonly plan: JobPlan; readonly item: PlannedItem }
  | { readonly kind: 'device'; readonly device: Device }
  | { readonly kind: 'unknown-room' }
  | { readonly kind: 'unknown-device' }
  /** The query failed. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The operation names neither a room nor a device. */
  | { readonly kind: 'none' }

/** Looks up the target of an operation that writes: a room by its group id, from the plan of its reboot, or a device by its id. */
export async function fetchWriteSubject(operation: string, parameters: Values): Promise<WriteSubject> {
  const { groupId, deviceId } = parameters
  if (operation === 'RebootRoom' && groupId !== undefined) {
    const plan = await api.jobs.plan({ work: rebootOf(groupId), ...atOnce })
    const planned = plan.ok ? await api.jobs.planned({ plan: plan.value.id, start: 0, count: 1 }) : plan
    if (!plan.ok || !planned.ok) {
      const { failure } = plan.ok ? (planned as Extract<typeof planned, { ok: false }>) : plan
      return isKind(failure, 'not-found') ? { kind: 'unknown-room' } : { kind: 'failed', failure }
    }
    const [item] = planned.value.items
    return item === undefined ? { kind: 'unknown-room' } : { kind: 'room', plan: plan.value, item }
  }
  if (deviceId === undefined) return { kind: 'none' }
  const found = await api.devices.get({ id: deviceId })
  if (found.ok) return { kind: 'device', device: found.value }
  return isKind(found.failure, 'not-found')
    ? { kind: 'unknown-device' }
    : { kind: 'failed', failure: found.failure }
}
