import type { Device } from '../../electron/contract/api/devices.ts'
import type { RebootPlan } from '../../electron/contract/api/writes.ts'
import type { Failure } from '../../electron/contract/failure.ts'
import { api } from '../api.ts'
import type { Values } from './parameter-check.ts'

/** What a write concerns, as far as it is known here. */
export type WriteSubject =
  | { readonly kind: 'room'; readonly plan: RebootPlan }
  | { readonly kind: 'device'; readonly device: Device }
  | { readonly kind: 'unknown-room' }
  | { readonly kind: 'unknown-device' }
  /** It could not be asked. */
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The operation names neither a room nor a device. */
  | { readonly kind: 'none' }

/** Looks up whom a writing operation is sent to: a room by its group id, as Rooms would plan its reboot, or a device by its id. */
export async function readWriteSubject(operation: string, parameters: Values): Promise<WriteSubject> {
  const { groupId, deviceId } = parameters
  if (operation === 'RebootRoom' && groupId !== undefined) {
    const planned = await api.rooms.rebootPlan({ id: groupId })
    if (planned.ok) return { kind: 'room', plan: planned.value }
    return planned.failure.kind === 'not-found'
      ? { kind: 'unknown-room' }
      : { kind: 'failed', failure: planned.failure }
  }
  if (deviceId === undefined) return { kind: 'none' }
  const found = await api.devices.get({ id: deviceId })
  if (found.ok) return { kind: 'device', device: found.value }
  return found.failure.kind === 'not-found'
    ? { kind: 'unknown-device' }
    : { kind: 'failed', failure: found.failure }
}
